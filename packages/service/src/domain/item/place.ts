import type { JsonPath } from "@lading/schema";
import { type ItemContentRow, itemContents } from "../../storage/collections/item-contents.ts";
import { type ItemRow, items } from "../../storage/collections/items.ts";
import type { UnitOfWork } from "../../storage/unit-of-work/unit-of-work.ts";
import { refuseAliasesBelow } from "../path/aliases.ts";
import { type PathChange, updateHistories } from "../path/former-paths.ts";
import { contentOf, freeSegment, type PathContext, pathOf, publishedPlace } from "../path/tree-paths.ts";

/**
 * Moves the contents of an item, in every language, under a new parent. A place is not versioned, so published versions
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
  context.unit.update(itemContents, { ...published, ...publishedPlace(parentId, publishedSegment, segment) });
}

/** A new segment of a draft; `before` is the draft with the old segment, if there was one. */
interface Renamed {
  language: string;
  before: ItemContentRow | undefined;
  segment: string | null;
}

/**
 * Does what a move or a new segment of a draft entails: a published version keeps its segment, no item below may get
 * the path of an alias, and histories are updated. Returns the paths that full histories lost.
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

/**
 * Rejects aliases that items below a folder would get as paths, by all segments of the folder or by a new one alone.
 */
async function refuseBelow(
  context: PathContext,
  itemId: string,
  language: string,
  at: JsonPath,
  segment?: string | null,
): Promise<void> {
  const draft = await contentOf(context.unit, itemId, language, "draft");
  if (!draft?.parentId || draft.segment === null) return;
  const published = draft.isPublished
    ? await contentOf(context.unit, itemId, language, "published")
    : undefined;
  const all = [draft.segment, published?.segment ?? draft.segment];
  const owner = { itemId, parentId: draft.parentId, language };
  await refuseAliasesBelow(context, owner, segment ? [segment] : [...new Set(all)], at);
}

/** Keeps the segment of the published version when its draft gets another; returns that segment. */
async function keepPublishedSegment(
  unit: UnitOfWork,
  before: ItemContentRow,
  segment: string | null,
): Promise<string | null | undefined> {
  const published = await contentOf(unit, before.itemId, before.language, "published");
  if (published === undefined) return undefined;
  const publishedSegment = published.segment ?? before.segment;
  const place = publishedPlace(before.parentId, publishedSegment, segment);
  if (place.segment !== published.segment) unit.update(itemContents, { ...published, ...place });
  return publishedSegment;
}
