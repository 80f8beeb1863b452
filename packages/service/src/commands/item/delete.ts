import { reject } from "../../errors.ts";
import { itemContents } from "../../storage/collections/item-contents.ts";
import { type ItemRow, items } from "../../storage/collections/items.ts";
import { productVariants } from "../../storage/collections/product-variants.ts";
import type { UnitOfWork, Want } from "../../storage/unit-of-work.ts";
import type { Command } from "../command.ts";
import { requireNamedItem, wantItem } from "./write/find.ts";
import { followSelections } from "./write/variant-keys.ts";
import { removeVariant, variantsOf } from "./write/variants.ts";

/** Deletes an item with its contents in all languages and, of a product, its variants. */
export const command: Command<"item/delete"> = {
  keys: (payload, want) => wantItem(payload, want, wantParts),
  async execute({ unit }, payload) {
    const item = await requireNamedItem(unit, payload);
    if (item.parentId === null)
      reject("ConflictError", `${item.id} is the root folder of the tenant, which cannot be deleted`);
    if (item.type === "folder") await refuseChildren(unit, item);
    const contents = await unit.findUnder({ collection: items, key: item.id }, itemContents, "item", item.id);
    for (const content of contents) unit.remove(itemContents, content);
    if (item.type === "product")
      for (const variant of await variantsOf(unit, item.id)) await removeVariant(unit, variant);
    unit.remove(items, item);
    return { action: "deleted", output: { id: item.id } };
  },
};

function wantParts({ id, type }: ItemRow, want: Want): void {
  want(itemContents, "item", [id]);
  if (type === "product") want(productVariants, "product", [id], followSelections);
}

async function refuseChildren(unit: UnitOfWork, { id }: ItemRow): Promise<void> {
  const [found] = await unit.ask<{ count: number }>(
    "SELECT count(*) AS count FROM items WHERE tenant_id = $1 AND parent_id = $2",
    [id],
  );
  const count = found?.count ?? 0;
  if (count > 0)
    reject(
      "ItemHasChildrenError",
      `The folder ${id} has ${count} ${count === 1 ? "child" : "children"}; delete or move them first`,
    );
}
