import {
  hasTemplate,
  isEnvelopeField,
  type JsonPath,
  parsingAllowance,
  tooMuchToParse,
  toPointer,
} from "@lading/schema/internal";
import { Budget } from "./budget.ts";
import { renderWithin, sentence, type Work } from "./render-text.ts";
import { type RenderScope, TemplateError, ValueUnavailable } from "./scope.ts";

export interface RenderedPayload {
  readonly payload: object;
  /** The texts its templates rendered to, by JSON pointer; undefined if it has none, and is the payload itself. */
  readonly texts: Readonly<Record<string, string>> | undefined;
  /** The original payload; undefined if it has no templates. */
  readonly source?: object;
  /** The texts left out because a helper had no value (`ValueUnavailable`); undefined if there are none. */
  unavailable?: readonly UnavailableText[];
  /** Values that helpers collected; undefined if none. */
  collected?: readonly unknown[];
  /** The rest of the operation's budget, for rendering it again; undefined if no text was left out. */
  budget?: Budget;
}

export interface UnavailableText {
  readonly path: JsonPath;
  readonly reason: unknown;
}

/**
 * Renders every string of a payload. A template renders to text, also where a number or a boolean is wanted:
 * `parsePayload` converts it. Keys and the envelope are left unchanged. Doesn't modify the payload; returns a rendered
 * copy. Yields to other work if it takes long.
 *
 * @param budget what is left of the operation's, if it is rendered again
 * @returns a promise only if a helper returned one, or it took long
 * @throws TemplateError with the path of the first template that failed or whose helper rejected, or the promise is
 * rejected with it
 */
export function renderPayload(
  payload: object,
  scope: RenderScope,
  budget?: Budget,
): RenderedPayload | Promise<RenderedPayload> {
  const found = slotsOf(payload);
  if (found === undefined) return { payload, texts: undefined };
  refuseExcessiveParsing(found.slots);
  const work: PayloadWork = { scope, written: 0, budget: budget ?? new Budget(), texts: {} };
  const rendered: RenderedPayload = { payload: found.copy, texts: work.texts, source: payload };
  const finish = () => {
    if (work.unavailable !== undefined)
      Object.assign(rendered, { unavailable: work.unavailable, budget: work.budget });
    if (work.collected !== undefined) rendered.collected = work.collected;
    return rendered;
  };
  const unfinished = fillSlots(found.slots, 0, work);
  return unfinished === undefined ? finish() : unfinished.then(finish);
}

interface PayloadWork extends Work {
  readonly texts: Record<string, string>;
  unavailable?: UnavailableText[];
}

/** Refuses an operation whose templates are too much to parse, as validation does. */
function refuseExcessiveParsing(slots: readonly Slot[]): void {
  let length = 0;
  for (const { template } of slots) length += template.length;
  const parsed = parsingAllowance(length);
  for (const slot of slots)
    if (!parsed(slot.template))
      throw new TemplateError(sentence(tooMuchToParse), "TemplateError", pathTo(slot));
}

/** Renders the templates serially, so that helpers are called in the order of the payload. */
function fillSlots(slots: readonly Slot[], from: number, work: PayloadWork): Promise<void> | undefined {
  for (let index = from; index < slots.length; index++) {
    const slot = slots[index]!;
    const rendered = renderSlot(slot, work);
    if (rendered instanceof Promise)
      return rendered.then((text) => {
        fill(slot, text, work);
        return fillSlots(slots, index + 1, work);
      });
    fill(slot, rendered, work);
    if (work.budget.pauseDue)
      return work.budget.pause(work.scope).then(() => fillSlots(slots, index + 1, work));
  }
  return undefined;
}

function fill(slot: Slot, text: string | undefined, { texts }: PayloadWork): void {
  slot.holder[slot.key] = text;
  if (text !== undefined) texts[pointerTo(slot)] = text;
}

function renderSlot(slot: Slot, work: PayloadWork): string | undefined | Promise<string | undefined> {
  const leaveOut = (thrown: unknown): undefined => {
    if (!(thrown instanceof ValueUnavailable)) throw thrown;
    work.unavailable ??= [];
    work.unavailable.push({ path: pathTo(slot), reason: thrown.reason });
  };
  try {
    const rendered = renderWithin(work, slot.template, () => pathTo(slot));
    return typeof rendered === "string" ? rendered : rendered.catch(leaveOut);
  } catch (thrown) {
    return leaveOut(thrown);
  }
}

type Key = string | number;
type Container = Record<Key, unknown>;

/** The slot in the copy of the payload that will hold a template's text. */
interface Slot extends Step {
  readonly holder: Container;
  readonly template: string;
}

/** A step on the way to a value. Paths and pointers are only built for templates, not for everything visited. */
interface Step {
  readonly outer: Step | undefined;
  readonly key: Key;
}

/**
 * Finds the templates of a payload, and copies the lists and objects they are in; undefined if it has none. The copy
 * shares all others with the payload.
 */
function slotsOf(payload: object): { copy: object; slots: Slot[] } | undefined {
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
  // Members of a list are replaced by index, like those of an object by name.
  const members = container as Container;
  let copy: Container | undefined;
  if (Array.isArray(container))
    for (let key = 0; key < container.length; key++) copy = copyMember(members, key, copy, slots, outer);
  else
    for (const key in members)
      if (outer !== undefined || !isEnvelopeField(key)) copy = copyMember(members, key, copy, slots, outer);
  return copy ?? container;
}

/** Returns the copy of a container, made on demand. */
function copyMember(
  members: Container,
  key: Key,
  copy: Container | undefined,
  slots: Slot[],
  outer: Step | undefined,
): Container | undefined {
  const member = members[key];
  if (typeof member === "string") {
    if (!hasTemplate(member)) return copy;
    const holder = copy ?? copyOf(members);
    slots.push({ holder, template: member, outer, key });
    return holder;
  }
  if (typeof member !== "object" || member === null) return copy;
  const inner = copyWithSlots(member, slots, { outer, key });
  if (inner === member) return copy;
  const holder = copy ?? copyOf(members);
  holder[key] = inner;
  return holder;
}

function copyOf(members: Container): Container {
  // The members of a list are written by index.
  return Array.isArray(members) ? (members.slice() as unknown as Container) : { ...members };
}

function pathTo(slot: Step): Key[] {
  const path: Key[] = [];
  for (let at: Step | undefined = slot; at !== undefined; at = at.outer) path.unshift(at.key);
  return path;
}

const pointerTo = (slot: Step): string => toPointer(pathTo(slot));
