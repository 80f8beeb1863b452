import {
  aliases,
  customer,
  document,
  flow,
  folder,
  group,
  item,
  piece,
  priceList,
  shape,
  stage,
  topic,
  topicNamed,
  under,
  use,
} from "./undo-operations.ts";
import { settingConflicts } from "./undo-setting-conflicts.ts";

/** Something that an undo would break, because of what was changed after the operation. */
export interface UndoConflict {
  /** An operation whose result `before` names, and that is undone afterwards. */
  readonly target?: object;
  readonly before?: readonly object[];
  readonly operation: object;
  /** Operations of others afterwards. */
  readonly meanwhile?: readonly object[];
  /** A setting that is deleted afterwards: the name of its kind, and its key. */
  readonly deleted?: readonly [kind: string, key: string];
  readonly refused: RegExp;
}

export const undoConflicts: Readonly<Record<string, UndoConflict>> = {
  "a folder that would be below itself": {
    before: [folder("inner"), folder("inner-parent"), folder("inner", under(item("inner-parent")))],
    operation: folder("inner"),
    meanwhile: [folder("inner-parent", under(item("inner")))],
    refused:
      /^The row "inner" \(\w{24}\) of items cannot be restored\. The folder \S+ cannot be put under \S+, which is below it$/,
  },
  "a shortcut of a folder that would lead below itself": {
    before: [
      folder("short"),
      folder("long"),
      { intent: "item/paths/addShortcuts", itemId: item("short"), shortcuts: [{ parentId: item("long") }] },
    ],
    operation: { intent: "item/paths/setShortcuts", itemId: item("short"), shortcuts: [] },
    meanwhile: [folder("long", under(item("short")))],
    refused:
      /^The row "short" \(\w{24}, \w{24}\) of item shortcuts cannot be restored\. The folder \S+ cannot be put under \S+, which is below it$/,
  },
  "an item under a folder where it has a shortcut": {
    before: [folder("home"), document("guest", under(item("home")))],
    operation: document("guest"),
    meanwhile: [
      { intent: "item/paths/addShortcuts", itemId: item("guest"), shortcuts: [{ parentId: item("home") }] },
    ],
    refused: /of items was changed at /,
  },
  "a document that others have changed": {
    before: [document("early")],
    operation: document("early", { name: "late" }),
    meanwhile: [document("early", { name: "latest" })],
    refused: /^The row "latest" \(\w{24}, en, draft\) of item contents was changed at /,
  },
  "an item under a folder that is gone": {
    before: [folder("gone"), document("mover", under(item("gone")))],
    operation: document("mover"),
    meanwhile: [{ intent: "item/delete", itemId: item("gone") }],
    refused:
      /^Rows of items would refer to the row \w{24} of items again, which no longer exists: "mover" \(\w{24}\)$/,
  },
  "a topic that would be below itself": {
    before: [topicNamed("leaf"), topicNamed("root"), topicNamed("leaf", { parentId: topic("root") })],
    operation: topicNamed("leaf", { parentId: null }),
    meanwhile: [topicNamed("root", { parentId: topic("leaf") })],
    refused:
      /^The row "leaf" \(\w{24}\) of topics cannot be restored\. The topic \S+ cannot be put under \S+, which is below it$/,
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
      /^The row "old-name" \(\w{24}, en, draft\) of item contents cannot be restored\. "\/old-name" is an alias of the item/,
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
    refused: /^The row useful of pieces cannot be removed\. The shape "user" uses it now$/,
  },
  "a topic that items have": {
    before: [document("tea-pot"), document("tea-cup")],
    operation: topicNamed("hot"),
    meanwhile: [
      document("tea-pot", { topicIds: [topic("hot")] }),
      document("tea-cup", { topicIds: [topic("hot")] }),
    ],
    refused:
      /^Rows of item topics still refer to the row \w{24} of topics: "tea-(pot|cup)" \(\w{24}\), "tea-(pot|cup)" \(\w{24}\)$/,
  },
  "a shape that items have": {
    operation: shape("coffee"),
    meanwhile: [document("mug", { shapeIdentifier: "coffee" })],
    refused: /^Rows of items still refer to the row coffee of shapes: "mug" \(\w{24}\)$/,
  },
  "a shape that a flow names": {
    operation: shape("allowed"),
    meanwhile: [
      flow("strict", {
        restrictions: { item: { acceptedShapeIdentifiers: ["allowed"] } },
        stages: [stage("strict-1")],
      }),
    ],
    refused: /^The row allowed of shapes cannot be removed\. The flow "strict" names it now$/,
  },
  "a customer that is another one's parent": {
    operation: customer("parent"),
    meanwhile: [customer("child", "parent")],
    refused: /^The row parent of customers cannot be removed\. The customer "child" names it now$/,
  },
  "a customer group that a price list is for": {
    operation: group("club"),
    meanwhile: [priceList("club prices", { type: "SOME", customerGroupIdentifiers: ["club"] })],
    refused:
      /^The row club of customer groups cannot be removed\. The price list "club prices" names it now$/,
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
  "the use of a piece in another one that is gone": {
    target: piece("inner piece"),
    before: [piece("outer piece", "inner piece")],
    operation: piece("outer piece"),
    refused: /^The row outer piece of pieces cannot be restored\. .*inner piece/,
  },
  "a piece that another one uses": {
    operation: piece("screw"),
    meanwhile: [piece("shelf with screws", "screw")],
    refused: /^The row screw of pieces cannot be removed\. The piece "shelf with screws" uses it now$/,
  },
  "the use of a piece by the variants of a shape that is gone": {
    target: piece("swatch"),
    before: [shape("textile", [], { type: "product", variantComponents: [use("swatch")] })],
    operation: shape("textile", [], { type: "product", variantComponents: [] }),
    refused: /^The row textile of shapes cannot be restored\. .*swatch/,
  },
  "a stage that moves items to one that is gone": {
    before: [flow("loop", { stages: [stage("loop-1", "loop-2"), stage("loop-2")] })],
    operation: flow("loop", { stages: [stage("loop-1"), stage("loop-2")] }),
    meanwhile: [flow("loop", { stages: [stage("loop-1")] })],
    refused: /^The row loop-1 of flow stages cannot be restored\. The flow has no stage "loop-2" to move to/,
  },
  "a parent of a customer group that is gone": {
    target: group("holding"),
    before: [group("subsidiary", "holding")],
    operation: group("subsidiary"),
    refused:
      /^The row subsidiary of customer groups cannot be restored\. There is no customer group "holding"$/,
  },
  "a customer group that is another one's parent": {
    operation: group("region"),
    meanwhile: [group("city", "region")],
    refused: /^The row region of customer groups cannot be removed\. The customer group "city" names it now$/,
  },
  "a price list for a customer that is gone": {
    target: customer("vip"),
    before: [priceList("vip prices", { type: "SOME", customerIdentifiers: ["vip"] })],
    operation: priceList("vip prices"),
    refused: /^The row vip prices of price lists cannot be restored\. There is no customer "vip"$/,
  },
  ...settingConflicts,
};

/** Operations before all of these. */
export const preparation = [
  shape("place", [], { type: "folder" }),
  shape("note"),
  shape("thing", [], { type: "product" }),
  { intent: "customer/upsert", identifier: "buyer", type: "individual" },
];
