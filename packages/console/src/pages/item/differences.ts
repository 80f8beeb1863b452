import type { ValueChange } from "../../ui/values/diff.tsx";
import type { ShownItem } from "./documents.ts";

/** The values in which an item's draft differs from its published version, each with where it is. */
export function differences(published: ShownItem, draft: ShownItem): ValueChange[] {
  const [before, after] = [leavesOf(partsOf(published)), leavesOf(partsOf(draft))];
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((pointer): ValueChange[] => {
    const change = { pointer, before: before.get(pointer) ?? null, after: after.get(pointer) ?? null };
    return change.before === change.after ? [] : [change];
  });
}

const partsOf = (item: ShownItem) => ({
  name: item.name,
  components: item.components,
  ...("variants" in item && { variants: item.variants }),
});

/** Fields that name an entry of a list, the first that it has. */
const keys = ["componentId", "sku", "identifier", "attribute", "key"];

/** Facts of a value that follow from others: its type in the API, and names of what has an identifier. */
const derived = ["__typename", "displayName", "url"];

/** All values that are not lists or objects: `components/description/content/plainText`. */
export function leavesOf(value: unknown): Map<string, unknown> {
  const leaves = new Map<string, unknown>();
  const walk = (at: string, within: unknown) => {
    if (within === null || within === undefined) return;
    if (typeof within !== "object") {
      leaves.set(at, within);
      return;
    }
    for (const [name, part] of Object.entries(within))
      if (!derived.includes(name))
        walk(at === "" ? nameIn(within, name, part) : `${at}/${nameIn(within, name, part)}`, part);
  };
  walk("", value);
  return leaves;
}

/** An entry of a list by its key if the list has it once, otherwise by its number. */
function nameIn(within: object, name: string, part: unknown): string {
  if (!Array.isArray(within)) return name;
  const key = keyOf(part);
  const isOnce = key !== undefined && within.filter((each) => keyOf(each) === key).length === 1;
  return isOnce ? key : name;
}

function keyOf(part: unknown): string | undefined {
  if (typeof part !== "object" || part === null) return undefined;
  const entries = Object.entries(part);
  return keys.flatMap((key) => entries.find(([name]) => name === key)?.[1] ?? []).at(0);
}
