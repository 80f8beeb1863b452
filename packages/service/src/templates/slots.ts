import { hasTemplate, isEnvelopeField, toPointer } from "@lading/schema";

type Key = string | number;
type Container = Record<Key, unknown>;

/** The place of a template in the copy of the payload that will hold its text. */
export interface Slot extends Step {
  readonly holder: Container;
  readonly template: string;
}

/** A step on the way to a value. Paths and pointers are only made of it for templates, not for all that is visited. */
interface Step {
  readonly outer: Step | undefined;
  readonly key: Key;
}

/** Copies a payload and finds its templates; undefined if it has none. */
export function slotsOf(payload: object): { copy: object; slots: Slot[] } | undefined {
  if (!holdsTemplate(payload, true)) return undefined;
  const slots: Slot[] = [];
  return { copy: copyWithSlots(payload, slots), slots };
}

/** Searches without allocating anything: nearly all payloads hold no template. */
function holdsTemplate(value: unknown, outermost = false): boolean {
  if (typeof value === "string") return hasTemplate(value);
  if (typeof value !== "object" || value === null) return false;
  if (Array.isArray(value)) {
    for (let at = 0; at < value.length; at++) if (holdsTemplate(value[at])) return true;
    return false;
  }
  for (const key in value) {
    if (outermost && isEnvelopeField(key)) continue;
    if (holdsTemplate((value as Container)[key])) return true;
  }
  return false;
}

function copyWithSlots(container: object, slots: Slot[], outer?: Step): object {
  if (Array.isArray(container)) {
    const copy: unknown[] = container.slice();
    // Members of a list are replaced by index, just as those of an object are by name.
    const holder = copy as unknown as Container;
    for (let key = 0; key < copy.length; key++) copyMember(holder, key, slots, outer);
    return copy;
  }
  const copy: Container = { ...container };
  for (const key in copy) copyMember(copy, key, slots, outer);
  return copy;
}

function copyMember(holder: Container, key: Key, slots: Slot[], outer: Step | undefined): void {
  const member = holder[key];
  if (outer === undefined && isEnvelopeField(key)) return;
  if (typeof member === "object" && member !== null)
    holder[key] = copyWithSlots(member, slots, { outer, key });
  else if (typeof member === "string" && hasTemplate(member))
    slots.push({ holder, template: member, outer, key });
}

/** The keys that lead from the payload to a slot. */
export function pathTo(slot: Step): Key[] {
  const path: Key[] = [];
  for (let at: Step | undefined = slot; at !== undefined; at = at.outer) path.unshift(at.key);
  return path;
}

/** The JSON pointer of a slot. */
export const pointerTo = (slot: Step): string => toPointer(pathTo(slot));
