import { publishedBelow } from "../../rules/publishing.ts";
import { type ItemContentRow, itemContents } from "../../storage/collections/item-contents.ts";
import { items } from "../../storage/collections/items.ts";
import type { UnitOfWork } from "../../storage/unit-of-work.ts";
import type { Command } from "../command.ts";
import { requireLanguage } from "../settings.ts";
import { requireNamedItem, wantItem } from "./write/find.ts";

/** Takes back what is published of an item in one language, with `includeDescendants` of all below it too. */
export const command: Command<"item/unpublish"> = {
  keys: ({ itemId, resourceIdentifier, language }, want) =>
    wantItem({ itemId, resourceIdentifier }, want, ({ id }, want) =>
      want(itemContents, "key", [id, language, "published"]),
    ),
  async execute({ unit, tenant }, payload) {
    const { language, includeDescendants } = payload;
    requireLanguage(tenant, language);
    const item = await requireNamedItem(unit, payload);
    const published = includeDescendants
      ? await publishedBelow(unit, item, language)
      : await publishedOf(unit, item.id, language);
    for (const content of published) unit.remove(itemContents, content);
    return {
      action: published.length > 0 ? "unpublished" : "unchanged",
      output: { id: item.id, language },
    };
  },
};

async function publishedOf(unit: UnitOfWork, id: string, language: string): Promise<ItemContentRow[]> {
  const owner = { collection: items, key: id };
  const published = await unit.getUnder(owner, itemContents, id, language, "published");
  return published === undefined ? [] : [published];
}
