import { type ComponentContent, type PieceLookup, same } from "@lading/schema/internal";
import { type ItemContentRow, itemContents } from "../../storage/collections/item-contents.ts";
import { items } from "../../storage/collections/items.ts";
import type { ProductVariantRow } from "../../storage/collections/product-variants.ts";
import type { VariantCopy } from "../../storage/collections/published-variants.ts";
import { type ShapeRow, shapes } from "../../storage/collections/shapes.ts";
import { newId } from "../../storage/ids.ts";
import { contentsInAllLanguages } from "../../storage/queries/publications.ts";
import type { UnitOfWork } from "../../storage/unit-of-work/unit-of-work.ts";
import { type ComponentList, piecesIfShared } from "../content/compiled-content.ts";
import { withoutOrphans } from "../content-rules/orphans.ts";
import { sharesAlready, withShared } from "../content-rules/shared.ts";
import type { ItemToPublish } from "./publishing.ts";

type Components = readonly ComponentContent[];

/** Copies shared content from one language to the published content of another. */
type Share = (
  own: Components,
  drafts: { from: Components; to: Components | undefined },
) => ComponentContent[];

/** The version that is being published, without orphaned content. */
interface Published {
  draft: ItemContentRow;
  variants: readonly ProductVariantRow[];
}

/**
 * Publishes shared content in the item's other published languages, too. A component that still differs between drafts,
 * from before languages shared it, is left as published. Returns true if that changed anything.
 */
export async function publishShared(
  unit: UnitOfWork,
  shape: ShapeRow,
  target: ItemToPublish,
  published: Published,
  now: string,
): Promise<boolean> {
  const shares = {
    components: await shareOf(unit, shape, "components"),
    variants: await shareOf(unit, shape, "variantComponents"),
  };
  if (shares.components === undefined && shares.variants === undefined) return false;
  const contents = target.contents ?? (await contentsOf(unit, target.item.id));
  const { language } = published.draft;
  const drafts = new Map(contents.filter(isDraft).map((draft) => [draft.language, draft]));
  let changed = false;
  for (const row of contents) {
    if (row.version !== "published" || row.language === language) continue;
    const next = nextOf(row, drafts.get(row.language), published, shares);
    if (same(next, row)) continue;
    unit.update(itemContents, {
      ...next,
      versionId: versionOf(next, drafts.get(row.language)),
      updatedAt: now,
    });
    changed = true;
  }
  return changed;
}

const isDraft = ({ version }: ItemContentRow) => version === "draft";

const contentsOf = (unit: UnitOfWork, id: string) =>
  unit.findUnder({ collection: items, key: id }, itemContents, "item", id);

/** The draft's version if the published content equals it, so that publishing the draft changes nothing. */
const versionOf = (published: ItemContentRow, draft: ItemContentRow | undefined): string =>
  draft && draft.name === published.name && same(draft.components, published.components)
    ? draft.versionId
    : newId();

async function shareOf(unit: UnitOfWork, shape: ShapeRow, list: ComponentList): Promise<Share | undefined> {
  const pieces: PieceLookup | undefined = await piecesIfShared(unit, shape, list);
  if (pieces === undefined) return undefined;
  return (own, { from, to }) => {
    const agreed = shape[list].filter(
      (definition) => to === undefined || sharesAlready(to, from, [definition], pieces),
    );
    const shared = withShared(own, from, agreed, pieces);
    return same(shared, own) ? [...own] : withoutOrphans(shared, shape[list], pieces);
  };
}

function nextOf(
  row: ItemContentRow,
  draft: ItemContentRow | undefined,
  published: Published,
  shares: { components: Share | undefined; variants: Share | undefined },
): ItemContentRow {
  const { components: share, variants: shareVariants } = shares;
  const drafts = { from: published.draft.components, to: draft?.components };
  return {
    ...row,
    components: share ? share(row.components, drafts) : row.components,
    variants:
      row.variants?.map((copy) =>
        shareVariants ? nextCopy(copy, row.language, published, shareVariants) : copy,
      ) ?? null,
  };
}

function nextCopy(
  copy: VariantCopy,
  language: string,
  { draft, variants }: Published,
  share: Share,
): VariantCopy {
  const variant = variants.find(({ id }) => id === copy.id);
  const from = variant?.contents[draft.language]?.components;
  if (variant === undefined || from === undefined) return copy;
  const before = copy.contents[language] ?? { name: null, attributes: [], components: [] };
  const components = share(before.components, { from, to: variant.contents[language]?.components });
  if (same(components, before.components)) return copy;
  return { ...copy, contents: { ...copy.contents, [language]: { ...before, components } } };
}

/** Loads, in one query, all languages of the items to publish whose languages share content. */
export async function withAllLanguages(
  unit: UnitOfWork,
  targets: readonly ItemToPublish[],
): Promise<ItemToPublish[]> {
  const shared = new Map<string | null, boolean>([[null, false]]);
  for (const { shapeIdentifier } of targets.map(({ item }) => item)) {
    if (shapeIdentifier === null || shared.has(shapeIdentifier)) continue;
    const shape = await unit.get(shapes, shapeIdentifier);
    const lists = ["components", "variantComponents"] as const;
    const found = await Promise.all(lists.map((list) => shape && piecesIfShared(unit, shape, list)));
    shared.set(shapeIdentifier, found.some(Boolean));
  }
  const ids = targets.filter(({ item }) => shared.get(item.shapeIdentifier)).map(({ item }) => item.id);
  if (ids.length === 0) return [...targets];
  const contents = await contentsInAllLanguages(unit, ids);
  const contentsBy = Map.groupBy(contents, ({ itemId }) => itemId);
  return targets.map((target) => ({ ...target, contents: contentsBy.get(target.item.id) }));
}
