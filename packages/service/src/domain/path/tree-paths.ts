import { hasTemplate, slug } from "@lading/schema/internal";
import { reject } from "../../errors.ts";
import { type ItemAliasRow, itemAliases } from "../../storage/collections/item-aliases.ts";
import {
  type ItemContentRow,
  type ItemVersion,
  itemContents,
} from "../../storage/collections/item-contents.ts";
import { itemFormerPaths, pathHash } from "../../storage/collections/item-former-paths.ts";
import { items } from "../../storage/collections/items.ts";
import type { Tenant } from "../../storage/tenants/tenant.ts";
import type { Loaded } from "../../storage/unit-of-work/loaded.ts";
import type { Prefetch } from "../../storage/unit-of-work/prefetch.ts";
import type { UnitOfWork } from "../../storage/unit-of-work/unit-of-work.ts";

/** The unit of work, and the tenant facts that paths depend on. */
export interface PathContext {
  readonly unit: UnitOfWork;
  readonly tenant: {
    readonly rootItemId: string;
    readonly aliasLanguages: readonly string[];
    readonly formerPathLanguages: readonly string[];
  };
}

const hasAliases = (tenant: PathContext["tenant"], language: string): boolean =>
  tenant.aliasLanguages.includes(language);

export const hasFormerPaths = (tenant: PathContext["tenant"], language: string): boolean =>
  tenant.formerPathLanguages.includes(language);

/** True if the tenant may have aliases in a language, stored or in this batch. Without any, no paths are looked up. */
export const mayHaveAliases = ({ unit, tenant }: PathContext, language: string): boolean =>
  hasAliases(tenant, language) || unit.touched(itemAliases);

/** True if the tenant may have former paths in a language, stored or in this batch. */
export const mayHaveFormerPaths = ({ unit, tenant }: PathContext, language: string): boolean =>
  hasFormerPaths(tenant, language) || unit.touched(itemFormerPaths);

/** The item, parent and language a segment belongs to. */
export interface SegmentOwner {
  itemId: string;
  parentId: string;
  language: string;
}

export const contentOf = (
  unit: UnitOfWork,
  itemId: string,
  language: string,
  version: ItemVersion,
): Loaded<ItemContentRow | undefined> =>
  unit.getUnder({ collection: items, key: itemId }, itemContents, itemId, language, version);

/** The parent and segment to store with a published version: null when the draft has the same segment. */
export const publishedLocation = (
  parentId: string | null,
  segment: string | null,
  draftSegment: string | null,
): Pick<ItemContentRow, "parentId" | "segment"> =>
  segment === draftSegment ? { parentId: null, segment: null } : { parentId, segment };

/**
 * An item's path, such as `/shop/shoes`: the segments of its ancestors and itself. They are those of published versions
 * or of drafts; the draft's if nothing is published. Null if one of them has no content in the language.
 */
export async function pathOf(
  { unit, tenant }: PathContext,
  itemId: string,
  language: string,
  version: ItemVersion,
): Promise<string | null> {
  const segments: string[] = [];
  const passed = new Set<string>();
  for (let id = itemId; id !== tenant.rootItemId; ) {
    refuseCircle(passed, id);
    const location = await locationOf(unit, id, language, version);
    if (location === undefined) return null;
    segments.unshift(location.segment);
    id = location.parentId;
  }
  return `/${segments.join("/")}`;
}

/** Maximum number of paths at which one item is looked up. */
const mostPaths = 64;

/**
 * The paths in a folder that end in one of some segments, now and after any ancestor is published: each folder has its
 * draft's or its published version's segment.
 */
export async function pathsUnder(
  context: PathContext,
  folderId: string,
  language: string,
  segments: readonly string[],
): Promise<string[]> {
  let paths = segments.map((segment) => `/${segment}`);
  const passed = new Set<string>();
  for (let id = folderId; id !== context.tenant.rootItemId; ) {
    refuseCircle(passed, id);
    const draft = await locationOf(context.unit, id, language, "draft");
    const published = await locationOf(context.unit, id, language, "published");
    if (draft === undefined || published === undefined) return [];
    const own = new Set([draft.segment, published.segment]);
    const longer = [...own].flatMap((segment) => paths.map((path) => `/${segment}${path}`));
    paths = own.size > 1 ? withinLimit(longer) : longer;
    id = draft.parentId;
  }
  return paths;
}

/**
 * Rejects an item that was passed on the way up. Only a plan comes to one: it reads its own moves, and those of others
 * while it runs.
 */
function refuseCircle(passed: Set<string>, id: string): void {
  if (passed.has(id))
    reject(
      "ConflictError",
      `The folder ${id} was moved while this was planned, and is below itself; plan again`,
    );
  passed.add(id);
}

/** Keeps the first and the last paths: those of only draft segments, and of only published segments. */
const withinLimit = (paths: string[]): string[] =>
  paths.length <= mostPaths ? paths : [...paths.slice(0, mostPaths / 2), ...paths.slice(-mostPaths / 2)];

async function locationOf(
  unit: UnitOfWork,
  id: string,
  language: string,
  version: ItemVersion,
): Promise<{ parentId: string; segment: string } | undefined> {
  const draft = await contentOf(unit, id, language, "draft");
  if (draft === undefined || draft.parentId === null || draft.segment === null) return undefined;
  const { parentId, segment, isPublished } = draft;
  if (version === "draft" || !isPublished) return { parentId, segment };
  return { parentId, segment: (await contentOf(unit, id, language, version))?.segment ?? segment };
}

/** `/shop/shoes` → `shop`, `shoes` */
const segmentsOf = (path: string): string[] => path.split("/").slice(1);

/** Finds the id of the item at a path, by draft and published segments; undefined when there is none. */
export async function itemAt(
  { unit, tenant }: PathContext,
  language: string,
  path: string,
): Promise<string | undefined> {
  let id: string = tenant.rootItemId;
  for (const segment of segmentsOf(path)) {
    const [content] = await unit.find(itemContents, "path", id, language, segment);
    if (content === undefined) return undefined;
    id = content.itemId;
  }
  return id;
}

export function prefetchItemAt(rootItemId: string, language: string, path: string, prefetch: Prefetch): void {
  const segments = segmentsOf(path);
  const prefetchChild = (parentId: string, index: number, prefetch: Prefetch): void => {
    const follow = ({ itemId }: ItemContentRow, prefetch: Prefetch) =>
      prefetchChild(itemId, index + 1, prefetch);
    if (index < segments.length)
      prefetch(itemContents, "path", [parentId, language, segments[index]], follow);
  };
  prefetchChild(rootItemId, 0, prefetch);
}

/** Declares an item's ancestors, and calls back with the path that the drafts give it. */
export function prefetchPath(
  { parentId, language, path }: { parentId: string; language: string; path: string },
  prefetch: Prefetch,
  tenant: PathContext["tenant"],
  follow: (path: string, prefetch: Prefetch) => void,
  passed = new Set<string>(),
): void {
  if (parentId === tenant.rootItemId) {
    follow(path, prefetch);
    return;
  }
  if (passed.has(parentId)) return; // See refuseCircle.
  passed.add(parentId);
  prefetch(itemContents, "key", [parentId, language, "published"]);
  prefetch(
    itemContents,
    "key",
    [parentId, language, "draft"],
    ({ parentId, segment }: ItemContentRow, prefetch) => {
      if (parentId !== null)
        prefetchPath({ parentId, language, path: `/${segment}${path}` }, prefetch, tenant, follow, passed);
    },
  );
}

/**
 * Finds a free segment for an item of this name: the name's slug, else with `-2` … `-9`, else with the item's id. A
 * segment is free when no draft or published version of another item has it under the parent in that language, and it
 * does not lead to another item's alias.
 */
export async function freeSegment(context: PathContext, owner: SegmentOwner, name: string): Promise<string> {
  const { itemId, parentId, language } = owner;
  const parent = { collection: items, key: parentId };
  return firstFree(slug(name), itemId, async (segment) => {
    const [holder] = await context.unit.findUnder(parent, itemContents, "path", parentId, language, segment);
    if (holder !== undefined) return holder.itemId === itemId;
    return (
      !mayHaveAliases(context, language) || (await aliasOfAnother(context, owner, [segment])) === undefined
    );
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

/** Finds another item's alias that is a path an item with these segments would get. */
export async function aliasOfAnother(
  context: PathContext,
  { itemId, parentId, language }: SegmentOwner,
  segments: readonly string[],
): Promise<ItemAliasRow | undefined> {
  for (const path of await pathsUnder(context, parentId, language, segments)) {
    const alias = await aliasAt(context, language, path);
    if (alias !== undefined && alias.itemId !== itemId) return alias;
  }
  return undefined;
}

/** Finds an alias by its path. Queries the database only if the tenant has aliases in the language. */
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

/** Declares the rows that `freeSegment` reads. A templated name is not known yet. */
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
