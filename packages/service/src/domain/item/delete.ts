import { reject } from "../../errors.ts";
import { flowItems } from "../../storage/collections/flow-items.ts";
import { itemAliases } from "../../storage/collections/item-aliases.ts";
import { itemContents } from "../../storage/collections/item-contents.ts";
import { itemFormerPaths } from "../../storage/collections/item-former-paths.ts";
import { itemShortcuts } from "../../storage/collections/item-shortcuts.ts";
import { itemTopics } from "../../storage/collections/item-topics.ts";
import { type ItemRow, items } from "../../storage/collections/items.ts";
import { productVariants } from "../../storage/collections/product-variants.ts";
import { publishedVariants } from "../../storage/collections/published-variants.ts";
import { countRows } from "../../storage/queries/rows.ts";
import type { Collection } from "../../storage/unit-of-work/collection.ts";
import type { Prefetch } from "../../storage/unit-of-work/prefetch.ts";
import type { UnitOfWork } from "../../storage/unit-of-work/unit-of-work.ts";
import type { Command } from "../command.ts";
import { named } from "../payload/named-row.ts";
import { followSelections } from "../variant/keys.ts";
import { removeVariant, variantsOf } from "../variant/update.ts";
import { prefetchItem, requireNamedItem } from "./find.ts";

/**
 * Deletes an item with its contents in all languages, its aliases, former paths and shortcuts and, for a product, its
 * variants. Removes it from flows; shortcuts inside a folder are deleted with it.
 */
export const deleteItem: Command<"item/delete"> = {
  keys: (payload, prefetch) => prefetchItem(payload, prefetch, prefetchParts),
  async execute({ unit }, payload) {
    const item = await requireNamedItem(unit, payload);
    if (item.parentId === null)
      reject("ConflictError", `${item.id} is the root folder of the tenant, which cannot be deleted`);
    if (item.type === "folder") await refuseChildren(unit, item);
    await removeParts(unit, item);
    if (item.type === "product") await removeVariants(unit, item);
    unit.remove(items, item);
    return { action: "deleted", output: { id: item.id } };
  },
};

/** The collections whose rows belong to an item and are deleted with it. */
const parts = [
  itemContents,
  itemTopics,
  itemAliases,
  itemFormerPaths,
  itemShortcuts,
  flowItems,
] as readonly Collection<object, "item">[];

async function removeParts(unit: UnitOfWork, { id, type }: ItemRow): Promise<void> {
  const owner = { collection: items, key: id };
  for (const part of parts)
    for (const row of await unit.findUnder(owner, part, "item", id)) unit.remove(part, row);
  if (type !== "folder") return;
  for (const shortcut of await unit.findUnder(owner, itemShortcuts, "parent", id))
    unit.remove(itemShortcuts, shortcut);
}

async function removeVariants(unit: UnitOfWork, { id }: ItemRow): Promise<void> {
  for (const variant of await variantsOf(unit, id)) await removeVariant(unit, variant);
  const owner = { collection: items, key: id };
  for (const row of await unit.findUnder(owner, publishedVariants, "product", id))
    unit.remove(publishedVariants, row);
}

function prefetchParts({ id, type }: ItemRow, prefetch: Prefetch): void {
  for (const part of parts) prefetch(part, "item", [id]);
  if (type === "folder") prefetch(itemShortcuts, "parent", [id]);
  if (type !== "product") return;
  prefetch(productVariants, "product", [id], followSelections);
  prefetch(publishedVariants, "product", [id]);
}

async function refuseChildren(unit: UnitOfWork, item: ItemRow): Promise<void> {
  const count = await countRows(unit, items, { parentId: item.id });
  if (count === 0) return;
  const [content] = await unit.findUnder({ collection: items, key: item.id }, itemContents, "item", item.id);
  reject(
    "ItemHasChildrenError",
    `The folder ${named(item, content?.name)} has ${count} ${count === 1 ? "child" : "children"}; delete or move them first`,
  );
}
