import { hasTemplate, slug, type Written } from "@lading/schema/internal";
import { type ItemContentRow, itemContents } from "../../storage/collections/item-contents.ts";
import { itemFormerPaths } from "../../storage/collections/item-former-paths.ts";
import { itemShortcuts } from "../../storage/collections/item-shortcuts.ts";
import { itemTopics } from "../../storage/collections/item-topics.ts";
import { type ItemRow, items } from "../../storage/collections/items.ts";
import { productVariants } from "../../storage/collections/product-variants.ts";
import type { ShapeType } from "../../storage/collections/shapes.ts";
import type { Tenant } from "../../storage/tenants/tenant.ts";
import type { Prefetch } from "../../storage/unit-of-work/prefetch.ts";
import type { UnitOfWork } from "../../storage/unit-of-work/unit-of-work.ts";
import type { CommandContext, CommandResult, Handler } from "../command.ts";
import { prefetchRelated } from "../content/check.ts";
import { prefetchShape } from "../content/compiled-content.ts";
import { hasFormerPaths, prefetchSegment } from "../path/tree-paths.ts";
import { createItem, type ItemPayload, type NewItemPayload } from "./create.ts";
import { findByReference, findItem, prefetchItem, requireItem } from "./find.ts";
import { prefetchTopics } from "./set-topics.ts";
import { updateItem } from "./update.ts";

export const createCommand = (kind: ShapeType): Handler<NewItemPayload> => ({
  keys: (payload, prefetch, tenant) => prefetchForCreate(kind, payload, prefetch, tenant),
  execute: (context, payload) => createItem(context, kind, payload),
});

export const updateCommand = (kind: ShapeType): Handler<ItemPayload> => ({
  keys: (payload, prefetch, tenant) => prefetchForUpdate(payload, prefetch, tenant),
  execute: async (context, payload) => {
    const item = await requireItem(context.unit, payload);
    return updateItem(context, kind, item, payload);
  },
});

export const upsertCommand = (kind: ShapeType): Handler<NewItemPayload> => ({
  keys(payload, prefetch, tenant) {
    prefetchForUpdate(payload, prefetch, tenant);
    prefetchForCreate(kind, payload, prefetch, tenant);
  },
  execute: (context, payload) => upsertItem(context, kind, payload),
});

/**
 * Updates the item the payload identifies, or creates it, with the payload's id if it has one. An item is identified by
 * `itemId`, else `resourceIdentifier`, else `externalReference` among items of the kind.
 */
async function upsertItem(
  context: CommandContext,
  kind: ShapeType,
  payload: NewItemPayload,
): Promise<CommandResult> {
  const item = await namedItem(context.unit, kind, payload);
  if (item !== undefined) return updateItem(context, kind, item, payload);
  return createItem(context, kind, payload, payload.itemId);
}

async function namedItem(
  unit: UnitOfWork,
  kind: ShapeType,
  payload: NewItemPayload,
): Promise<ItemRow | undefined> {
  if (payload.itemId || payload.resourceIdentifier) return findItem(unit, payload);
  if (!payload.externalReference) return undefined;
  const item = await findByReference(unit, kind, payload.externalReference);
  // External references are not unique, so no key constraint stops another upsert that finds no item either.
  if (item === undefined) unit.requireLock("references");
  return item;
}

function prefetchForCreate(
  kind: ShapeType,
  payload: Written<ItemPayload>,
  prefetch: Prefetch,
  tenant: Tenant,
): void {
  const { shapeIdentifier, resourceIdentifier, externalReference, variants } = payload;
  const parentId = payload.tree?.parentId ?? tenant.rootItemId;
  if (shapeIdentifier) prefetchShape(shapeIdentifier, prefetch);
  if (resourceIdentifier) prefetch(items, "resourceIdentifier", [resourceIdentifier]);
  prefetch(items, "key", [parentId]);
  prefetchSegment(parentId, payload, prefetch, tenant);
  if (payload.topicIds) prefetchTopics(payload.topicIds, prefetch);
  prefetchRelatedItems(payload, prefetch);
  if (kind !== "product") return;
  if (variants === undefined && externalReference) prefetch(productVariants, "sku", [externalReference]);
  variants?.forEach(({ sku }) => {
    prefetch(productVariants, "sku", [sku]);
  });
}

function prefetchForUpdate(payload: Written<ItemPayload>, prefetch: Prefetch, tenant: Tenant): void {
  prefetchItem(payload, prefetch, (item, prefetch) => prefetchOfItem(item, payload, prefetch, tenant));
}

/**
 * Declares the segment before the key: while the name is unchanged, both find the same row, which is then read once.
 */
function prefetchOfItem(
  item: ItemRow,
  payload: Written<ItemPayload>,
  prefetch: Prefetch,
  tenant: Tenant,
): void {
  const parentId = payload.tree?.parentId ?? item.parentId;
  if (parentId !== null) prefetchSegment(parentId, payload, prefetch, tenant);
  // This template's value is not known yet; most often it is the item's current parent.
  if (parentId !== null && item.parentId !== null && hasTemplate(parentId))
    prefetchSegment(item.parentId, payload, prefetch, tenant);
  prefetchDraft(item, payload, prefetch);
  if (parentId !== item.parentId) {
    prefetch(items, "key", [parentId]);
    prefetch(itemShortcuts, "key", [item.id, parentId]);
    if (parentId !== null && !hasTemplate(parentId)) prefetchMoved(item.id, parentId, prefetch, tenant);
  }
  if (payload.topicIds !== undefined) prefetch(itemTopics, "item", [item.id]);
  if (payload.topicIds) prefetchTopics(payload.topicIds, prefetch);
  prefetchRelatedItems(payload, prefetch);
  if (payload.variants) prefetch(productVariants, "product", [item.id]);
  if ((payload.components || payload.variants) && item.shapeIdentifier) {
    prefetchShape(item.shapeIdentifier, prefetch, (prefetch) => prefetch(itemContents, "item", [item.id]));
  }
}

/** Declares the segments under the new parent of a moved item, in all its languages. */
function prefetchMoved(id: string, parentId: string, prefetch: Prefetch, tenant: Tenant): void {
  prefetch(itemContents, "item", [id], ({ name, language }: ItemContentRow, prefetch) => {
    prefetchSegment(parentId, { name, language }, prefetch, tenant);
    if (hasFormerPaths(tenant, language)) prefetch(itemFormerPaths, "history", [id, language]);
  });
}

function prefetchRelatedItems({ components, variants }: Written<ItemPayload>, prefetch: Prefetch): void {
  if (components) prefetchRelated(components, prefetch);
  variants?.forEach(({ components }) => {
    if (components) prefetchRelated(components, prefetch);
  });
}

/** Declares the draft, and the published version if the draft's segment changes. */
function prefetchDraft({ id }: ItemRow, { name, language }: Written<ItemPayload>, prefetch: Prefetch): void {
  const follow = (draft: ItemContentRow, prefetch: Prefetch) => {
    if (!draft.isPublished || name === undefined || draft.name === name || hasTemplate(name)) return;
    if (draft.segment !== slug(name)) prefetch(itemContents, "key", [id, language, "published"]);
  };
  prefetch(itemContents, "key", [id, language, "draft"], follow);
}
