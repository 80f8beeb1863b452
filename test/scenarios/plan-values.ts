import type { TenantClient } from "../support/client.ts";

/** A value in an entity: `customer {"identifier":"ann"} /email`. */
type Location = string;

/** Values by location; none of them is null, a list or an object. */
type Values = ReadonlyMap<Location, unknown>;

/** Differing locations, with their values before and after; null for none. */
export type Differences = [location: Location, before: unknown, after: unknown][];

interface Row {
  entity: string;
  /** Undefined if the API does not expose it. */
  key: object | undefined;
  values: object;
}

interface Variant {
  sku: string;
  productId: string;
  name: string;
  attributes: object[];
  isDefault: boolean;
  externalReference: string | null;
  priceVariants: object[];
  stockLocations: object[];
}

interface Item {
  id: string;
  type: string;
  shapeIdentifier: string;
  externalReference: string | null;
  resourceIdentifier: string | null;
  name: string;
  tree: { parentId: string; path: string; history: string[] };
  components: { componentId: string; content: { text: string } }[];
  vatTypeId: string | null;
  variants: Variant[];
}

interface PriceList {
  identifier: string;
  selectedProductVariants: { type: string; variants: { sku: string; priceVariants: object[] }[] };
}

interface Connection<Node> {
  edges: { node: Node }[];
}

const itemFields = `... on ItemConnection { edges { node {
    id type shapeIdentifier externalReference resourceIdentifier name tree { parentId path history }
    components { componentId content { ... on SingleLineComponentContent { text } } }
    ... on Product { vatTypeId variants { productId sku isDefault name externalReference attributes { attribute value }
      priceVariants { identifier price } stockLocations { identifier stock } } } } } }
  ... on BasicError { error }`;

const query = `{
  drafts: items(language: "en", version: draft) { ${itemFields} }
  published: items(language: "en", version: published) { ${itemFields} }
  customers {
    ... on CustomerConnection { edges { node {
      identifier type email firstName lastName phone addresses { type street city } meta { key value } } } }
    ... on BasicError { error } }
  priceLists {
    ... on PriceListConnection { edges { node {
      identifier name modifierType priceVariants { identifier modifier } startDate
      selectedProductVariants { type variants { sku priceVariants { identifier modifier } } }
      targetAudience { type customerIdentifiers } } } }
    ... on BasicError { error } }
}`;

/** All that GraphQL reads of a tenant's items, variants, customers and price lists, named as in changes. */
export async function readValues(client: TenantClient): Promise<Values> {
  const { drafts, published, customers, priceLists } = await client.graphql<{
    drafts: Connection<Item>;
    published: Connection<Item>;
    customers: Connection<{ identifier: string }>;
    priceLists: Connection<PriceList>;
  }>(query);
  const rows: Row[] = [
    ...nodes(drafts).flatMap(draftRows),
    ...nodes(published).flatMap(publishedRows),
    ...nodes(customers).map(({ identifier, ...values }) => ({
      entity: "customer",
      key: { identifier },
      values,
    })),
    ...nodes(priceLists).flatMap(priceListRows),
  ];
  return new Map(
    rows.flatMap(({ entity, key, values }) => [...leaves(values, `${entity} ${keyText(key)} `)]),
  );
}

const nodes = <Node>({ edges }: Connection<Node>) => edges.map(({ node }) => node);

const keyText = (key: object | undefined) => (key === undefined ? "" : JSON.stringify(key));

const contentOf = ({ name, components }: Item) => ({
  name,
  components: components.map(({ componentId, content }) => ({ componentId, singleLine: content })),
});

function draftRows(item: Item): Row[] {
  const { id, type, shapeIdentifier, externalReference, resourceIdentifier, vatTypeId, tree } = item;
  const { parentId, history } = tree;
  const values = { type, shapeIdentifier, externalReference, resourceIdentifier, vatTypeId, parentId };
  const segment = tree.path.split("/").at(-1);
  return [
    { entity: "item", key: { id }, values },
    {
      entity: "itemContent",
      key: { itemId: id, language: "en", version: "draft" },
      values: { ...contentOf(item), parentId, segment },
    },
    ...history.map((path) => ({
      entity: "itemFormerPath",
      key: { itemId: id, language: "en" },
      values: { path },
    })),
    ...item.variants.map((variant, position) => ({
      entity: "productVariant",
      key: undefined,
      values: { [variant.sku]: { ...copyOf(variant, position), ...factsOf(variant) } },
    })),
  ];
}

const copyOf = (variant: Variant, position: number) => {
  const { sku, productId, isDefault, externalReference, name, attributes } = variant;
  return { sku, productId, isDefault, externalReference, position, contents: { en: { name, attributes } } };
};

const factsOf = ({ priceVariants, stockLocations }: Variant) => ({ priceVariants, stockLocations });

const publishedRows = (item: Item): Row[] => [
  {
    entity: "itemContent",
    key: { itemId: item.id, language: "en", version: "published" },
    values: { ...contentOf(item), variants: item.variants.map(copyOf) },
  },
  ...item.variants.map((variant) => ({
    entity: "publishedVariant",
    key: undefined,
    values: { [variant.sku]: { productId: item.id, languages: ["en"], ...factsOf(variant) } },
  })),
];

function priceListRows({ identifier, selectedProductVariants, ...values }: PriceList): Row[] {
  const { type: selectionType, variants } = selectedProductVariants;
  return [
    { entity: "priceList", key: { identifier }, values: { ...values, selectionType } },
    ...(variants ?? []).map(({ sku, ...own }) => ({
      entity: "priceListVariant",
      key: { priceListIdentifier: identifier, sku },
      values: own,
    })),
  ];
}

/** The plain values in a value, by location. */
function* leaves(value: unknown, location: string): Generator<[Location, unknown]> {
  if (value === null || value === undefined) return;
  if (typeof value !== "object") yield [location, value];
  else for (const [name, member] of Object.entries(value)) yield* leaves(member, `${location}/${name}`);
}

const id = /[0-9a-f]{24}/g;

/**
 * Differences between reads before and after a run. Newer ids are `new`, and a variant has no
 * key: the API shows neither.
 */
export function differencesOf(before: Values, after: Values, newestId: string): Differences {
  const named = <Value>(value: Value): Value =>
    typeof value === "string"
      ? (value.replace(id, (found) => (found > newestId ? "new" : found)) as Value & string)
      : value;
  return [...new Set([...before.keys(), ...after.keys()])]
    .map((location): Differences[number] => [
      named(withoutSku(location)),
      before.get(location) ?? null,
      named(after.get(location) ?? null),
    ])
    .filter(([, earlier, later]) => earlier !== later)
    .toSorted();
}

/** Entities whose key, a variant's id, the API does not expose. */
const withoutKey: ReadonlySet<string> = new Set(["productVariant", "publishedVariant"]);

/** `productVariant  /tea-1/sku` → `productVariant  /sku` */
const withoutSku = (location: Location) =>
  location.replace(/^((?:product|published)Variant {2})\/[^/]+/, "$1");

export interface Changes {
  entities: {
    entity: string;
    key: object;
    action: string;
    values: { pointer: string; before: unknown; after: unknown }[];
  }[];
  more: number;
  isComplete: boolean;
}

/** Values of a published variant's copy that the API does not expose. */
const unread = /\/variants\/\d+\/(?:id|createdAt|updatedAt)$/;

/** Treats the key of a former path as a value, since only values are compared. */
function withPath(change: Changes["entities"][number]): Changes["entities"][number] {
  if (change.entity !== "itemFormerPath") return change;
  const { path, ...key } = change.key as { path?: string };
  const [before, after] = [
    change.action === "created" ? null : path,
    change.action === "deleted" ? null : path,
  ];
  return { ...change, key, values: [{ pointer: "/path", before, after }] };
}

/** The differences shown by a plan's operations in order, plain values only. */
export function differencesIn(operations: readonly (Changes | null)[]): Differences {
  const all = new Map<string, Differences[number]>();
  for (const [at, change] of operations.flatMap((one) => one?.entities ?? []).entries()) {
    const { entity, key, values } = withPath(change);
    for (const { pointer, ...value } of values) {
      const hasKey = !withoutKey.has(entity);
      const location = `${entity} ${keyText(hasKey ? key : undefined)} ${pointer}`;
      const [before, after] = [
        new Map(leaves(value.before, location)),
        new Map(leaves(value.after, location)),
      ];
      for (const leaf of new Set([...before.keys(), ...after.keys()])) {
        // Without a key entities are indistinguishable, so each change stays separate.
        const name = hasKey ? leaf : `${leaf} of ${at}`;
        const [, first] = all.get(name) ?? [leaf, before.get(leaf) ?? null];
        all.set(name, [leaf, first, after.get(leaf) ?? null]);
      }
    }
  }
  return [...all.values()]
    .filter(([location, before, after]) => before !== after && !unread.test(location))
    .toSorted();
}

/** The values that each operation of a task changed, or would change; null where the client may not read them. */
export const valuesIn = async (client: TenantClient, task: string) => {
  const { operationLogs } = await client.graphql<{
    operationLogs: { edges: { node: { changes: { entities: { values: object[] }[] } | null } }[] };
  }>(
    `query ($task: ID!) { operationLogs(filter: { operationId: $task }) { edges { node {
       changes { entities { values { pointer before after } } } } } } }`,
    { task },
  );
  return operationLogs.edges.map(
    ({ node }) => node.changes?.entities.flatMap(({ values }) => values) ?? null,
  );
};
