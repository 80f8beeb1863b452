import type { JsonPath } from "@lading/schema";
import { reject } from "../../errors.ts";
import { type ItemContentRow, itemContents } from "../../storage/collections/item-contents.ts";
import { type ItemRow, items } from "../../storage/collections/items.ts";
import type { UnitOfWork } from "../../storage/unit-of-work/unit-of-work.ts";
import { refuseAliasesBelow } from "../path/aliases.ts";
import { type PathChange, updateHistories } from "../path/former-paths.ts";
import {
  aliasOfAnother,
  contentOf,
  freeSegment,
  mayHaveAliases,
  type PathContext,
  pathOf,
  publishedLocation,
  type SegmentOwner,
} from "../path/tree-paths.ts";

/**
 * Moves an item's contents, in every language, under a new parent. Locations are not versioned, so published versions
 * move with the drafts. Returns the changes of the item's paths.
 */
export async function moveContents(
  context: PathContext,
  item: ItemRow,
  parentId: string,
): Promise<PathChange[]> {
  const owner = { collection: items, key: item.id };
  const contents = await context.unit.findUnder(owner, itemContents, "item", item.id);
  const changes: PathChange[] = [];
  for (const draft of contents.filter(({ version }) => version === "draft")) {
    const { itemId, language } = draft;
    const published = contents.find((other) => other.language === language && other.version === "published");
    const version = published === undefined ? "draft" : "published";
    const former = await pathOf(context, itemId, language, version);
    changes.push({ itemId, language, version, former, below: item.type === "folder" });
    await moveContent(context, draft, published, parentId);
  }
  return changes;
}

async function moveContent(
  context: PathContext,
  draft: ItemContentRow,
  published: ItemContentRow | undefined,
  parentId: string,
): Promise<void> {
  const { itemId, language } = draft;
  const owner = { itemId, parentId, language };
  const segment = await freeSegment(context, owner, draft.name);
  context.unit.update(itemContents, { ...draft, parentId, segment });
  if (published === undefined || published.segment === null) return;
  const publishedSegment = await freeSegment(context, owner, published.name);
  context.unit.update(itemContents, {
    ...published,
    ...publishedLocation(parentId, publishedSegment, segment),
  });
}

/** A draft's new segment; `before` is the draft with the old segment, if there was one. */
interface Renamed {
  language: string;
  before: ItemContentRow | undefined;
  segment: string | null;
}

/**
 * Handles the consequences of a move or a draft's new segment: a published version keeps its segment, no descendant may
 * get an alias as its path, and histories are updated. Returns the paths that full histories lost.
 */
export async function followPaths(
  context: PathContext,
  { id: itemId, type }: ItemRow,
  moved: readonly PathChange[],
  renamed: Renamed | undefined,
): Promise<string[]> {
  const changes = [...moved];
  const below = type === "folder";
  if (below)
    for (const { language } of moved) await refuseBelow(context, itemId, language, ["tree", "parentId"]);
  if (renamed !== undefined) {
    const { language } = renamed;
    const publishedSegment = renamed.before?.isPublished
      ? await keepPublishedSegment(context.unit, renamed.before, renamed.segment)
      : undefined;
    if (below && publishedSegment !== renamed.segment)
      await refuseBelow(context, itemId, language, ["name"], renamed.segment);
    if (publishedSegment === undefined && !moved.some((change) => change.language === language))
      changes.push({ itemId, language, version: "draft", below });
  }
  return changes.length === 0 ? [] : updateHistories(context, changes);
}

/** Rejects aliases that descendants of a folder would get as paths, by all segments of the folder or only a new one. */
async function refuseBelow(
  context: PathContext,
  itemId: string,
  language: string,
  at: JsonPath,
  segment?: string | null,
): Promise<void> {
  const location = await locationIn(context.unit, itemId, language);
  if (location !== undefined)
    await refuseAliasesBelow(context, location.owner, segment ? [segment] : location.segments, at);
}

/** An item's location in a language, with the segments of its draft and its published version. */
async function locationIn(
  unit: UnitOfWork,
  itemId: string,
  language: string,
): Promise<{ owner: SegmentOwner; segments: string[] } | undefined> {
  const draft = await contentOf(unit, itemId, language, "draft");
  if (!draft?.parentId || draft.segment === null) return undefined;
  const published = draft.isPublished ? await contentOf(unit, itemId, language, "published") : undefined;
  const segments = [...new Set([draft.segment, published?.segment ?? draft.segment])];
  return { owner: { itemId, parentId: draft.parentId, language }, segments };
}

/** Rejects an item if it or a descendant has the path of another item's alias (`PathTakenError`). */
export async function refuseAliasPaths(
  context: PathContext,
  { itemId, language }: Pick<ItemContentRow, "itemId" | "language">,
): Promise<void> {
  if (!mayHaveAliases(context, language)) return;
  const location = await locationIn(context.unit, itemId, language);
  if (location === undefined) return;
  const { owner, segments } = location;
  const alias = await aliasOfAnother(context, owner, segments);
  if (alias !== undefined)
    reject(
      "PathTakenError",
      `"${alias.path}" is an alias of the item ${alias.itemId} in "${language}" by now; remove that alias first`,
    );
  const item = await context.unit.get(items, itemId);
  if (item?.type === "folder") await refuseAliasesBelow(context, owner, segments, []);
}

/** Keeps the published version's segment when its draft gets another; returns that segment. */
async function keepPublishedSegment(
  unit: UnitOfWork,
  before: ItemContentRow,
  segment: string | null,
): Promise<string | null | undefined> {
  const published = await contentOf(unit, before.itemId, before.language, "published");
  if (published === undefined) return undefined;
  const publishedSegment = published.segment ?? before.segment;
  const location = publishedLocation(before.parentId, publishedSegment, segment);
  if (location.segment !== published.segment) unit.update(itemContents, { ...published, ...location });
  return publishedSegment;
}
