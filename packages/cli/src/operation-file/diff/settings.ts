import { entityIdOf, entityKindOf, initialVatType, naturalKeysOf } from "@lading/schema";
import type { Changes, Differences } from "./changes.ts";
import { operation, same } from "./fields.ts";
import { otherId } from "./ids.ts";
import type { IndexedDump } from "./read-dump.ts";
import type { Operation } from "./records.ts";

/** A setting of `to`, and the one of `from` that it is the same as. */
interface Setting {
  readonly to: Operation;
  readonly from: Operation | undefined;
}

/** The settings of both tenants, and the ids in `to` of those that `from` has with other ids. */
export interface MatchedSettings {
  readonly settings: readonly Setting[];
  readonly ids: ReadonlyMap<string, string>;
}

/**
 * Matches settings by id, then by identifier or name; their periods, variables and stages likewise. The id of the
 * first VAT type counts last, and only where a tenant has left that as it was.
 */
export function matchSettings(from: IndexedDump, to: IndexedDump): MatchedSettings {
  const ids = new Map<string, string>();
  const free = new Set(from.settings);
  const found = new Map<Operation, Operation>();
  for (const isSame of [hasSameId, sameKey, isInitial])
    for (const setting of to.settings) {
      if (found.has(setting)) continue;
      const other = [...free].find((each) => each.intent === setting.intent && isSame(setting, each));
      if (other === undefined) continue;
      free.delete(other);
      found.set(setting, other);
    }
  for (const [setting, other] of found) {
    noteId(ids, setting, other);
    for (const list of ["periods", "meteredVariables", "stages"])
      matchEntries(ids, entries(setting, list), entries(other, list));
  }
  for (const setting of to.settings) if (!found.has(setting)) keepApart(ids, setting, from.settings);
  return { settings: to.settings.map((setting) => ({ to: setting, from: found.get(setting) })), ids };
}

const hasSameId = (a: Operation, b: Operation) => {
  const id = entityIdOf(a.intent, a);
  return id !== undefined && id !== initialVatType.id && id === entityIdOf(b.intent, b);
};

/** True for the first VAT types of both tenants, unless both were changed: each may be another one then. */
const isInitial = (a: Operation, b: Operation) =>
  a.id === initialVatType.id && b.id === a.id && [a, b].some(isUnchanged);

const isUnchanged = ({ name, percent }: Operation) =>
  name === initialVatType.name && percent === initialVatType.percent;

const sameKey = (a: Operation, b: Operation) => nameOf(a) === nameOf(b);

const nameOf = (setting: Operation) => naturalKeysOf(setting.intent, setting)[0]?.value ?? "";

type Entry = Readonly<Record<string, unknown>>;

const entries = (setting: Operation, list: string) => (setting[list] ?? []) as Entry[];

function matchEntries(ids: Map<string, string>, to: readonly Entry[], from: readonly Entry[]): void {
  for (const entry of to) {
    const found =
      from.find(({ id }) => id === entry.id) ??
      from.find(({ name, identifier }) => (identifier ?? name) === (entry.identifier ?? entry.name));
    if (found !== undefined) noteId(ids, entry, found);
  }
}

/** Gives a new setting another id where a setting that is not the same has its own. */
function keepApart(ids: Map<string, string>, setting: Operation, others: readonly Operation[]): void {
  const id = entityIdOf(setting.intent, setting);
  const isTaken = (next: string) => others.some((other) => other.id === next);
  if (id !== undefined && isTaken(id)) ids.set(id, otherId(id, isTaken));
}

function noteId(ids: Map<string, string>, to: Entry, from: Entry): void {
  if (typeof to.id === "string" && typeof from.id === "string" && to.id !== from.id) ids.set(to.id, from.id);
}

/** Writes what differs in the settings. A list with a default is written as a whole where its order differs. */
export function* settingDifferences(
  from: IndexedDump,
  { settings }: MatchedSettings,
  translate: (operation: Operation) => Operation,
  changes: Changes,
): Differences {
  const intents = [...new Set(settings.map(({ to }) => to.intent))];
  for (const intent of intents) {
    const own = settings.filter((setting) => setting.to.intent === intent);
    const stored = from.settings.filter((setting) => setting.intent === intent);
    const isOrdered = !("isDefault" in own[0]!.to) || keepsOrder(own, stored);
    for (const { to, from: before } of own) {
      const { isDefault: _, ...fields } = translate(to);
      const { isDefault: __, ...fieldsBefore } = before ?? { intent };
      const isSame = before !== undefined && same(fields, fieldsBefore);
      if (isSame && isOrdered) continue;
      changes.note(
        "setting",
        before === undefined ? "created" : "updated",
        `${nounOf(intent)} ${nameOf(to)}`,
      );
      yield operation(intent, {
        ...emptied(fieldsBefore, fields),
        ...fields,
        ...(!isOrdered && { isDefault: true }),
      });
    }
  }
  for (const setting of from.settings)
    if (!settings.some(({ from: matched }) => matched === setting))
      changes.remains(
        "settings that only the tenant to change has: `lading tenant settings remove`",
        `${nounOf(setting.intent)} ${nameOf(setting)}`,
      );
}

/** Dumps have such a list backwards: its first entry comes last. True if those of `to` come first, in their order. */
function keepsOrder(own: readonly Setting[], stored: readonly Operation[]): boolean {
  const first = stored.slice(stored.length - own.length);
  return own.length <= stored.length && own.every(({ from }, i) => from === first[i]);
}

const emptied = (before: Entry, after: Entry): Entry =>
  Object.fromEntries(
    Object.keys(before)
      .filter((name) => !(name in after))
      .map((name) => [name, null]),
  );

const nounOf = (intent: string): string =>
  (entityKindOf(intent) ?? intent)
    .replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replace("vat", "VAT");
