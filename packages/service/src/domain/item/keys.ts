import { hasTemplate, slug, type Written } from "@lading/schema";
import { itemAliases } from "../../storage/collections/item-aliases.ts";
import { type ItemContentRow, itemContents } from "../../storage/collections/item-contents.ts";
import { itemFormerPaths, pathHash } from "../../storage/collections/item-former-paths.ts";
import { itemShortcuts } from "../../storage/collections/item-shortcuts.ts";
import { itemTopics } from "../../storage/collections/item-topics.ts";
import { type ItemRow, items } from "../../storage/collections/items.ts";
import { productVariants } from "../../storage/collections/product-variants.ts";
import type { Tenant } from "../../storage/tenants/tenant.ts";
import type { Prefetch } from "../../storage/unit-of-work/prefetch.ts";
import { prefetchShape } from "../content/compiled-content.ts";
import { prefetchRelated } from "../content/uses.ts";
import { prefetchItem } from "./find.ts";
import { hasVariants, type ItemKind, type ItemPayload } from "./kinds.ts";
import { prefetchTopics } from "./set-topics.ts";

/** Declares the rows that `createItem` asks for. */
export function prefetchForCreate(
  kind: ItemKind,
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
  if (!hasVariants(kind)) return;
  if (variants === undefined && externalReference) prefetch(productVariants, "sku", [externalReference]);
  variants?.forEach(({ sku }) => {
    prefetch(productVariants, "sku", [sku]);
  });
}

/** Declares the rows that `updateItem` asks for. */
export function prefetchForUpdate(payload: Written<ItemPayload>, prefetch: Prefetch, tenant: Tenant): void {
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
  // The value of this template is not known yet; most often it is the parent that the item has.
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

/** Declares the segments under the new parent of an item that moves, in all its languages. */
function prefetchMoved(id: string, parentId: string, prefetch: Prefetch, tenant: Tenant): void {
  prefetch(itemContents, "item", [id], ({ name, language }: ItemContentRow, prefetch) => {
    prefetchSegment(parentId, { name, language }, prefetch, tenant);
    if (tenant.formerPathLanguages.includes(language)) prefetch(itemFormerPaths, "history", [id, language]);
  });
}

function prefetchRelatedItems({ components, variants }: Written<ItemPayload>, prefetch: Prefetch): void {
  prefetchRelated(components, prefetch);
  variants?.forEach((variant) => {
    prefetchRelated(variant.components, prefetch);
  });
}

/** Declares the draft, and the published version if the draft gets another segment. */
function prefetchDraft({ id }: ItemRow, { name, language }: Written<ItemPayload>, prefetch: Prefetch): void {
  const follow = (draft: ItemContentRow, prefetch: Prefetch) => {
    if (!draft.isPublished || name === undefined || draft.name === name || hasTemplate(name)) return;
    if (draft.segment !== slug(name)) prefetch(itemContents, "key", [id, language, "published"]);
  };
  prefetch(itemContents, "key", [id, language, "draft"], follow);
}

function prefetchSegment(
  parentId: string,
  { name, language }: Written<ItemPayload>,
  prefetch: Prefetch,
  tenant: Tenant,
): void {
  if (name === undefined || hasTemplate(name)) return;
  const segment = slug(name);
  if (segment === "") return;
  prefetch(itemContents, "path", [parentId, language, segment]);
  const hasAliases = tenant.aliasLanguages.includes(language);
  const hasHistory = tenant.formerPathLanguages.includes(language);
  if (!hasAliases && !hasHistory) return;
  prefetchPath({ parentId, language, path: `/${segment}` }, prefetch, tenant, (path, prefetch) => {
    if (hasAliases) prefetch(itemAliases, "key", [language, path]);
    if (hasHistory) prefetch(itemFormerPaths, "path", [language, pathHash(path)]);
  });
}

/** Declares the folders above an item, and calls back with the path that the drafts give it. */
function prefetchPath(
  { parentId, language, path }: { parentId: string; language: string; path: string },
  prefetch: Prefetch,
  tenant: Tenant,
  follow: (path: string, prefetch: Prefetch) => void,
): void {
  if (parentId === tenant.rootItemId) {
    follow(path, prefetch);
    return;
  }
  prefetch(itemContents, "key", [parentId, language, "published"]);
  prefetch(
    itemContents,
    "key",
    [parentId, language, "draft"],
    ({ parentId, segment }: ItemContentRow, prefetch) => {
      if (parentId !== null)
        prefetchPath({ parentId, language, path: `/${segment}${path}` }, prefetch, tenant, follow);
    },
  );
}

/** Follows a draft that will be published to the former paths of items that are equal to its path. */
export const prefetchFormerPaths =
  (tenant: Tenant) =>
  ({ language, parentId, segment }: ItemContentRow, prefetch: Prefetch): void => {
    if (parentId === null) return;
    prefetchPath({ parentId, language, path: `/${segment}` }, prefetch, tenant, (path, prefetch) => {
      prefetch(itemFormerPaths, "path", [language, pathHash(path)]);
    });
  };
