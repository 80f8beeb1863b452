import { type Intent, intentNames } from "../intents.ts";

/** The properties of an operation's result when it acted as `intent` says. */
export interface ResultBranch {
  readonly intent: Intent;
  /** Each property as a path: `["id", "value"]` is read as `{{ ref.id.value }}`, and prints as `{{ ref.id }}` too. */
  readonly properties: readonly (readonly string[])[];
}

const itemCreated = "id language versionLabel";
const itemUpdated = "id.id id.language id.versionLabel";
const definitionUpdated = "id.identifier identifier type name";

/**
 * The properties of the results of intents that create, change or delete, as docs/results.md lists them. Every result
 * has at least the key of the entity that was written.
 */
const results = {
  "piece/create": "identifier",
  "piece/update": definitionUpdated,
  "shape/create": "identifier",
  "shape/update": definitionUpdated,
  "folder/create": "id.value language versionLabel",
  "folder/update": itemUpdated,
  "document/create": itemCreated,
  "document/update": itemUpdated,
  "product/create": itemCreated,
  "product/update": itemUpdated,
  "product/variant/create": "sku",
  "product/variant/update": "sku",
  "product/variant/delete": "sku",
  "product/variant/stock/modify": "id",
  "product/variant/price/modify": "id sku",
  "item/updateComponent/item": "id",
  "item/updateComponent/sku": "id",
  "item/publish": "id language",
  "item/unpublish": "id language",
  "item/delete": "id",
  "item/paths/addAliases": "id",
  "item/paths/setAliases": "id",
  "item/paths/removeAliases": "id",
  "item/paths/addHistory": "id",
  "item/paths/setHistory": "id",
  "item/paths/removeHistory": "id",
  "item/paths/addShortcuts": "id",
  "item/paths/setShortcuts": "id",
  "item/paths/removeShortcuts": "id",
  "item/flow/stage/addItems": "identifier",
  "image/register": "id key language",
  "customer/create": "identifier",
  "customer/update": "email identifier firstName lastName",
  "customer/group/create": "identifier",
  "customer/group/update": "type identifier",
  "order/register": "id createdAt",
  "order/update": "id",
  "subscription-contract/create": "id",
  "subscription-contract/update": "id",
  "pricelist/create": "identifier",
  "pricelist/update": "name identifier modifierType",
  "pricelist/selectedProductVariants/upsert": "identifier",
  "pricelist/selectedProductVariants/remove": "identifier",
  "topic/create": "id",
  "topic/update": "id",
  "topic/delete": "id",
  "flow/create": "identifier",
  "flow/update": "identifier",
} as const satisfies Partial<Record<Intent, string>>;

type WithResult = keyof typeof results;

/** An upsert has the result of the intent that it acted as. Total: an intent that is in neither table fails here. */
const upserts: {
  readonly [I in Exclude<Intent, WithResult>]: readonly [created: WithResult, updated: WithResult];
} = {
  "piece/upsert": ["piece/create", "piece/update"],
  "shape/upsert": ["shape/create", "shape/update"],
  "folder/upsert": ["folder/create", "folder/update"],
  "document/upsert": ["document/create", "document/update"],
  "product/upsert": ["product/create", "product/update"],
  "product/variant/upsert": ["product/variant/create", "product/variant/update"],
  "customer/upsert": ["customer/create", "customer/update"],
  "customer/group/upsert": ["customer/group/create", "customer/group/update"],
  "order/upsert": ["order/register", "order/update"],
  "subscription-contract/upsert": ["subscription-contract/create", "subscription-contract/update"],
  "pricelist/upsert": ["pricelist/create", "pricelist/update"],
  "topic/upsert": ["topic/create", "topic/update"],
  "flow/upsert": ["flow/create", "flow/update"],
};

const branch = (intent: WithResult): ResultBranch => ({
  intent,
  properties: results[intent].split(" ").map((path) => path.split(".")),
});

const isUpsert = (intent: Intent): intent is keyof typeof upserts => intent in upserts;

/**
 * The properties that the result of each intent has at least. An upsert has two branches, create before update; every
 * other intent has one.
 */
export const resultProperties = Object.fromEntries(
  intentNames.map((intent) => [intent, isUpsert(intent) ? upserts[intent].map(branch) : [branch(intent)]]),
) as Record<string, readonly ResultBranch[]> as { readonly [I in Intent]: readonly ResultBranch[] };

/** True if a branch has a property, or an object of properties, at a path. An empty path is the whole result. */
export function hasProperty({ properties }: ResultBranch, path: readonly string[]): boolean {
  return path.length === 0 || properties.some((property) => path.every((part, at) => part === property[at]));
}
