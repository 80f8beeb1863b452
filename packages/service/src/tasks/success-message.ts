import type { Intent } from "@lading/schema";
import { differingContent, orphanedContent } from "./content-facts.ts";
import { droppedHistory } from "./path-facts.ts";
import { removedParts } from "./removed-fact.ts";
import { keptValues } from "./upload-facts.ts";

/** The part of a log entry that tells what an operation did. */
export interface Done {
  intent: string;
  action: string | null;
  /** The operation's result, as its command returned it. */
  output: unknown;
}

type Output = Record<string, unknown>;

/** Turns one fact of an output into a sentence without a full stop; undefined when the output does not have that fact. */
export type Fact = (output: Output) => string | undefined;

/** The facts that a message states after the action, in this order. */
const facts: readonly Fact[] = [removedParts, orphanedContent, differingContent, keptValues, droppedHistory];

/**
 * Says in a few words what a successful operation did: `created product 6561f0c2a1b2c3d4e5f60718 (en)`, and then the
 * facts of its output. Derived when an entry is read, so that entries of earlier versions have it too.
 */
export function successMessage(done: Done, told: readonly Fact[] = facts): string {
  const subject = [subjects.get(done.intent) ?? done.intent, ...nameOf(outputOf(done))].join(" ");
  const unchanged = done.action === null || done.action === "unchanged";
  const message = unchanged ? `unchanged: ${subject}` : `${done.action} ${subject}`;
  return [message, ...factsOf(done, told)].join("; ");
}

/** The facts of an output, one sentence each. A partial operation states them after its first problem. */
export const factsOf = (done: Done, told: readonly Fact[] = facts): string[] =>
  told.map((fact) => fact(outputOf(done))).filter((text) => text !== undefined);

const outputOf = ({ output }: Done): Output => (isObject(output) ? output : {});

const isObject = (value: unknown): value is Output => typeof value === "object" && value !== null;

/** The key by which people know the entity, in quotes, or its id; and the language, if the result has one. */
function nameOf({ sku, identifier, key, id, language }: Output): string[] {
  const nested: Output = isObject(id) ? id : { id };
  const given = sku ?? identifier ?? key;
  const name = typeof given === "string" ? `"${given}"` : (nested.id ?? nested.value);
  const spoken = language ?? nested.language;
  return [name, typeof spoken === "string" ? `(${spoken})` : undefined].filter(
    (part) => typeof part === "string",
  );
}

const subjectNames: Record<Intent, string> = {
  "piece/create": "piece",
  "piece/update": "piece",
  "piece/upsert": "piece",
  "shape/create": "shape",
  "shape/update": "shape",
  "shape/upsert": "shape",
  "folder/create": "folder",
  "folder/update": "folder",
  "folder/upsert": "folder",
  "document/create": "document",
  "document/update": "document",
  "document/upsert": "document",
  "product/create": "product",
  "product/update": "product",
  "product/upsert": "product",
  "product/variant/create": "product variant",
  "product/variant/update": "product variant",
  "product/variant/upsert": "product variant",
  "product/variant/delete": "product variant",
  "product/variant/stock/modify": "stock of a variant of product",
  "product/variant/price/modify": "price of product variant",
  "item/updateComponent/item": "content of item",
  "item/updateComponent/sku": "content of a variant of product",
  "item/publish": "item",
  "item/unpublish": "item",
  "item/delete": "item",
  "item/paths/addAliases": "aliases of item",
  "item/paths/setAliases": "aliases of item",
  "item/paths/removeAliases": "aliases of item",
  "item/paths/addHistory": "former paths of item",
  "item/paths/setHistory": "former paths of item",
  "item/paths/removeHistory": "former paths of item",
  "item/paths/addShortcuts": "shortcuts of item",
  "item/paths/setShortcuts": "shortcuts of item",
  "item/paths/removeShortcuts": "shortcuts of item",
  "item/flow/stage/addItems": "items in flow stage",
  "image/register": "image",
  "customer/create": "customer",
  "customer/update": "customer",
  "customer/upsert": "customer",
  "customer/group/create": "customer group",
  "customer/group/update": "customer group",
  "customer/group/upsert": "customer group",
  "order/register": "order",
  "order/update": "order",
  "order/upsert": "order",
  "subscription-contract/create": "subscription contract",
  "subscription-contract/update": "subscription contract",
  "subscription-contract/upsert": "subscription contract",
  "pricelist/create": "price list",
  "pricelist/update": "price list",
  "pricelist/upsert": "price list",
  "pricelist/selectedProductVariants/upsert": "selected variants of price list",
  "pricelist/selectedProductVariants/remove": "selected variants of price list",
  "topic/create": "topic",
  "topic/update": "topic",
  "topic/upsert": "topic",
  "topic/delete": "topic",
  "flow/create": "flow",
  "flow/update": "flow",
  "flow/upsert": "flow",
};

const subjects = new Map<string, string>(Object.entries(subjectNames));
