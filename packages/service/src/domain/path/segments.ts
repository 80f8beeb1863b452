import { hasTemplate, slug } from "@lading/schema";
import { type ItemAliasRow, itemAliases } from "../../storage/collections/item-aliases.ts";
import { itemContents } from "../../storage/collections/item-contents.ts";
import { itemFormerPaths, pathHash } from "../../storage/collections/item-former-paths.ts";
import { items } from "../../storage/collections/items.ts";
import type { Tenant } from "../../storage/tenants/tenant.ts";
import type { Prefetch } from "../../storage/unit-of-work/prefetch.ts";
import {
  hasAliases,
  hasFormerPaths,
  mayHaveAliases,
  type PathContext,
  pathsUnder,
  prefetchPath,
  type SegmentOwner,
} from "./tree-paths.ts";

/**
 * Finds a free segment for an item of this name: the slug of the name, else with `-2` … `-9`, else with the item's id.
 * A segment is free when no draft and no published version of another item has it under the parent in that language,
 * and when it does not lead to another item's alias.
 */
export async function freeSegment(context: PathContext, owner: SegmentOwner, name: string): Promise<string> {
  const { itemId, parentId, language } = owner;
  const parent = { collection: items, key: parentId };
  return firstFree(slug(name), itemId, async (segment) => {
    const [holder] = await context.unit.findUnder(parent, itemContents, "path", parentId, language, segment);
    if (holder !== undefined) return holder.itemId === itemId;
    return !mayHaveAliases(context, language) || !(await isAliasOfAnother(context, owner, segment));
  });
}

/** The word if it is free, else with `-2` … `-9`, else with the id. An empty word is replaced by the id. */
export async function firstFree(
  word: string,
  id: string,
  isFree: (candidate: string) => Promise<boolean>,
): Promise<string> {
  const base = word || id;
  for (let number = 1; number <= 9; number++) {
    const candidate = number === 1 ? base : `${base}-${number}`;
    if (await isFree(candidate)) return candidate;
  }
  return `${base}-${id}`;
}

/** True when an item with this segment would get the path of another item's alias. */
async function isAliasOfAnother(
  context: PathContext,
  { itemId, parentId, language }: SegmentOwner,
  segment: string,
): Promise<boolean> {
  for (const path of await pathsUnder(context, parentId, language, [segment])) {
    const alias = await aliasAt(context, language, path);
    if (alias !== undefined && alias.itemId !== itemId) return true;
  }
  return false;
}

/** Finds an alias by its path. Asks the database only if the tenant has aliases in the language. */
async function aliasAt(
  { unit, tenant }: PathContext,
  language: string,
  path: string,
): Promise<ItemAliasRow | undefined> {
  if (hasAliases(tenant, language)) return unit.get(itemAliases, language, path);
  return unit.getWritten(itemAliases, language, path);
}

interface Named {
  name?: string;
  language: string;
}

/** Declares the rows that `freeSegment` asks for. A name that is a template is not known yet. */
export function prefetchSegment(
  parentId: string,
  { name, language }: Named,
  prefetch: Prefetch,
  tenant: Tenant,
): void {
  if (name === undefined || hasTemplate(name)) return;
  const segment = slug(name);
  if (segment === "") return;
  prefetch(itemContents, "path", [parentId, language, segment]);
  const withAliases = hasAliases(tenant, language);
  const withFormerPaths = hasFormerPaths(tenant, language);
  if (!withAliases && !withFormerPaths) return;
  prefetchPath({ parentId, language, path: `/${segment}` }, prefetch, tenant, (path, prefetch) => {
    if (withAliases) prefetch(itemAliases, "key", [language, path]);
    if (withFormerPaths) prefetch(itemFormerPaths, "path", [language, pathHash(path)]);
  });
}
