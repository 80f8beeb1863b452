import type { Intent } from "../intents.ts";
import { isObject } from "../is-object.ts";
import { keysOf } from "../tables.ts";

/** A kind of entity with an identity of its own, which two tenants can share. */
export type EntityKind = keyof typeof nouns;

/** A key that people or other systems use for an entity, independent of its id. */
export interface NaturalKey {
  readonly by: "resourceIdentifier" | "externalReference" | "sku" | "identifier" | "code" | "name";
  readonly value: string;
}

/** The VAT type of new tenants. It has the same id in all of them, even after changes. */
export const initialVatType = { id: "000000000000000000000001", name: "No tax", percent: 0 } as const;

type Fields = Readonly<Record<string, unknown>>;

interface Noun {
  /** The intents without their verbs; if there are several, the last one deletes. */
  readonly intents: readonly IntentNoun[];
  /** The field with its id; absent if its identifier is its id. */
  readonly id?: "id" | "itemId" | "topicId";
  /** Its natural keys; the first one present counts. */
  readonly keys: readonly [NaturalKey["by"], ...NaturalKey["by"][]];
  /** True if its path, the parent and a segment, also identifies it. */
  readonly hasPath?: true;
  /** The kind of dump that contains it. */
  readonly dump: string;
  /** True if its texts may contain personal data, which an anonymised dump replaces. */
  readonly isPersonal?: true;
}

type IntentNoun = Intent extends infer Name
  ? Name extends `${infer Noun}/${"upsert" | "delete"}`
    ? Noun
    : never
  : never;

const resource = ["resourceIdentifier"] as const;
const identifier = ["identifier"] as const;
const setting = { keys: identifier, dump: "settings" } as const;

/** THE table: the identity of each kind of entity. A kind follows those it refers to. */
const nouns = {
  language: { intents: ["language"], keys: ["code"], dump: "settings" },
  vatType: { intents: ["vatType"], id: "id", keys: ["name"], dump: "settings" },
  priceVariant: { intents: ["priceVariant"], ...setting },
  stockLocation: { intents: ["stockLocation"], ...setting },
  market: { intents: ["market"], ...setting },
  subscriptionPlan: { intents: ["subscriptionPlan"], ...setting },
  orderPipeline: { intents: ["orderPipeline"], id: "id", keys: ["name"], dump: "settings" },
  piece: { intents: ["piece"], keys: identifier, dump: "content-model" },
  shape: { intents: ["shape"], keys: identifier, dump: "content-model" },
  topic: { intents: ["topic"], id: "topicId", keys: resource, hasPath: true, dump: "topics" },
  item: {
    intents: ["folder", "document", "product", "item"],
    ...{ id: "itemId", keys: ["resourceIdentifier", "externalReference", "sku"], hasPath: true },
    dump: "items",
  },
  order: { intents: ["order"], id: "id", keys: resource, dump: "orders", isPersonal: true },
  customerGroup: { intents: ["customer/group"], keys: identifier, dump: "customers", isPersonal: true },
  customer: { intents: ["customer"], keys: identifier, dump: "customers", isPersonal: true },
  priceList: { intents: ["pricelist"], keys: identifier, dump: "price-lists", isPersonal: true },
  flow: { intents: ["flow"], keys: identifier, dump: "flows" },
  contract: {
    intents: ["subscription-contract"],
    id: "id",
    keys: resource,
    dump: "contracts",
    isPersonal: true,
  },
} as const satisfies Readonly<Record<string, Noun>>;

type Nouns = typeof nouns;

/** A kind of operations in a dump; paths of items come after all entities. */
export type DumpKind = Nouns[EntityKind]["dump"] | "paths";

/** The kinds of entities in a kind of dump. */
export type KindIn<Dumped extends DumpKind> = {
  [Kind in EntityKind]: Nouns[Kind]["dump"] extends Dumped ? Kind : never;
}[EntityKind];

type KindThat<Row> = { [Kind in EntityKind]: Nouns[Kind] extends Row ? Kind : never }[EntityKind];

/** The kinds of entities that have both ids and natural keys. */
export type KindWithId = KindThat<{ readonly id: string }>;

/** The kinds of entities identified only by an identifier, except settings. */
export type IdentifiedKind = Exclude<KindThat<{ readonly keys: typeof identifier }>, KindIn<"settings">>;

export type PersonalKind = KindThat<{ readonly isPersonal: true }>;

export const entityKinds: readonly EntityKind[] = keysOf(nouns);

/** The kinds of entities identified only by an identifier, except settings. */
export const identifiedKinds = entityKinds.filter(
  (kind): kind is IdentifiedKind => nouns[kind].keys === identifier && nouns[kind].dump !== "settings",
);

/** `customerGroup` → `customer group` */
export const titleOf = (kind: string): string =>
  kind.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** Returns a kind's row of the table. */
export const nounOf = (kind: EntityKind): Noun => nouns[kind];

/** Returns the field that identifies the entity in an update or a deletion. */
export const keyFieldOf = (kind: EntityKind): string => nounOf(kind).id ?? nounOf(kind).keys[0];

export const dumpKindOf = (kind: EntityKind): DumpKind => nouns[kind].dump;

/** The kinds of a dump in order: each follows those it refers to. */
export const dumpKinds: readonly DumpKind[] = [
  ...new Set(entityKinds.map((kind) => nouns[kind].dump)),
  "paths",
];

/** Lists the kinds of entities in some kinds of a dump, in table order. */
export const kindsIn = <Dumped extends DumpKind>(...dumped: readonly Dumped[]): readonly KindIn<Dumped>[] =>
  entityKinds.filter((kind): kind is KindIn<Dumped> => dumped.some((name) => name === nouns[kind].dump));

export const hasId = (kind: EntityKind): kind is KindWithId => nounOf(kind).id !== undefined;

const kindByNoun: ReadonlyMap<string, EntityKind> = new Map(
  entityKinds.flatMap((kind) => nounOf(kind).intents.map((noun) => [noun, kind] as const)),
);

/** Returns the kind of entity an intent writes; undefined for intents that write a part, such as an item's paths. */
export const entityKindOf = (intent: string): EntityKind | undefined =>
  kindByNoun.get(intent.slice(0, intent.lastIndexOf("/")));

/** Returns the id in an operation's payload; undefined if the payload has none, or the kind has no ids. */
export function entityIdOf(intent: string, payload: Fields): string | undefined {
  const kind = entityKindOf(intent);
  const id = kind === undefined ? undefined : nounOf(kind).id;
  return id === undefined ? undefined : textOf(payload[id]);
}

/**
 * Reads the natural keys in the payload of an operation that writes an entity: the first one counts, and the others
 * help to find the entity if the first is missing. Empty if the entity is identified only by its id or path.
 */
export function naturalKeysOf(intent: string, payload: Fields): NaturalKey[] {
  const kind = entityKindOf(intent);
  const keys = kind === undefined ? [] : nounOf(kind).keys;
  return keys.flatMap((by) => {
    const value = by === "sku" ? defaultSkuOf(payload) : textOf(payload[by]);
    return value === undefined ? [] : { by, value };
  });
}

/** Names of fields whose texts identify entities. */
const keyName = /^(?:id|identifier|sku|code|key|reference)s?$|(?:Id|Identifier|Sku|Code|Key|Reference)s?$/;

/**
 * True if a test holds for any text of a payload that identifies an entity, at any depth: an id, SKU, identifier, code,
 * key or reference.
 */
export function someKeyText(value: unknown, test: (text: string) => boolean, isKey = false): boolean {
  if (typeof value === "string") return isKey && test(value);
  if (Array.isArray(value)) return value.some((entry) => someKeyText(entry, test, isKey));
  if (!isObject(value)) return false;
  return Object.keys(value).some(
    (name) => name !== "componentId" && someKeyText(value[name], test, keyName.test(name)),
  );
}

/** A location in a tree: the parent's id, undefined at the root, and the source of the path segment. */
export interface PathLocation {
  readonly parentId: string | undefined;
  /** The path identifier of a topic. */
  readonly segment: string | undefined;
  /** The name from which the segment is derived, if there is no segment. */
  readonly name: string | undefined;
}

/** Reads the location of a topic or item; undefined for entities without a path. */
export function pathLocationOf(intent: string, payload: Fields): PathLocation | undefined {
  const kind = entityKindOf(intent);
  if (kind === undefined || !nounOf(kind).hasPath) return undefined;
  const holder = kind === "item" ? payload.tree : payload;
  return {
    parentId: isObject(holder) ? textOf(holder.parentId) : undefined,
    segment: textOf(payload.pathIdentifier),
    name: textOf(payload.name),
  };
}

function defaultSkuOf({ variants }: Fields): string | undefined {
  if (!Array.isArray(variants)) return undefined;
  const listed = variants.filter(isObject);
  const chosen = listed.find(({ isDefault }) => isDefault === true) ?? listed[0];
  return textOf(chosen?.sku);
}

const textOf = (value: unknown): string | undefined =>
  typeof value === "string" && value !== "" ? value : undefined;
