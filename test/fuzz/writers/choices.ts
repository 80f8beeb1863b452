import type { Random } from "../../support/random.ts";
import { type Call, callOf, type Operation } from "./calls.ts";
import type { Effect } from "./model.ts";

/** Something that a writer does: an operation, which a task may have too, or a call of the API alone. */
export type Choice = { effect?: Effect } & ({ operation: Operation } | { call: Call });

export interface Tree {
  root: string;
  topics: readonly string[];
  moved: readonly string[];
}

const en = { language: "en" };

/** The nth id of a kind: of items that are made with ids of their own. */
const idOf = (kind: "d" | "f" | "a" | "b" | "c", n: number): string =>
  `${kind}${String(n).padStart(23, "0")}`;

const [documents, folders, products, flows] = [3, 6, 2, 2];

export function beginnings(root: string): Operation[] {
  const at = { language: "en", tree: { parentId: root } };
  const variant = (sku: string) => ({
    sku,
    name: sku,
    stockLocations: [{ identifier: "default", stock: 0 }],
  });
  const product = (itemId: string, variants: object[]): Operation => ({
    ...{ intent: "product/upsert", itemId, name: itemId, shapeIdentifier: "product", variants },
    ...at,
  });
  const stage = (identifier: string) => ({ identifier, name: identifier });
  const many = (count: number, of: (n: number) => Operation) =>
    Array.from({ length: count }, (_, n) => of(n));
  return [
    { intent: "shape/upsert", identifier: "product", type: "product", name: "P" },
    { intent: "shape/upsert", identifier: "document", type: "document", name: "D" },
    { intent: "shape/upsert", identifier: "other", type: "document", name: "O" },
    { intent: "shape/upsert", identifier: "folder", type: "folder", name: "F" },
    ...many(3, (n) => ({ intent: "piece/upsert", identifier: `piece-${n}`, name: "Piece", components: [] })),
    ...many(documents, (n) => ({
      ...{ intent: "document/upsert", itemId: idOf("d", n), name: `D ${n}`, ...at },
      shapeIdentifier: n === 0 ? "other" : "document",
    })),
    ...many(folders, (n) => ({
      ...{ intent: "folder/upsert", itemId: idOf("f", n), name: `F ${n}`, shapeIdentifier: "folder" },
      ...at,
    })),
    ...many(products, (n) => product(idOf("a", n), [variant(`list-${n}-a`), variant(`list-${n}-b`)])),
    ...many(3, (n) => product(idOf("b", n), [variant(`stock-${n}`)])),
    product(idOf("c", 0), [variant("grow")]),
    product(idOf("c", 1), [variant("setting")]),
    ...many(flows, (n) => ({
      ...{ intent: "flow/upsert", identifier: `flow-${n}`, name: "Flow", type: "item" },
      stages: [stage(`flow-${n}-first`)],
    })),
    {
      ...{ intent: "flow/upsert", identifier: "narrow", name: "Flow", type: "item" },
      stages: [stage("narrow-in")],
    },
    priceList(["stock-0"]),
  ];
}

/** The id of a VAT type that comes and goes, and a product with it. */
export const vatType: string = "c".repeat(24);
const taxed = (parentId: string): Operation => ({
  ...{ intent: "product/upsert", itemId: idOf("c", 2), name: "Taxed", shapeIdentifier: "product" },
  ...{ variants: [{ sku: "taxed", name: "T" }], vatTypeId: vatType, tree: { parentId }, ...en },
});

const priceList = (skus: readonly string[]): Operation => ({
  ...{ intent: "pricelist/upsert", identifier: "list", name: "List", modifierType: "PERCENTAGE" },
  priceVariants: [{ identifier: "default", modifier: 1 }],
  selectedProductVariants: { type: "SOME_SKUS", variants: skus.map((sku) => ({ sku })) },
  targetAudience: { type: "EVERYONE" },
});

/** Some of the values, in a random order; at least one. */
function some<Value>(random: Random, values: readonly Value[]): Value[] {
  const left = [...values];
  const chosen: Value[] = [];
  for (let n = 1 + random.below(values.length); n > 0; n--)
    chosen.push(...left.splice(random.below(left.length), 1));
  return chosen;
}

const list = (operation: Operation, name: string, members: readonly string[]): Choice => ({
  operation,
  effect: { kind: "list", name, members },
});

type Maker = (random: Random, tree: Tree, unique: string) => Choice;

/** Makers of choices, each as likely as the others; `unique` is a text that no other choice has. */
const makers: readonly Maker[] = [
  (random) => {
    const sku = `stock-${random.below(3)}`;
    const quantity = 1 + random.below(5);
    const operation = random.chance(0.7) ? "increase" : "decrease";
    const change = operation === "increase" ? quantity : -quantity;
    const intent = "product/variant/stock/modify";
    return {
      operation: { intent, sku, stockLocationIdentifier: "default", operation, quantity },
      effect: { kind: "stock", sku, change },
    };
  },
  (random, { topics }) => {
    const itemId = idOf("d", random.below(documents));
    const topicIds = some(random, topics);
    return list({ intent: "document/update", itemId, topicIds, ...en }, `topics ${itemId}`, topicIds);
  },
  (random, _, unique) => {
    const itemId = idOf("d", random.below(documents));
    const paths = Array.from({ length: 1 + random.below(3) }, (__, n) => `/alias-${unique}-${n}`);
    return list({ intent: "item/paths/setAliases", itemId, paths, ...en }, `aliases ${itemId}`, paths);
  },
  (random, _, unique) => {
    const n = random.below(products);
    const skus = some(random, [`list-${n}-a`, `list-${n}-b`, `list-${unique}`]);
    const variants = skus.map((sku) => ({ sku, name: sku, externalReference: unique }));
    const members = skus.map((sku) => `${sku}:${unique}`);
    const itemId = idOf("a", n);
    return list({ intent: "product/update", itemId, variants, ...en }, `variants ${itemId}`, members);
  },
  (random, _, unique) => {
    const identifier = `flow-${random.below(flows)}`;
    const names = some(random, [`${identifier}-first`, `${identifier}-second`, `stage-${unique}`]);
    const stages = names.map((stage) => ({ identifier: stage, name: unique }));
    return list({ intent: "flow/update", identifier, stages }, `stages ${identifier}`, names);
  },
  (random) => {
    const skus = some(random, ["stock-0", "stock-1", "stock-2", "setting"]);
    return list(priceList(skus), "selection list", skus.toSorted());
  },
  (random) => {
    const itemId = idOf("d", random.below(documents));
    const parents = some(
      random,
      [0, 1, 2, 3].map((n) => idOf("f", n)),
    );
    const shortcuts = parents.map((parentId) => ({ parentId, position: random.below(4) }));
    return list(
      { intent: "item/paths/setShortcuts", itemId, shortcuts },
      `shortcuts ${itemId}`,
      parents.toSorted(),
    );
  },
  (random, _, unique) => {
    const itemId = idOf("d", random.below(documents));
    const path = `/old-${unique}`;
    return {
      operation: { intent: "item/paths/addHistory", itemId, paths: [path], ...en },
      effect: { kind: "member", name: `history ${itemId}`, member: path },
    };
  },
  (random, _, unique) => {
    const variant = {
      productId: idOf("c", 0),
      sku: `grow-${unique}`,
      name: unique,
      isDefault: random.chance(0.3),
    };
    return {
      operation: { intent: "product/variant/create", ...variant, ...en },
      effect: { kind: "member", name: `variants ${idOf("c", 0)}`, member: variant.sku },
    };
  },
  (random, { root }) => {
    const name = `key-${random.below(40)}`;
    const tree = { parentId: root, position: random.below(5) };
    const document = { name, resourceIdentifier: name, shapeIdentifier: "document", tree };
    return {
      operation: { intent: "document/create", ...document, ...en },
      effect: { kind: "key", name },
    };
  },
  (random, { root }) => {
    const itemId = idOf("f", random.below(folders));
    const parentId = random.chance(0.3) ? root : idOf("f", random.below(folders));
    const tree = { parentId, ...(random.chance(0.5) && { position: random.below(6) }) };
    return { operation: { intent: "folder/update", itemId, tree, ...en } };
  },
  (random, { moved }) => {
    const [topicId, parentId] = [random.pick(moved), random.chance(0.3) ? null : random.pick(moved)];
    return { operation: { intent: "topic/update", topicId, parentId, ...en } };
  },
  // Folders and documents that come and go, under each other and in a language that comes and goes.
  (random, { root }) => {
    const [folder, document] = [idOf("f", 100 + random.below(3)), idOf("d", 100 + random.below(3))];
    const made = (itemId: string, shapeIdentifier: string, parentId: string) => ({
      ...{ itemId, shapeIdentifier, name: itemId, tree: { parentId } },
    });
    return random.pick<() => Choice>([
      () => ({ operation: { intent: "folder/upsert", ...made(folder, "folder", root), ...en } }),
      () => ({ operation: { intent: "document/upsert", ...made(document, "document", folder), ...en } }),
      () => ({
        operation: { intent: "document/upsert", ...made(document, "document", root), language: "xx" },
      }),
      () => ({ operation: { intent: "item/delete", itemId: folder } }),
      () => ({ operation: { intent: "item/delete", itemId: document } }),
    ])();
  },
  // What names settings, and names them no more.
  (random, { root }) => {
    const sku = "setting";
    const update: Operation = { intent: "product/variant/update", sku, ...en };
    const at = { stockLocationIdentifier: "loc", operation: "increase", quantity: 1 };
    return random.pick<() => Choice>([
      () => ({ operation: { intent: "product/variant/stock/modify", sku, ...at } }),
      () => ({ operation: { ...update, stockLocations: [] } }),
      () => ({ operation: { ...update, priceVariants: [{ identifier: "pv", price: random.below(100) }] } }),
      () => ({ operation: { ...update, priceVariants: [] } }),
      () => ({ operation: taxed(root) }),
      () => ({ operation: { intent: "item/delete", itemId: idOf("c", 2) } }),
    ])();
  },
  (random) => ({
    call: random.pick<() => Call>([
      () => callOf("createLanguage", { input: { code: "xx", name: "X" } }),
      () => callOf("deleteLanguage", { code: "xx" }),
      () => callOf("createStockLocation", { input: { identifier: "loc", name: "L" } }),
      () => callOf("deleteStockLocation", { identifier: "loc" }),
      () => callOf("createPriceVariant", { input: { identifier: "pv", name: "P", currency: "EUR" } }),
      () => callOf("deletePriceVariant", { identifier: "pv" }),
      () => callOf("createVatType", { input: { id: vatType, name: "V", percent: 10 } }),
      () => callOf("deleteVatType", { id: vatType }),
    ])(),
  }),
  (random) => {
    const [identifier, used] = [`piece-${random.below(3)}`, `piece-${random.below(3)}`];
    const component = { id: "used", name: "U", type: "piece", config: { piece: { identifier: used } } };
    const components = random.chance(0.3) ? [] : [component];
    return { operation: { intent: "piece/update", identifier, name: "Piece", components } };
  },
  (random) => {
    const accepted = random.pick([["document"], ["other"], ["document", "other"]]);
    const items = [{ id: idOf("d", random.below(documents)) }];
    return random.chance(0.5)
      ? {
          operation: {
            ...{ intent: "flow/update", identifier: "narrow" },
            restrictions: { item: { acceptedShapeIdentifiers: accepted } },
          },
        }
      : { operation: { intent: "item/flow/stage/addItems", stageIdentifier: "narrow-in", items } };
  },
];

export const choose = (random: Random, tree: Tree, unique: string): Choice =>
  random.pick(makers)(random, tree, unique);
