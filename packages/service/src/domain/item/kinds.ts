import type { Payload } from "@lading/schema";
import type { ShapeType } from "../../storage/collections/shapes.ts";
import type { CommandResult } from "../command.ts";
import { historyDropped } from "../path/history-dropped.ts";
import { type Removal, removedOf } from "../variant/removals.ts";

export type ItemKind = ShapeType;

/** What the payloads of all intents that write an item have in common; each intent's own is narrower. */
export type ItemPayload = { language: string } & Partial<Payload<"product/upsert">>;

/** In what the three kinds of item differ. */
const kinds: Record<ItemKind, { hasVariants: boolean; createdId(id: string): unknown }> = {
  folder: { hasVariants: false, createdId: (value) => ({ value }) },
  document: { hasVariants: false, createdId: (id) => id },
  product: { hasVariants: true, createdId: (id) => id },
};

/** Whether items of this kind are sold: they have variants and a VAT type. */
export const hasVariants = (kind: ItemKind): boolean => kinds[kind].hasVariants;

/** What a create answers (spec, Reference result: `folder/create`, `document/create`, `product/create`). */
export const createdItem = (kind: ItemKind, id: string, language: string): CommandResult => ({
  action: "created",
  output: { id: kinds[kind].createdId(id), language, versionLabel: "draft" },
});

/** What an update answers, also one that found nothing to change (spec, Reference result: `product/update`). */
export const updatedItem = (
  id: string,
  language: string,
  changed: boolean,
  went: { lostPaths: readonly string[]; removals: readonly Removal[] },
): CommandResult => ({
  action: changed ? "updated" : "unchanged",
  output: {
    id: { id, language, versionLabel: "draft" },
    ...historyDropped(went.lostPaths),
    ...removedOf(went.removals),
  },
});
