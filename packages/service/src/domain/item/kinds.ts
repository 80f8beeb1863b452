import type { Payload } from "@lading/schema";
import type { ShapeType } from "../../storage/collections/shapes.ts";
import type { CommandResult } from "../command.ts";
import { historyDropped } from "../path/history-dropped.ts";
import { type Removal, removedOf } from "../variant/removals.ts";

export type ItemKind = ShapeType;

/** The fields that the payloads of all intents that write items have in common; those of each intent are narrower. */
export type ItemPayload = { language: string } & Partial<Payload<"product/upsert">>;

/** The differences between the item kinds. */
const kinds: Record<ItemKind, { hasVariants: boolean; createdId(id: string): unknown }> = {
  folder: { hasVariants: false, createdId: (value) => ({ value }) },
  document: { hasVariants: false, createdId: (id) => id },
  product: { hasVariants: true, createdId: (id) => id },
};

/** True if items of this kind are sold, so that they have variants and a VAT type. */
export const hasVariants = (kind: ItemKind): boolean => kinds[kind].hasVariants;

/** The result of a create, to which later operations refer: the id of a folder is `id.value`, of other kinds `id`. */
export const createdItem = (kind: ItemKind, id: string, language: string): CommandResult => ({
  action: "created",
  output: { id: kinds[kind].createdId(id), language, versionLabel: "draft" },
});

/** The result of an update, with or without changes. */
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
