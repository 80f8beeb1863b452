/** The id of an item, as a template. */
const item = (identifier: string) => `{{ valueOf (fetchItemByResourceIdentifier "${identifier}") "id" }}`;
const topic = (identifier: string) => `{{ valueOf (fetchTopicByResourceIdentifier "${identifier}") "id" }}`;

const under = (parentId: string) => ({ tree: { parentId } });
const folder = (identifier: string, more: object = {}) => ({
  ...{ intent: "folder/upsert", resourceIdentifier: identifier, name: identifier, language: "en" },
  ...{ shapeIdentifier: "place", tree: { parentId: "{{ defaults.rootItemId }}" } },
  ...more,
});
const document = (identifier: string, more: object = {}) => ({
  ...folder(identifier, { intent: "document/upsert", shapeIdentifier: "note" }),
  ...more,
});
const product = (identifier: string, more: object = {}) => ({
  ...folder(identifier, { intent: "product/upsert", shapeIdentifier: "thing" }),
  ...{
    vatTypeId: "{{ defaults.vatTypeIds.[0] }}",
    variants: [{ sku: identifier, name: identifier, isDefault: true }],
  },
  ...more,
});
const variant = (sku: string, more: object) => ({
  intent: "product/variant/update",
  sku,
  language: "en",
  ...more,
});
const topicNamed = (identifier: string, more: object = {}) => ({
  ...{ intent: "topic/upsert", resourceIdentifier: identifier, language: "en", name: identifier },
  ...more,
});
const aliases = (change: string, identifier: string, ...paths: string[]) => ({
  ...{ intent: `item/paths/${change}Aliases`, itemId: item(identifier), language: "en", paths },
});
const removal = (identifier: string) => ({ intent: "item/delete", resourceIdentifier: identifier });
const shape = (identifier: string, components: object[] = [], type = "document") => ({
  ...{ intent: "shape/upsert", identifier, name: identifier, type, components },
});
const piece = (identifier: string, uses?: string) => ({
  ...{ intent: "piece/upsert", identifier, name: identifier },
  components: uses === undefined ? [] : [use(uses)],
});
const use = (identifier: string) => ({
  ...{ id: identifier, name: identifier, type: "piece", config: { piece: { identifier } } },
});
const customer = (identifier: string, ...parents: string[]) => ({
  ...{ intent: "customer/upsert", identifier, type: "organization" },
  parents: parents.map((identifier) => ({ identifier, type: "customer" })),
});
const group = (identifier: string, name = identifier) => ({
  ...{ intent: "customer/group/upsert", identifier, name },
});
const priceList = (identifier: string, targetAudience: object = { type: "EVERYONE" }) => ({
  ...{ intent: "pricelist/upsert", identifier, name: identifier, modifierType: "RELATIVE", targetAudience },
  ...{
    priceVariants: [{ identifier: "default", modifier: 1 }],
    selectedProductVariants: { type: "ALL_SKUS" },
  },
});
const stage = (identifier: string, target?: string) => ({
  ...{ identifier, name: identifier },
  actions: target === undefined ? [] : [{ action: "move", move: { targetStageIdentifier: target } }],
});
const flow = (identifier: string, more: object) => ({
  ...{ intent: "flow/upsert", identifier, name: identifier, type: "item" },
  ...more,
});
const order = (identifier: string, more: object) => ({
  ...{ intent: "order/upsert", resourceIdentifier: identifier, customer: { identifier: "buyer" } },
  ...{ cart: [{ sku: "any", name: "Any", quantity: 1 }] },
  ...more,
});

/** Something that an undo would break, because of what was changed after the operation. */
export interface UndoConflict {
  /** An operation whose result `before` names, and that is undone afterwards. */
  readonly target?: object;
  /** Operations of an earlier task. */
  readonly before?: readonly object[];
  /** The operation that is to be undone. */
  readonly operation: object;
  /** Operations of others afterwards. */
  readonly meanwhile?: readonly object[];
  /** A setting that is deleted afterwards: the name of its kind, and its key. */
  readonly deleted?: readonly [kind: string, key: string];
  /** The message of the failure. */
  readonly refused: RegExp;
}

export const undoConflicts: Readonly<Record<string, UndoConflict>> = {
  "a folder that would be below itself": {
    before: [folder("inner"), folder("inner-parent"), folder("inner", under(item("inner-parent")))],
    operation: folder("inner"),
    meanwhile: [folder("inner-parent", under(item("inner")))],
    refused:
      /^The row \S+ of items cannot be restored\. The folder \S+ cannot be put under \S+, which is below it$/,
  },
  "a shortcut of a folder that would lead below itself": {
    before: [
      folder("short"),
      folder("long"),
      { intent: "item/paths/addShortcuts", itemId: item("short"), shortcuts: [{ parentId: item("long") }] },
    ],
    operation: { intent: "item/paths/setShortcuts", itemId: item("short"), shortcuts: [] },
    meanwhile: [folder("long", under(item("short")))],
    refused: /of (items|item shortcuts) /,
  },
  "an item under a folder where it has a shortcut": {
    before: [folder("home"), document("guest", under(item("home")))],
    operation: document("guest"),
    meanwhile: [
      { intent: "item/paths/addShortcuts", itemId: item("guest"), shortcuts: [{ parentId: item("home") }] },
    ],
    refused: /of items /,
  },
  "a topic that would be below itself": {
    before: [topicNamed("leaf"), topicNamed("root"), topicNamed("leaf", { parentId: topic("root") })],
    operation: topicNamed("leaf", { parentId: null }),
    meanwhile: [topicNamed("root", { parentId: topic("leaf") })],
    refused:
      /^The row \S+ of topics cannot be restored\. The topic \S+ cannot be put under \S+, which is below it$/,
  },
  "a piece that would contain itself": {
    before: [piece("egg"), piece("hen", "egg")],
    operation: piece("hen"),
    meanwhile: [piece("egg", "hen")],
    refused:
      /^The row hen of pieces cannot be restored\. The piece "hen" would contain itself, through "egg"$/,
  },
  "a customer that would be above itself": {
    before: [customer("daughter"), customer("mother"), customer("daughter", "mother")],
    operation: customer("daughter"),
    meanwhile: [customer("mother", "daughter")],
    refused: /^The row daughter of customers cannot be restored\. "daughter" would be above itself/,
  },
  "a path that is another item's alias": {
    before: [document("old-name"), document("other")],
    operation: document("old-name", { name: "new name" }),
    meanwhile: [aliases("add", "other", "/old-name")],
    refused:
      /^The row \S+, en, draft of item contents cannot be restored\. "\/old-name" is an alias of the item/,
  },
  "a folder with an item below that would have the path of an alias": {
    before: [folder("shelf"), document("book", under(item("shelf"))), document("pointer")],
    operation: folder("shelf", { name: "rack" }),
    meanwhile: [aliases("add", "pointer", "/shelf/book")],
    refused: /of item contents cannot be restored\. The item \S+ below would get the path "\/shelf\/book"/,
  },
  "an alias that is an item's path": {
    before: [document("famous"), aliases("add", "famous", "/fame")],
    operation: aliases("remove", "famous", "/fame"),
    meanwhile: [document("fame")],
    refused: /^The row en, \/fame of item aliases cannot be restored\. "\/fame" is the path of the item/,
  },
  "a piece that a shape uses": {
    operation: piece("useful"),
    meanwhile: [shape("user", [use("useful")])],
    refused: /^The row useful of pieces cannot be removed\. The shape "user" uses it by now$/,
  },
  "a shape that a flow names": {
    operation: shape("allowed"),
    meanwhile: [
      flow("strict", {
        restrictions: { item: { acceptedShapeIdentifiers: ["allowed"] } },
        stages: [stage("strict-1")],
      }),
    ],
    refused: /^The row allowed of shapes cannot be removed\. The flow "strict" names it by now$/,
  },
  "a customer that is another one's parent": {
    operation: customer("parent"),
    meanwhile: [customer("child", "parent")],
    refused: /^The row parent of customers cannot be removed\. The customer "child" names it by now$/,
  },
  "a customer group that a price list is for": {
    operation: group("club"),
    meanwhile: [priceList("club prices", { type: "SOME", customerGroupIdentifiers: ["club"] })],
    refused:
      /^The row club of customer groups cannot be removed\. The price list "club prices" names it by now$/,
  },
  "a stage that another one moves items to": {
    before: [flow("line", { stages: [stage("line-1")] })],
    operation: flow("line", { stages: [stage("line-1"), stage("line-2")] }),
    meanwhile: [flow("line", { stages: [stage("line-1", "line-2"), stage("line-2")] })],
    refused: /^The row line-2 of flow stages cannot be removed\. The flow has no stage "line-2" to move to/,
  },
  "the use of a piece that is gone": {
    target: piece("lost"),
    before: [shape("finder", [use("lost")])],
    operation: shape("finder"),
    refused: /^The row finder of shapes cannot be restored\. .*lost/,
  },
  "the restriction of a flow to a shape that is gone": {
    target: shape("rare"),
    before: [
      flow("picky", {
        restrictions: { item: { acceptedShapeIdentifiers: ["rare"] } },
        stages: [stage("picky-1")],
      }),
    ],
    operation: flow("picky", {
      restrictions: { item: { acceptedShapeIdentifiers: ["note"] } },
      stages: [stage("picky-1")],
    }),
    refused: /^The row picky of flows cannot be restored\. .*rare/,
  },
  "a parent that is gone": {
    target: customer("founder"),
    before: [customer("branch", "founder")],
    operation: customer("branch"),
    refused: /^The row branch of customers cannot be restored\. There is no customer "founder"$/,
  },
  "a price list for a customer group that is gone": {
    target: group("guests"),
    before: [priceList("guest prices", { type: "SOME", customerGroupIdentifiers: ["guests"] })],
    operation: priceList("guest prices"),
    refused: /^The row guest prices of price lists cannot be restored\. There is no customer group "guests"$/,
  },
  "content in a language that is gone": {
    before: [document("bilingual"), document("bilingual", { language: "de", name: "zweisprachig" })],
    operation: removal("bilingual"),
    deleted: ["language", "de"],
    refused: /^The row \S+, de, draft of item contents cannot be restored\. The tenant has no language "de"/,
  },
  "a product with a VAT type that is gone": {
    before: [product("taxed", { vatTypeId: "65a0c0ffee00000000000f01" })],
    operation: product("taxed"),
    deleted: ["vatType", "65a0c0ffee00000000000f01"],
    refused: /of items cannot be restored\. The tenant has no VAT type/,
  },
  "a price in a price variant that is gone": {
    before: [product("priced"), variant("priced", { priceVariants: [{ identifier: "sale", price: 1 }] })],
    operation: variant("priced", { priceVariants: [] }),
    deleted: ["priceVariant", "sale"],
    refused: /of product variants cannot be restored\. The tenant has no price variant "sale"/,
  },
  "a stock at a location that is gone": {
    before: [
      product("stocked"),
      variant("stocked", { stockLocations: [{ identifier: "cellar", stock: 1 }] }),
    ],
    operation: variant("stocked", { stockLocations: [] }),
    deleted: ["stockLocation", "cellar"],
    refused: /of product variants cannot be restored\. The tenant has no stock location "cellar"/,
  },
  "a price list for a market that is gone": {
    before: [priceList("fair", { type: "SOME", marketIdentifiers: ["fair"] })],
    operation: priceList("fair"),
    deleted: ["market", "fair"],
    refused: /^The row fair of price lists cannot be restored\. The tenant has no market "fair"/,
  },
  "an order at a location that is gone": {
    before: [order("kept", { stockLocationIdentifier: "attic" })],
    operation: order("kept", { stockLocationIdentifier: "default" }),
    deleted: ["stockLocation", "attic"],
    refused: /of orders cannot be restored\. The tenant has no stock location "attic"/,
  },
};

/** Operations before all of these. */
export const preparation = [
  shape("place", [], "folder"),
  shape("note"),
  shape("thing", [], "product"),
  { intent: "customer/upsert", identifier: "buyer", type: "individual" },
];

/** The settings that operations name, by their kinds. */
export const namedSettings: readonly (readonly [kind: string, entry: Readonly<Record<string, unknown>>])[] = [
  ["language", { code: "de", name: "German" }],
  ["vatType", { id: "65a0c0ffee00000000000f01", name: "Reduced", percent: 7 }],
  ["priceVariant", { identifier: "sale", name: "Sale", currency: "EUR" }],
  ["stockLocation", { identifier: "cellar", name: "Cellar" }],
  ["market", { identifier: "fair", name: "Fair" }],
  ["stockLocation", { identifier: "attic", name: "Attic" }],
];
