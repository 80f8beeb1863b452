import type { ComponentDefinition } from "@lading/schema/internal";
import { type PieceRow, pieces } from "../../src/storage/collections/pieces.ts";
import { type ShapeRow, shapes } from "../../src/storage/collections/shapes.ts";
import { newId } from "../../src/storage/ids.ts";
import { type Collection, columnsOf, propertiesOf } from "../../src/storage/unit-of-work/collection.ts";
import type { Api } from "../http/support.ts";

/** Writes rows directly: what the API reads is tested separately from the commands that write it. */
async function seed<Row extends object>(
  { database }: Api,
  tenantId: string,
  collection: Collection<Row>,
  ...rows: Row[]
): Promise<void> {
  const columns = columnsOf(collection, propertiesOf(collection), rows);
  await database.execute(collection.sql.insert, [tenantId, ...columns]);
}

const now = "2026-01-02T03:04:05.000Z";

const times = { createdAt: now, updatedAt: now };

export const shapeRow = (
  identifier: string,
  type: ShapeRow["type"],
  components: ComponentDefinition[] = [],
  variantComponents: ComponentDefinition[] = [],
): ShapeRow => ({
  identifier,
  revision: newId(),
  type,
  name: `The ${identifier}`,
  meta: null,
  components,
  variantComponents,
  ...times,
});

export const pieceRow = (identifier: string, components: ComponentDefinition[]): PieceRow => ({
  identifier,
  revision: newId(),
  name: `The ${identifier}`,
  components,
  ...times,
});

export const seedShapes = (api: Api, ...rows: ShapeRow[]) => seed(api, api.shop.tenant.id, shapes, ...rows);
export const seedPieces = (api: Api, ...rows: PieceRow[]) => seed(api, api.shop.tenant.id, pieces, ...rows);
