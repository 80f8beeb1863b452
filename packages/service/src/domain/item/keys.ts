import { hasTemplate, slug, type Written } from "@lading/schema";
import { itemAliases } from "../../storage/collections/item-aliases.ts";
import { type ItemContentRow, itemContents } from "../../storage/collections/item-contents.ts";
import { itemFormerPaths, pathHash } from "../../storage/collections/item-former-paths.ts";
import { itemShortcuts } from "../../storage/collections/item-shortcuts.ts";
import { itemTopics } from "../../storage/collections/item-topics.ts";
import { type ItemRow, items } from "../../storage/collections/items.ts";
import { productVariants } from "../../storage/collections/product-variants.ts";
import type { Tenant } from "../../storage/tenants/tenant.ts";
import type { Want } from "../../storage/unit-of-work.ts";
import { wantShape } from "../content/compiled-content.ts";
import { wantRelated } from "../content/uses.ts";
import { wantItem } from "./find.ts";
import { hasVariants, type ItemKind, type ItemPayload } from "./kinds.ts";
import { wantTopics } from "./set-topics.ts";

/** Declares the rows that `createItem` asks for. */
export function wantForCreate(
  kind: ItemKind,
  payload: Written<ItemPayload>,
  want: Want,
  tenant: Tenant,
): void {
  const { shapeIdentifier, resourceIdentifier, externalReference, variants } = payload;
  const parentId = payload.tree?.parentId ?? tenant.rootItemId;
  if (shapeIdentifier) wantShape(shapeIdentifier, want);
  if (resourceIdentifier) want(items, "resourceIdentifier", [resourceIdentifier]);
  want(items, "key", [parentId]);
  wantSegment(parentId, payload, want, tenant);
  if (payload.topicIds) wantTopics(payload.topicIds, want);
  wantRelatedItems(payload, want);
  if (!hasVariants(kind)) return;
  if (variants === undefined && externalReference) want(productVariants, "sku", [externalReference]);
  variants?.forEach(({ sku }) => {
    want(productVariants, "sku", [sku]);
  });
}

/** Declares the rows that `updateItem` asks for. */
export function wantForUpdate(payload: Written<ItemPayload>, want: Want, tenant: Tenant): void {
  wantItem(payload, want, (item, want) => wantOfItem(item, payload, want, tenant));
}

/**
 * Declares the segment before the key: while the name is unchanged, both find the same row, which is then read once.
 */
function wantOfItem(item: ItemRow, payload: Written<ItemPayload>, want: Want, tenant: Tenant): void {
  const parentId = payload.tree?.parentId ?? item.parentId;
  if (parentId !== null) wantSegment(parentId, payload, want, tenant);
  // The value of this template is not known yet; most often it is the parent that the item has.
  if (parentId !== null && item.parentId !== null && hasTemplate(parentId))
    wantSegment(item.parentId, payload, want, tenant);
  wantDraft(item, payload, want);
  if (parentId !== item.parentId) {
    want(items, "key", [parentId]);
    want(itemShortcuts, "key", [item.id, parentId]);
    if (parentId !== null && !hasTemplate(parentId)) wantMoved(item.id, parentId, want, tenant);
  }
  if (payload.topicIds !== undefined) want(itemTopics, "item", [item.id]);
  if (payload.topicIds) wantTopics(payload.topicIds, want);
  wantRelatedItems(payload, want);
  if (payload.variants) want(productVariants, "product", [item.id]);
  if ((payload.components || payload.variants) && item.shapeIdentifier) {
    wantShape(item.shapeIdentifier, want, (want) => want(itemContents, "item", [item.id]));
  }
}

/** Declares the segments under the new parent of an item that moves, in all its languages. */
function wantMoved(id: string, parentId: string, want: Want, tenant: Tenant): void {
  want(itemContents, "item", [id], ({ name, language }: ItemContentRow, want) => {
    wantSegment(parentId, { name, language }, want, tenant);
    if (tenant.formerPathLanguages.includes(language)) want(itemFormerPaths, "history", [id, language]);
  });
}

function wantRelatedItems({ components, variants }: Written<ItemPayload>, want: Want): void {
  wantRelated(components, want);
  variants?.forEach((variant) => {
    wantRelated(variant.components, want);
  });
}

/** Declares the draft, and the published version if the draft gets another segment. */
function wantDraft({ id }: ItemRow, { name, language }: Written<ItemPayload>, want: Want): void {
  const follow = (draft: ItemContentRow, want: Want) => {
    if (!draft.isPublished || name === undefined || draft.name === name || hasTemplate(name)) return;
    if (draft.segment !== slug(name)) want(itemContents, "key", [id, language, "published"]);
  };
  want(itemContents, "key", [id, language, "draft"], follow);
}

function wantSegment(
  parentId: string,
  { name, language }: Written<ItemPayload>,
  want: Want,
  tenant: Tenant,
): void {
  if (name === undefined || hasTemplate(name)) return;
  const segment = slug(name);
  if (segment === "") return;
  want(itemContents, "path", [parentId, language, segment]);
  const hasAliases = tenant.aliasLanguages.includes(language);
  const hasHistory = tenant.formerPathLanguages.includes(language);
  if (!hasAliases && !hasHistory) return;
  wantPath({ parentId, language, path: `/${segment}` }, want, tenant, (path, want) => {
    if (hasAliases) want(itemAliases, "key", [language, path]);
    if (hasHistory) want(itemFormerPaths, "path", [language, pathHash(path)]);
  });
}

/** Declares the folders above an item, and calls back with the path that the drafts give it. */
function wantPath(
  { parentId, language, path }: { parentId: string; language: string; path: string },
  want: Want,
  tenant: Tenant,
  follow: (path: string, want: Want) => void,
): void {
  if (parentId === tenant.rootItemId) {
    follow(path, want);
    return;
  }
  want(itemContents, "key", [parentId, language, "published"]);
  want(itemContents, "key", [parentId, language, "draft"], ({ parentId, segment }: ItemContentRow, want) => {
    if (parentId !== null) wantPath({ parentId, language, path: `/${segment}${path}` }, want, tenant, follow);
  });
}

/** Follows a draft that will be published to the former paths of items that are equal to its path. */
export const wantFormerPaths =
  (tenant: Tenant) =>
  ({ language, parentId, segment }: ItemContentRow, want: Want): void => {
    if (parentId === null) return;
    wantPath({ parentId, language, path: `/${segment}` }, want, tenant, (path, want) => {
      want(itemFormerPaths, "path", [language, pathHash(path)]);
    });
  };
