import type { Payload } from "@lading/schema";
import type { ShapeType } from "../../storage/collections/shapes.ts";

export type ItemKind = ShapeType;

/** The fields common to all intents that write items; those of each intent are narrower. */
export type ItemPayload = { language: string } & Partial<Payload<"product/upsert">>;

/** A payload that can create an item: of a create or an upsert. */
export type NewItemPayload = ItemPayload & { name: string; shapeIdentifier: string };
