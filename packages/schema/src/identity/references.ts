import { isObject } from "../is-object.ts";
import { entityKinds, hasId, type KindWithId, nounOf } from "./natural-key.ts";

/** An entity that operations refer to by id, which may have been chosen by the tenant. */
export type Referred = KindWithId | "planPart" | "pipelineStage";

/** Fields that refer to an entity by id, wherever they occur in an operation. */
const fields: Readonly<Record<string, Referred>> = {
  itemId: "item",
  itemIds: "item",
  folderId: "item",
  productId: "item",
  parentId: "item",
  parentIds: "item",
  topicId: "topic",
  topicIds: "topic",
  relatedOrderIds: "order",
  subscriptionContractId: "contract",
  vatTypeId: "vatType",
  pipelineId: "orderPipeline",
  stageId: "pipelineStage",
  periodId: "planPart",
};

/** The entity that an intent's field `id` refers to, by the intent's noun. */
const ownIds: ReadonlyMap<string, Referred> = new Map(
  entityKinds
    .filter(hasId)
    .flatMap((kind) =>
      nounOf(kind).id === "id" ? nounOf(kind).intents.map((noun) => [noun, kind] as const) : [],
    ),
);

/** The entities that `id` fields in an intent's lists refer to. */
const idsInLists: Readonly<Record<string, Readonly<Record<string, Referred>>>> = {
  "item/flow/stage": { items: "item" },
  orderPipeline: { stages: "pipelineStage" },
  subscriptionPlan: { periods: "planPart", meteredVariables: "planPart" },
};

/** The same in variants of products, in any intent. */
const idsInVariants: Readonly<Record<string, Referred>> = {
  periods: "planPart",
  meteredVariables: "planPart",
};

/** Fields with free-form content, in which no references are searched. */
const opaque: ReadonlySet<string> = new Set(["json", "meta"]);

/** True for a field with free-form content, which contains no references. */
export const isOpaque = (field: string): boolean => opaque.has(field);

/**
 * Returns the kind of entity a text refers to, by its field and the innermost list around it; undefined if it is not a
 * reference.
 */
export type ReferenceFields = (field: string, list: string) => Referred | undefined;

/** Returns the fields of an intent that refer to entities by id. */
export function referenceFields(intent: string): ReferenceFields {
  const noun = intent.slice(0, intent.lastIndexOf("/"));
  const ids: Readonly<Record<string, Referred>> = { ...idsInVariants, ...idsInLists[noun] };
  return (field, list) => {
    if (field === "id") return list === "" ? ownIds.get(noun) : ids[list];
    if (field === "parentId" && noun === "topic") return "topic";
    return Object.hasOwn(fields, field) ? fields[field] : undefined;
  };
}

/**
 * Replaces the ids in an operation's payload, including its own; `replace` may return the same id. Unchanged values
 * remain the same objects.
 */
export function withReferences<Value>(
  intent: string,
  payload: Value,
  replace: (referred: Referred, id: string) => string,
): Value {
  const kindOf = referenceFields(intent);
  const walk = (value: unknown, field: string, list: string): unknown => {
    if (typeof value === "string") {
      const referred = kindOf(field, list);
      return referred === undefined ? value : replace(referred, value);
    }
    if (Array.isArray(value))
      return changed(
        value,
        value.map((member) => walk(member, field, field)),
      );
    if (!isObject(value)) return value;
    const entries = Object.entries(value);
    const walked = entries.map(([key, member]) => (isOpaque(key) ? member : walk(member, key, list)));
    if (walked.every((member, i) => member === entries[i]![1])) return value;
    return Object.fromEntries(entries.map(([key], i) => [key, walked[i]]));
  };
  return walk(payload, "", "") as Value;
}

const changed = (before: readonly unknown[], after: readonly unknown[]): readonly unknown[] =>
  after.every((member, i) => member === before[i]) ? before : after;

/** A version of an item, as operations write and publish it. */
export interface ItemVersion {
  readonly itemId: string;
  readonly language: string;
}

/**
 * The `_ref` of the operation that writes a version. Parts of a language code are never empty, so `no-nb` and `no_nb`
 * get different names.
 */
export const versionName = ({ itemId, language }: ItemVersion): string =>
  `${language.replaceAll("_", "__").replaceAll("-", "_")}_${itemId}`;

/** A template for the item's id in the result of the operation with this `_ref`; fails if that operation failed. */
export const writtenId = (ref: string): string => `{{ ${ref}.id }}`;
