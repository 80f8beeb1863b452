import { derivedId } from "../../../storage/ids.ts";

/** A natural key as the template helper `idOf` takes it. */
export type NaturalKey = readonly [kind: string, by: string, key: string, ...within: string[]];

/** Something that a dump names by an id. */
export interface Named {
  /** The template, or the id, that a dump writes for it. */
  readonly written: string;
  /** The same for the same thing in any tenant, unless `isBare`. */
  readonly token: string;
  /** True if it has no key: `written` is an id that only tenants made from such a file have, or this one. */
  readonly isBare?: boolean;
}

/** Returns the template that finds a thing by a key; undefined where a template cannot have the text of the key. */
export function namedBy(key: NaturalKey): Named | undefined {
  const [, , ...texts] = key;
  if (!texts.every((text) => expressible.test(text))) return undefined;
  const quoted = key.map((text) => `"${text.replaceAll('"', '\\"')}"`);
  return { written: `{{ idOf ${quoted.join(" ")} }}`, token: derivedId(...key) };
}

/** Texts that a literal of a template can have, and that are not empty. */
const expressible = /^[^\\{}\p{Cc}\p{Cs}]+$/u;
