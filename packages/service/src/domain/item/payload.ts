import type { Payload } from "@lading/schema";
import type { ShapeType } from "../../storage/collections/shapes.ts";

export type ItemKind = ShapeType;

/** The fields that the payloads of all intents that write items have in common; those of each intent are narrower. */
export type ItemPayload = { language: string } & Partial<Payload<"product/upsert">>;

/** A payload that can create an item: of a create or an upsert. */
export type NewItemPayload = ItemPayload & { name: string; shapeIdentifier: string };
