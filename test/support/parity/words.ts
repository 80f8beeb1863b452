import type { Intent } from "@lading/schema";

/** Stand for what every tenant has its own of, wherever they are in a payload. */
export const own = { root: "@root", vatType: "@vatType", image: "@image" } as const;

/** A payload with an id where a tenant's own is to be: as its schema looks at it. */
export const withIds = (payload: object): unknown =>
  JSON.parse(JSON.stringify(payload).replace(/@(root|vatType)/g, "0123456789abcdef01234567"));

const hex = (letter: string, number: number) => letter + String(number).padStart(23, "0");

export const ids = {
  folders: [hex("f", 1), hex("f", 2)],
  documents: [hex("d", 1), hex("d", 2)],
  products: [hex("b", 1), hex("b", 2)],
  topics: [hex("a", 1), hex("a", 2)],
  orders: [hex("e", 1)],
  contracts: [hex("c", 1)],
  periods: [hex("c", 11)],
  variables: [hex("c", 21)],
  pipelines: [hex("e", 11)],
  stages: [hex("e", 21)],
} as const;

/** Ids that nothing has at first: an upsert creates with them, an update finds nothing. */
const freshIds = [hex("0", 1), hex("0", 2), hex("0", 3)];

const items = [...ids.folders, ...ids.documents, ...ids.products];
const skus = ["shoe", "shoe-red", "hat"];
const freshSkus = ["new-1", "new-2", "new-3", "new-4"];
const freshNames = ["new-1", "new-2", "new-3", "new-4", "new-5", "new-6"];
const groups = ["vip", "staff"];
const customers = ["ada", "eve"];

/** The words for a field: those that are known, those that are new, and one that is wrong. */
export interface Words {
  readonly known: readonly string[];
  readonly fresh?: readonly string[];
  readonly wrong: string;
}

const nothing = hex("9", 9);
const of = (known: readonly string[], fresh?: readonly string[], wrong = "nobody-knows"): Words => ({
  known,
  ...(fresh && { fresh }),
  wrong,
});
const ofIds = (known: readonly string[], fresh?: readonly string[]) => of(known, fresh, nothing);

const shapes = ["folder", "document", "product"];
const price = of(["default", "b2b"]);
const languages = of(["en", "en", "en", "no"], undefined, "xx");
const paths = of(["/shop/one", "/two", "/a/b/c"], undefined, "no slash");

/**
 * The words of a field, by the intent and the names of the fields that lead to it: the first pattern that fits counts.
 * A field that fits none is not a key.
 */
const table: readonly (readonly [pattern: RegExp, words: Words])[] = [
  [/ language$/, languages],
  [/^folder\/.* shapeIdentifier$/, of(["folder"], undefined, "document")],
  [/^document\/.* shapeIdentifier$/, of(["document"], undefined, "folder")],
  [/^product\/.* shapeIdentifier$/, of(["product"], undefined, "folder")],
  [/acceptedShapeIdentifiers$/, of(shapes)],
  [/^folder\/.* itemId$/, ofIds(ids.folders, freshIds)],
  [/^document\/.* itemId$/, ofIds(ids.documents, freshIds)],
  [/^product\/.* itemId$/, ofIds(ids.products, freshIds)],
  [/^item\/flow.* items id$/, ofIds(items)],
  [/ itemIds?$/, ofIds(items)],
  [/^topic\/.* (topicId|parentId)$/, ofIds(ids.topics, freshIds)],
  [/ topicIds$/, ofIds(ids.topics)],
  [/ parentIds?$/, of([own.root, ...ids.folders], undefined, ids.documents[0])],
  [/ vatTypeId$|^vatType\/upsert id$/, of([own.vatType], undefined, nothing)],
  [/^language\/upsert code$/, of(["en", "no"], ["da", "sv"], "!")],
  [/^orderPipeline\/upsert id$/, ofIds(ids.pipelines)],
  [/^priceVariant\/upsert identifier$/, of(["default", "b2b"], freshNames, "x".repeat(65))],
  [/^stockLocation\/upsert identifier$/, of(["default", "backorder"], freshNames, "x".repeat(65))],
  [/^market\/upsert identifier$/, of(["eu"], freshNames, "x".repeat(65))],
  [/^subscriptionPlan\/upsert identifier$/, of(["coffee"], freshNames, "x".repeat(65))],
  [/^orderPipeline\/upsert stages id$/, ofIds(ids.stages)],
  [/ productId$/, of(ids.products, undefined, ids.documents[0])],
  [/^product\/variant\/create sku$/, of(skus, ["added-1", "added-2", "added-3", "added-4"])],
  [/ variants sku$|^product\/variant\/upsert sku$/, of(skus, freshSkus)],
  [/ skus?$/, of(skus)],
  [/ (priceVariants identifier|priceVariantIdentifier)$/, price],
  [/ stockLocation(s identifier|Identifier)$/, of(["default", "backorder"])],
  [/ subscriptionPlans? identifier$/, of(["coffee"])],
  [/ (periodId|periods id)$/, ofIds(ids.periods)],
  [/ meteredVariables id$/, ofIds(ids.variables, [...ids.variables, hex("c", 22)])],
  [/ meteredVariables identifier$/, of(["cups"], ["cups", "mugs"])],
  [/ pipelineId$/, ofIds(ids.pipelines)],
  [/ stageId$/, ofIds(ids.stages)],
  [/ parents identifier$/, of([...customers, ...groups])],
  [/ customerGroupIdentifiers$/, of(groups)],
  [/ marketIdentifiers$/, of(["eu"])],
  [/ customerIdentifiers?$/, of(customers)],
  [/ (stages identifier|targetStageIdentifier|stageIdentifier)$/, of(["todo", "done"], ["later", "never"])],
  [/ moveFromFlowIdentifier$/, of(["work"])],
  [/ relatedOrderIds$/, ofIds(ids.orders)],
  [/^order\/.* id$/, ofIds(ids.orders, freshIds)],
  [/^subscription-contract\/.* id$/, ofIds(ids.contracts, freshIds)],
  [/^piece\/component\/rename from$/, of(["title"], ["renamed"])],
  [/^shape\/component\/rename from$/, of(["singleLine", "numeric"], ["renamed"])],
  [/^(piece|shape)\/component\/rename to$/, of(["renamed"], ["title", "other"], "")],
  [/^piece\/component\/rename identifier$/, of(["seo"])],
  [/^shape\/component\/rename identifier$/, of(["spare"])],
  [/^piece\/\w+ identifier$/, of(["seo"], freshNames)],
  [/^shape\/\w+ identifier$/, of(["spare"], freshNames)],
  [/^customer\/group\/\w+ identifier$/, of(groups, freshNames)],
  [/^customer\/\w+ identifier$/, of(customers, freshNames)],
  [/^pricelist\/.* identifier$/, of(["spring"], freshNames)],
  [/^flow\/\w+ identifier$/, of(["work"], freshNames)],
  [/ resourceIdentifier$/, of(["res-0", "res-1"], ["res-2", "res-3", "res-4", "res-5"])],
  [/ externalReference$/, of(["ext-0", "ext-1"], ["ext-2", "ext-3"])],
  [/ (images|thumbnails) key$|^image\/register key$/, of([own.image])],
  [/^item\/paths\/.* paths$/, paths],
  [/ pathIdentifier$/, of(["plants", "trees"], ["moss"], "")],
  [/ displayColor$/, of(["#aabbcc", "#123"], undefined, "blue")],
  [/ currency$/, of(["EUR", "NOK"], undefined, "eleven chars")],
];

/** The words of a text or an id at a location, if it names something. */
export function wordsAt(intent: Intent, path: readonly string[]): Words | undefined {
  const location = `${intent} ${path.join(" ")}`;
  return table.find(([pattern]) => pattern.test(location))?.[1];
}
