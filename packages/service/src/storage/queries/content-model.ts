import { type PieceRow, pieces } from "../collections/pieces.ts";
import { type ShapeRow, shapes } from "../collections/shapes.ts";
import type { Queries } from "../database.ts";
import { listRows } from "../pages/list.ts";
import type { Page, PageRequest } from "../pages/page.ts";
import type { Table } from "../unit-of-work/collection.ts";
import type { UnitOfWork } from "../unit-of-work/unit-of-work.ts";
import { rowsByKey } from "./rows.ts";

export const shapesByIdentifier = (queries: Queries, tenantId: string, identifiers: readonly string[]) =>
  rowsByKey(queries, tenantId, shapes, "identifier", identifiers);

export const piecesByIdentifier = (queries: Queries, tenantId: string, identifiers: readonly string[]) =>
  rowsByKey(queries, tenantId, pieces, "identifier", identifiers);

/** The first identifiers of the tenant's shapes or pieces, including those of the open transaction. */
export async function identifiersOf(
  unit: UnitOfWork,
  kind: "shape" | "piece",
  most: number,
): Promise<string[]> {
  const { table } = kind === "shape" ? shapes : pieces;
  const rows = await unit.ask<{ identifier: string }>(
    `SELECT t.identifier FROM ${table} t WHERE t.tenant_id = $1 ORDER BY t.identifier LIMIT $2`,
    [most],
  );
  return rows.map(({ identifier }) => identifier);
}

export const listShapes = (
  queries: Queries,
  tenantId: string,
  request: PageRequest,
): Promise<Page<ShapeRow>> => listRows<ShapeRow>(queries, tenantId, byIdentifier(shapes), request);

export const listPieces = (
  queries: Queries,
  tenantId: string,
  request: PageRequest,
): Promise<Page<PieceRow>> => listRows<PieceRow>(queries, tenantId, byIdentifier(pieces), request);

const byIdentifier = ({ sql, table }: Table) => ({
  select: `SELECT ${sql.columnList} FROM ${table} t`,
  conditions: [],
  parameters: [],
  order: ["t.identifier"],
  keyOf: (row: { identifier: string }) => [row.identifier],
});
