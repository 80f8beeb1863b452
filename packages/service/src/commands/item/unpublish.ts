import { withdrawFacts } from "../../rules/published-variants.ts";
import { publicationBelow, publicationOf } from "../../rules/publishing.ts";
import { itemContents } from "../../storage/collections/item-contents.ts";
import { publishedVariants } from "../../storage/collections/published-variants.ts";
import type { Command } from "../command.ts";
import { requireLanguage } from "../settings.ts";
import { requireNamedItem, wantItem } from "./write/find.ts";

/** Takes back what is published of an item in one language, with `includeDescendants` of all below it too. */
export const command: Command<"item/unpublish"> = {
  keys: ({ itemId, resourceIdentifier, language }, want) =>
    wantItem({ itemId, resourceIdentifier }, want, ({ id, type }, want) => {
      want(itemContents, "key", [id, language, "published"]);
      if (type === "product") want(publishedVariants, "product", [id]);
    }),
  async execute({ unit, tenant }, payload) {
    const { language, includeDescendants } = payload;
    requireLanguage(tenant, language);
    const item = await requireNamedItem(unit, payload);
    const publication = includeDescendants ? publicationBelow : publicationOf;
    const { contents, facts } = await publication(unit, item, language);
    for (const content of contents) unit.remove(itemContents, content);
    withdrawFacts(unit, facts, language);
    return {
      action: contents.length > 0 ? "unpublished" : "unchanged",
      output: { id: item.id, language },
    };
  },
};
