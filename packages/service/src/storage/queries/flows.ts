import { type FlowItemRow, flowItems } from "../collections/flow-items.ts";
import { type FlowStageRow, flowStages } from "../collections/flow-stages.ts";
import { type FlowRow, flows } from "../collections/flows.ts";
import type { Queries } from "../database.ts";
import { listRows } from "../pages/list.ts";
import type { Page, PageRequest } from "../pages/page.ts";
import type { UnitOfWork } from "../unit-of-work/unit-of-work.ts";
import { rowsByKey } from "./rows.ts";

export const findFlow = async (queries: Queries, tenantId: string, identifier: string) =>
  (await rowsByKey(queries, tenantId, flows, "identifier", [identifier])).get(identifier);

export const stagesByIdentifier = (queries: Queries, tenantId: string, identifiers: readonly string[]) =>
  rowsByKey(queries, tenantId, flowStages, "identifier", identifiers);

export function listFlows(queries: Queries, tenantId: string, request: PageRequest): Promise<Page<FlowRow>> {
  const list = {
    select: `SELECT ${flows.sql.columnList} FROM flows t`,
    conditions: [],
    parameters: [],
    order: ["t.identifier"],
    keyOf: ({ identifier }: FlowRow) => [identifier],
  };
  return listRows(queries, tenantId, list, request);
}

/** Flows restricted to a shape, among others, such as `the flow "review"`: at most `most`. */
export async function flowsRestrictedTo(unit: UnitOfWork, shape: string, most: number): Promise<string[]> {
  const found = await unit.ask<{ identifier: string }>(
    `SELECT identifier FROM flows t WHERE t.tenant_id = $1
       AND t.restrictions::jsonb #> '{item,acceptedShapeIdentifiers}' @> to_jsonb($2::text)
     ORDER BY identifier LIMIT $3`,
    [shape, most],
  );
  return found.map(({ identifier }) => `the flow "${identifier}"`);
}

/** The stages of flows in their order, by the flow's identifier. */
export async function stagesOfFlows(
  queries: Queries,
  tenantId: string,
  identifiers: readonly string[],
): Promise<Map<string, FlowStageRow[]>> {
  const rows = await queries.query<FlowStageRow>(
    `SELECT ${flowStages.sql.columnList} FROM flow_stages t
     WHERE t.tenant_id = $1 AND t.flow_identifier = ANY($2::text[]) ORDER BY t.position`,
    [tenantId, identifiers],
  );
  return Map.groupBy(rows, ({ flowIdentifier }) => flowIdentifier);
}

/** The index of a stage's items begins with its flow, which the stage determines. */
const inStage = `t.flow_identifier = (
    SELECT s.flow_identifier FROM flow_stages s WHERE s.tenant_id = $1 AND s.identifier = $2)
  AND t.stage_identifier = $2`;

/** A stage's items, in the order they entered it. */
export function listFlowItems(
  queries: Queries,
  tenantId: string,
  stageIdentifier: string,
  request: PageRequest,
): Promise<Page<FlowItemRow>> {
  const list = {
    select: `SELECT ${flowItems.sql.columnList} FROM flow_items t`,
    conditions: [inStage],
    parameters: [stageIdentifier],
    order: ["t.sort_key"],
    keyOf: ({ sortKey }: FlowItemRow) => [sortKey],
  };
  return listRows(queries, tenantId, list, request);
}

/** The entries of these items in a stage, as a whole and in languages. */
export const flowItemsIn = (
  queries: Queries,
  tenantId: string,
  stageIdentifier: string,
  itemIds: readonly string[],
): Promise<FlowItemRow[]> =>
  queries.query<FlowItemRow>(
    `SELECT ${flowItems.sql.columnList} FROM flow_items t
     WHERE t.tenant_id = $1 AND t.stage_identifier = $2 AND t.item_id = ANY($3::text[]) ORDER BY t.sort_key`,
    [tenantId, stageIdentifier, itemIds],
  );
