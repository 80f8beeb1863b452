import {
  dumpKindOf,
  entityIdOf,
  entityKindOf,
  initialVatType,
  isObject,
  naturalKeysOf,
  partLimits,
} from "@lading/schema/internal";
import { type Differences, wordsOf } from "./changes.ts";
import type { Comparison } from "./comparison.ts";
import { operation, same } from "./fields.ts";
import { noteId, noteOwnId, type SettingIds } from "./ids.ts";
import type { IndexedDump, Operation } from "./indexed-dump.ts";
import { otherIds } from "./key-table.ts";
import { type PartKey, partKeys } from "./part-uses.ts";

/** A setting of `to`, and its match in `from`. */
interface Setting {
  readonly to: Operation;
  readonly from: Operation | undefined;
}

/** The settings of both tenants, and the ids that differ in `from`. */
export interface MatchedSettings {
  readonly settings: readonly Setting[];
  readonly ids: SettingIds;
}

/** The lists of parts in settings, and how operations refer to them. */
const partLists = { periods: "planPart", meteredVariables: "planPart", stages: "pipelineStage" } as const;
const partNames = Object.keys(partLists) as (keyof typeof partLists)[];

type Entry = Readonly<Record<string, unknown>>;

const entries = (setting: Operation, list: string) => (setting[list] ?? []) as Entry[];

/** A way to match settings or parts: by equal keys, unless `isSame` disagrees. */
interface Way<Each> {
  readonly key: (each: Each) => unknown;
  readonly isSame?: (a: Each, b: Each) => boolean;
}

const settingWays: readonly Way<Operation>[] = [
  { key: ({ intent, id }) => (id === undefined || id === initialVatType.id ? undefined : `${intent} ${id}`) },
  { key: (setting) => `${setting.intent} ${nameOf(setting)}` },
  // The id of the first VAT type only counts while a tenant has left it unchanged: both may have repurposed it.
  {
    key: ({ id }) => (id === initialVatType.id ? id : undefined),
    isSame: (a, b) => isUnchanged(a) || isUnchanged(b),
  },
];

const partWays: readonly Way<Entry>[] = [
  { key: ({ id }) => id },
  { key: ({ name, identifier }) => identifier ?? name },
];

const isUnchanged = ({ name, percent }: Operation) =>
  name === initialVatType.name && percent === initialVatType.percent;

const nameOf = (setting: Operation) => naturalKeysOf(setting.intent, setting)[0]?.value ?? "";

/** Matches entries by one way after another; each entry matches at most one other. */
function matched<Each>(
  to: readonly Each[],
  from: readonly Each[],
  ways: readonly Way<Each>[],
): Map<Each, Each> {
  const free = new Set(from);
  const found = new Map<Each, Each>();
  for (const { key, isSame } of ways) {
    const known = Map.groupBy(free, key);
    for (const each of to) {
      const own = found.has(each) ? undefined : key(each);
      const others = own === undefined ? [] : (known.get(own) ?? []);
      const other = others[0];
      if (other === undefined || isSame?.(each, other) === false) continue;
      others.shift();
      free.delete(other);
      found.set(each, other);
    }
  }
  return found;
}

/** Matches settings by id, then by identifier or name, and their periods, variables and stages likewise. */
export function matchSettings(from: IndexedDump, to: IndexedDump): MatchedSettings {
  const ids: SettingIds = new Map();
  const found = matched(to.settings, from.settings, settingWays);
  const parts = to.settings.flatMap((setting) =>
    partNames.flatMap((list) => entries(setting, list).map(({ id }) => `${partLists[list]} ${id}`)),
  );
  // Settings may share ids of parts; then each keeps its own.
  const counts = Map.groupBy(parts, (name) => name);
  for (const [setting, other] of found) {
    noteOwnId(ids, setting, other);
    for (const list of partNames)
      for (const [part, same] of matched(entries(setting, list), entries(other, list), partWays))
        if (counts.get(`${partLists[list]} ${part.id}`)!.length === 1)
          noteId(ids, partLists[list], part, same);
  }
  const taken = new Set(from.settings.map(({ id }) => id));
  for (const setting of to.settings) if (!found.has(setting)) keepApart(ids, setting, taken);
  return { settings: to.settings.map((setting) => ({ to: setting, from: found.get(setting) })), ids };
}

/** Gives a new setting another id if its own is taken by a different setting. */
function keepApart(ids: SettingIds, setting: Operation, taken: ReadonlySet<unknown>): void {
  const id = entityIdOf(setting.intent, setting);
  if (id !== undefined && taken.has(id))
    noteOwnId(ids, setting, { id: otherIds(id).find((next) => !taken.has(next)) });
}

/**
 * Writes the differences in settings. From the first difference in order, all entries of a list with a default are
 * written. Parts that exist only in `from` are kept while others may refer to them: periods and variables until the
 * end, if nothing else can use them then; stages for good, because a dump doesn't have the stages of orders.
 */
export function* settingDifferences(
  comparison: Pick<Comparison, "from" | "translate" | "changes" | "last" | "isCompared">,
  { settings }: MatchedSettings,
  isAllLike: boolean,
): Differences {
  const { from, translate, changes, last } = comparison;
  const isUsed = usesIn(comparison);
  const intents = [...new Set(settings.map(({ to }) => to.intent))];
  for (const intent of intents) {
    const own = settings.filter((setting) => setting.to.intent === intent);
    const stored = from.settings.filter((setting) => setting.intent === intent);
    const inPlace = "position" in own[0]!.to ? startInOrder(own, stored) : own.length;
    for (const [i, { to, from: before }] of own.entries()) {
      const [wanted, fieldsBefore] = [fieldsOf(translate(to)), fieldsOf(before ?? { intent })];
      const fields = withKeptParts(isUsed, wanted, fieldsBefore);
      if (fields !== wanted && isAllLike && "periods" in wanted)
        last.push(operation(intent, { ...emptied(fieldsBefore, wanted), ...wanted }));
      else if (fields !== wanted) changes.remains(keptParts, `${nounOf(intent)} ${nameOf(to)}`);
      const isSame = before !== undefined && same(fields, fieldsBefore);
      if (isSame && i < inPlace) continue;
      changes.note(
        "setting",
        before === undefined ? "created" : "updated",
        `${nounOf(intent)} ${nameOf(to)}`,
      );
      yield operation(intent, {
        ...emptied(fieldsBefore, fields),
        ...fields,
        ...(i >= inPlace && { position: to.position }),
      });
    }
  }
  const matched = new Set(settings.map(({ from: same }) => same));
  for (const setting of from.settings)
    if (!matched.has(setting))
      changes.remains(
        "settings that only the first tenant has; `lading tenant settings remove` removes one",
        `${nounOf(setting.intent)} ${nameOf(setting)}`,
      );
}

const keptParts = "settings with additional periods, variables or stages, which may be in use";

/** A setting with the stored setting's additional parts, up to the limit. Returns the same object if there are none. */
function withKeptParts(isUsed: IsUsed, wanted: Operation, before: Operation): Operation {
  const kept = partNames.flatMap((list) => {
    const own = entries(wanted, list);
    const isUsedByKey = (part: Entry, key: PartKey) => isUsed(list, key, before.identifier, part[key]);
    const more = additionalParts(isUsedByKey, own, entries(before, list), partLimits[list] - own.length);
    return more.length === 0 ? [] : [[list, [...own, ...more]]];
  });
  return kept.length === 0 ? wanted : { ...wanted, ...Object.fromEntries(kept) };
}

type IsUsed = (list: keyof typeof partLists, key: PartKey, setting: unknown, value: unknown) => boolean;

/** Makes the test whether a part is in use: named in `from`, or possibly by entities that it lacks. */
function usesIn({ from, isCompared }: Pick<Comparison, "from" | "isCompared">): IsUsed {
  const isMissing = (kind: "item" | "contract") =>
    from.records[kind].length === 0 && !isCompared(dumpKindOf(kind));
  return (list, key, setting, value) =>
    (key === "id" && isMissing("item")) ||
    ((key === "identifier" || list === "periods") && isMissing("contract")) ||
    from.partUses.has(setting, key, value);
}

/**
 * The stored parts that `own` lacks, those used by products or contracts first. A metered variable that loses only its
 * id or only its identifier is kept if it is used by that one; the other one is replaced, because `own` has it. Uses of
 * stages are unknown, because dumps lack them.
 */
function additionalParts(
  isUsed: (part: Entry, key: PartKey) => boolean,
  own: readonly Entry[],
  stored: readonly Entry[],
  room: number,
): Entry[] {
  const lost = stored.flatMap((part) => {
    const keys = partKeys.filter((key) => key in part);
    const lostKeys = keys.filter((key) => own.every((entry) => entry[key] !== part[key]));
    const sharedKeys = keys.filter((key) => !lostKeys.includes(key));
    const isNeeded = lostKeys.some((key) => isUsed(part, key));
    const isKept = isNeeded || (lostKeys.length > 0 && sharedKeys.length === 0);
    return isKept ? [{ part, sharedKeys, isNeeded }] : [];
  });
  const taken = new Set([...own, ...stored].flatMap(({ id, identifier }) => [id, identifier]));
  const kept = new Set(lost.toSorted((a, b) => Number(b.isNeeded) - Number(a.isNeeded)).slice(0, room));
  return lost
    .filter((each) => kept.has(each))
    .map(({ part, sharedKeys }) => {
      const other: Record<string, unknown> = { ...part };
      for (const key of sharedKeys) {
        other[key] = otherIds(String(part[key])).find((next) => !taken.has(next));
        taken.add(other[key]);
      }
      return other;
    });
}

/** The number of leading entries of `to` that are in the stored order. */
function startInOrder(own: readonly Setting[], stored: readonly Operation[]): number {
  const first = own.findIndex(({ from }, i) => from === undefined || from !== stored[i]);
  return first === -1 ? own.length : first;
}

/** The fields of a setting; empty stock rules count as absent. */
function fieldsOf({ position: _, ...fields }: Operation): Operation {
  const { settings, ...others } = fields;
  return isObject(settings) && Object.keys(settings).length === 0 ? others : fields;
}

/** Values that clear the fields which only `before` has. */
const emptied = (before: Entry, after: Entry): Entry =>
  Object.fromEntries(
    Object.keys(before)
      .filter((name) => !(name in after))
      .map((name) => [name, name === "settings" ? {} : null]),
  );

const nounOf = (intent: string): string => wordsOf(entityKindOf(intent) ?? intent).replace("vat", "VAT");

/**
 * Lifts the rules of stock locations while items with older stock are written, as a dump does. If settings are not
 * compared, the rules of `from` stay, which the stock of `to` may violate.
 */
export class StockRules {
  readonly #locations: readonly Operation[];
  #areLifted = false;

  constructor({ from, to, isCompared }: Comparison) {
    const [before, after] = [locationsIn(from.settings), locationsIn(to.settings)];
    const settled = isCompared("settings") ? new Map([...before, ...after]) : before;
    const isLifted = (identifier: string) =>
      from.lifted.has(identifier) ||
      to.lifted.has(identifier) ||
      !same(before.get(identifier)?.settings, after.get(identifier)?.settings);
    this.#locations = [...settled].filter(([identifier]) => isLifted(identifier)).map(([, each]) => each);
  }

  /** Yields the operations, with those that lift the rules before the first that writes variants. */
  *around(operations: Iterable<Operation>): Differences {
    for (const each of operations) {
      if (!this.#areLifted && ("variants" in each || "stockLocations" in each)) {
        this.#areLifted = true;
        for (const location of this.#locations) yield withRule(location, { unlimited: true });
      }
      yield each;
    }
  }

  /** Restores the lifted rules. */
  *restored(): Differences {
    if (this.#areLifted) for (const location of this.#locations) yield withRule(location, {});
  }
}

const locationsIn = (settings: readonly Operation[]) =>
  new Map(
    settings
      .filter(({ intent }) => intent === "stockLocation/upsert")
      .map((setting) => [String(setting.identifier), setting]),
  );

function withRule({ intent, position: _, settings, ...fields }: Operation, rule: object): Operation {
  return operation(intent, { ...fields, settings: { ...(isObject(settings) && settings), ...rule } });
}
