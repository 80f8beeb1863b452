import { isIntent, payloads } from "@lading/schema";
import type { Operation } from "./indexed-dump.ts";

/** An update's rule for one field. */
interface Rule {
  readonly required: boolean;
  /** The value that clears it; undefined if no operation can. */
  readonly empty: null | readonly never[] | undefined;
}

interface Schema {
  safeParse(value: unknown): { readonly success: boolean };
}

const rules = new Map<string, ReadonlyMap<string, Rule>>();

function rulesOf(intent: string): ReadonlyMap<string, Rule> {
  const known = rules.get(intent);
  if (known !== undefined) return known;
  if (!isIntent(intent)) throw new Error(`there is no intent ${intent}`);
  const found = new Map<string, Rule>();
  for (const [name, schema] of Object.entries<Schema>(payloads[intent].shape)) {
    const accepts = (value: unknown) => schema.safeParse(value).success;
    const empty = accepts(null) ? null : accepts([]) ? [] : undefined;
    found.set(name, { required: !accepts(undefined), empty });
  }
  rules.set(intent, found);
  return found;
}

type Fields = Readonly<Record<string, unknown>>;

/** True if two values of dumps, whose keys are sorted, are equal. Images are equal if their content is. */
export const same = (a: unknown, b: unknown): boolean =>
  a === b || comparable(JSON.stringify(a) ?? "") === comparable(JSON.stringify(b) ?? "");

/**
 * JSON text with URLs and paths of images replaced by the image's digest, or the part of it in the key, so that it is
 * the same for all tenants.
 */
export const comparable = (text: string): string =>
  text.includes("{{ upload ")
    ? text
        .replace(/\{\{ upload \\"[^"]*" sha256=\\"([0-9a-f]{32})[0-9a-f]{32}\\" \}\}/g, "{{ $1 }}")
        .replace(/\{\{ upload \\"[^"]*\/([0-9a-f]{32})\/[^"/]*" \}\}/g, "{{ $1 }}")
    : text;

/**
 * Compares the fields of an entity in both tenants. Returns the fields of an update, including required ones, and the
 * names of differing fields that no update can change. `fixed` lists fields that an update accepts but never changes.
 */
export function fieldChanges(
  intent: string,
  from: Fields,
  to: Fields,
  fixed: readonly string[] = [],
): { readonly fields: Fields | undefined; readonly fixed: readonly string[] } {
  const rules = rulesOf(intent);
  const changed: Record<string, unknown> = {};
  const left: string[] = [];
  for (const name of new Set([...Object.keys(from), ...Object.keys(to)])) {
    if (name === "intent" || same(from[name], to[name])) continue;
    const rule = rules.get(name);
    const value = to[name] === undefined ? rule?.empty : to[name];
    if (rule === undefined || value === undefined || fixed.includes(name)) left.push(name);
    else changed[name] = value;
  }
  if (Object.keys(changed).length === 0) return { fields: undefined, fixed: left };
  for (const [name, { required }] of rules)
    if (required && to[name] !== undefined) changed[name] ??= to[name];
  return { fields: changed, fixed: left };
}

/** Makes an operation with sorted fields, as in a dump. */
export function operation(intent: string, fields: Fields): Operation {
  const entries = Object.entries({ ...fields, intent }).filter(([, value]) => value !== undefined);
  // The intent is among the entries.
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1))) as unknown as Operation;
}
