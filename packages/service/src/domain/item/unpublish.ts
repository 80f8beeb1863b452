import { type ItemContentRow, itemContents } from "../../storage/collections/item-contents.ts";
import { itemFormerPaths } from "../../storage/collections/item-former-paths.ts";
import type { ItemRow } from "../../storage/collections/items.ts";
import { publishedVariants } from "../../storage/collections/published-variants.ts";
import type { Tenant } from "../../storage/tenants/tenant.ts";
import type { Prefetch } from "../../storage/unit-of-work/prefetch.ts";
import type { UnitOfWork } from "../../storage/unit-of-work/unit-of-work.ts";
import type { Command, CommandContext } from "../command.ts";
import {
  historyDropped,
  type PathChange,
  prefetchFormerPaths,
  updateHistories,
} from "../path/former-paths.ts";
import { contentOf, hasFormerPaths, pathOf } from "../path/tree-paths.ts";
import { requireLanguage } from "../settings/require.ts";
import { withdrawFacts } from "../variant/published-variants.ts";
import { prefetchItem, requireNamedItem } from "./find.ts";
import { publicationBelow, publicationOf } from "./publishing.ts";

/**
 * Unpublishes an item in one language, with `includeDescendants` all descendants, too. A path that only the published
 * version had becomes a former path.
 */
export const unpublishItem: Command<"item/unpublish"> = {
  keys: ({ itemId, resourceIdentifier, language }, prefetch, tenant) =>
    prefetchItem({ itemId, resourceIdentifier }, prefetch, ({ id, type }, prefetch) => {
      prefetch(itemContents, "key", [id, language, "draft"]);
      prefetch(itemContents, "key", [id, language, "published"], (content, prefetch) =>
        prefetchPaths(content, prefetch, tenant),
      );
      if (type === "product") prefetch(publishedVariants, "product", [id]);
    }),
  async execute(context, payload) {
    const { unit, tenant } = context;
    const { language, includeDescendants } = payload;
    requireLanguage(tenant, language);
    const item = await requireNamedItem(unit, payload);
    const publication = includeDescendants ? publicationBelow : publicationOf;
    const { contents, facts } = await publication(unit, item, language);
    const changes = await pathsToChange(context, item, contents);
    for (const content of contents) await withdraw(unit, content);
    withdrawFacts(unit, facts, language);
    const lost = await updateHistories(context, changes);
    return {
      action: contents.length > 0 ? "unpublished" : "unchanged",
      output: { id: item.id, language, ...historyDropped(lost) },
    };
  },
};

/**
 * Declares the draft and the former paths for a published version with its own segment: the item gets the draft's path.
 */
function prefetchPaths(
  { itemId, language, segment }: ItemContentRow,
  prefetch: Prefetch,
  tenant: Tenant,
): void {
  if (segment === null) return;
  const hasHistory = hasFormerPaths(tenant, language);
  prefetch(
    itemContents,
    "key",
    [itemId, language, "draft"],
    hasHistory ? prefetchFormerPaths(tenant) : undefined,
  );
  if (hasHistory) prefetch(itemFormerPaths, "history", [itemId, language]);
}

/** Removes an item's published version in a language, and marks its draft. */
async function withdraw(unit: UnitOfWork, published: ItemContentRow): Promise<void> {
  const draft = await contentOf(unit, published.itemId, published.language, "draft");
  if (draft !== undefined) unit.update(itemContents, { ...draft, isPublished: false });
  unit.remove(itemContents, published);
}

/** The paths that change by unpublishing: of versions published under another segment than the draft's. */
async function pathsToChange(
  context: CommandContext,
  named: ItemRow,
  published: readonly ItemContentRow[],
): Promise<PathChange[]> {
  await context.unit.prefetch((prefetch) => {
    for (const { itemId, language } of published) prefetch(itemContents, "key", [itemId, language, "draft"]);
  });
  const held = published.filter(({ segment }) => segment !== null);
  const changes: PathChange[] = [];
  for (const { itemId, language } of held) {
    const former = await pathOf(context, itemId, language, "published");
    const below = itemId === named.id && named.type === "folder";
    changes.push({ itemId, language, version: "draft", former, below });
  }
  return changes;
}
