import type { ComponentContent, ComponentDefinition } from "@lading/schema/internal";
import { type ItemContentRow, itemContents } from "../../storage/collections/item-contents.ts";
import { items } from "../../storage/collections/items.ts";
import type { UnitOfWork } from "../../storage/unit-of-work/unit-of-work.ts";

/** Reads an item's drafts in all other languages, newest first. */
export async function otherDrafts(
  unit: UnitOfWork,
  itemId: string,
  language: string,
): Promise<ItemContentRow[]> {
  const contents = await unit.findUnder({ collection: items, key: itemId }, itemContents, "item", itemId);
  return contents
    .filter((content) => content.version === "draft" && content.language !== language)
    .sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1));
}

export const mentionedIn = (
  payload: readonly ComponentContent[],
  definitions: readonly ComponentDefinition[],
): ComponentDefinition[] =>
  definitions.filter(({ id }) => payload.some(({ componentId }) => componentId === id));
