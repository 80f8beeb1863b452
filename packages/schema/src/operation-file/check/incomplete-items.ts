import type { ComponentDefinition } from "../../components/component.ts";
import { hasTemplate } from "../../templates/is-template.ts";
import type { ItemName } from "./known-items.ts";

/** Maximum item names remembered. With one more, all are forgotten, which only costs a warning. */
const most = 10_000;

/** An operation that omits a required component of an item in one language. */
export interface Incomplete {
  readonly index: number;
  readonly missing: ComponentDefinition;
}

/** The items whose content the file has left incomplete, by language and name. */
export interface IncompleteItems {
  readonly byName: Map<string, Incomplete & { readonly keys: readonly string[] }>;
  /** False if one of the items may have further names. */
  distinct: boolean;
}

interface Writing {
  readonly language: string;
  readonly names: readonly ItemName[];
  /** True if the item can have no other names. */
  readonly distinct: boolean;
}

export const incompleteItems = (): IncompleteItems => ({ byName: new Map(), distinct: true });

const keyOf = (language: string, name: ItemName) => `${typeof name} ${language} ${name}`;

/** Forgets an item in this language, or all items if it may be any of them. */
export function forgetIncomplete(items: IncompleteItems, { language, names, distinct }: Writing): void {
  if (!distinct || !items.distinct || hasTemplate(language)) items.byName.clear();
  else if (items.byName.size > 0)
    for (const name of names)
      for (const key of items.byName.get(keyOf(language, name))?.keys ?? []) items.byName.delete(key);
  items.distinct = distinct;
}

export function noteIncomplete(
  items: IncompleteItems,
  { language, names }: Writing,
  found: Incomplete,
): void {
  if (hasTemplate(language)) return;
  if (items.byName.size + names.length > most) items.byName.clear();
  const keys = names.map((name) => keyOf(language, name));
  for (const key of keys) items.byName.set(key, { ...found, keys });
}

/** The operation that left an item incomplete in a language. */
export const findIncomplete = (
  items: IncompleteItems,
  language: string,
  name: ItemName,
): Incomplete | undefined => items.byName.get(keyOf(language, name));
