import { derivedId } from "../../../storage/ids.ts";

/** A natural key, as arguments of the template helper `idOf`. */
export type NaturalKey = readonly [kind: string, by: string, key: string, ...within: string[]];

/** An entity that a dump refers to by id. */
export interface Named {
  /** The template or id in the dump. */
  readonly written: string;
  /** Identifies the entity in any tenant, unless `isBare`. */
  readonly token: string;
  /**
   * True if the entity has no key: `written` is an id that exists only in this tenant, and in tenants created from such
   * a file.
   */
  readonly isBare?: boolean;
}

/** Returns the template that finds an entity by its key; undefined if a template cannot contain the key. */
export function namedBy(key: NaturalKey): Named | undefined {
  const [, , ...texts] = key;
  if (!texts.every((text) => expressible.test(text))) return undefined;
  const quoted = key.map((text) => `"${text.replaceAll('"', '\\"')}"`);
  return { written: `{{ idOf ${quoted.join(" ")} }}`, token: derivedId(...key) };
}

/** Non-empty texts that a template literal can contain. */
const expressible = /^[^\\{}\p{Cc}\p{Cs}]+$/u;
