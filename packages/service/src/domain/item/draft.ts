import { reject } from "../../errors.ts";
import { type ItemContentRow, itemContents } from "../../storage/collections/item-contents.ts";
import { type ItemRow, items } from "../../storage/collections/items.ts";
import { newId } from "../../storage/ids.ts";
import type { UnitOfWork } from "../../storage/unit-of-work/unit-of-work.ts";

type NewDraft = Pick<ItemContentRow, "itemId" | "language" | "parentId" | "segment" | "name" | "components">;

/** The first draft of an item in one language. */
export const newDraft = (draft: NewDraft, now: string): ItemContentRow => ({
  itemId: draft.itemId,
  language: draft.language,
  version: "draft",
  versionId: newId(),
  parentId: draft.parentId,
  segment: draft.segment,
  name: draft.name,
  components: draft.components,
  isPublished: false,
  variants: null,
  updatedAt: now,
});

/** The draft of an item in a language; rejects with `ItemNotFoundError`, listing the languages that the item has. */
export async function requireDraft(
  unit: UnitOfWork,
  item: ItemRow,
  language: string,
  path: (string | number)[] = ["language"],
): Promise<ItemContentRow> {
  const owner = { collection: items, key: item.id };
  const draft = await unit.getUnder(owner, itemContents, item.id, language, "draft");
  if (draft !== undefined) return draft;
  const contents = await unit.findUnder(owner, itemContents, "item", item.id);
  const known = contents
    .filter(({ version }) => version === "draft")
    .map((content) => `"${content.language}"`);
  const existing = known.length === 0 ? "it has none" : `it has ${known.join(", ")}`;
  return reject(
    "ItemNotFoundError",
    `The ${item.type} ${item.id} has nothing in the language "${language}"; ${existing}`,
    path,
  );
}
