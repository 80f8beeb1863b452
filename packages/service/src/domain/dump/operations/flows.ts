import { flowItems } from "../../../storage/collections/flow-items.ts";
import { type FlowStageRow, flowStages } from "../../../storage/collections/flow-stages.ts";
import { flows } from "../../../storage/collections/flows.ts";
import { rowsWith } from "../../../storage/pages/keyset.ts";
import type { ReadKind } from "../dumped-tenant.ts";
import { operation } from "../operation.ts";
import { bytesOf, groupsOf, pagesOf } from "../pages.ts";

/**
 * Reads flows with their stages; then their items, in the order they entered their stage; then the restrictions,
 * because items already in a flow stay when its restrictions change.
 */
export const readFlows: ReadKind = async function* (dumped) {
  const { tenant, page } = dumped;
  for await (const rows of pagesOf(dumped, flows)) {
    const rowBy = new Map(rows.map((row) => [row.identifier, row]));
    for await (const identifiers of groupsOf(dumped, [...rowBy.keys()], [stageBytes])) {
      const stages = await page((queries) =>
        rowsWith(queries, tenant.id, flowStages, "flowIdentifier", identifiers),
      );
      yield identifiers
        .flatMap((identifier) => rowBy.get(identifier) ?? [])
        .map(({ createdAt, updatedAt, restrictions, ...fields }) =>
          operation("flow/upsert", {
            ...fields,
            ...(restrictions === null && { restrictions }),
            stages: stagesOf(stages.get(fields.identifier) ?? []),
          }),
        );
    }
  }
  for await (const rows of pagesOf(dumped, flowItems, ["stageIdentifier", "sortKey"]))
    yield rows.map(({ stageIdentifier, itemId, language, version, actionConfig }) =>
      operation("item/flow/stage/addItems", {
        stageIdentifier,
        items: [{ id: itemId, version, ...(language !== "" && { language }) }],
        actionConfig,
      }),
    );
  for await (const rows of pagesOf(dumped, flows))
    yield rows
      .filter(({ restrictions }) => restrictions !== null)
      .map(({ identifier, restrictions }) => operation("flow/update", { identifier, restrictions }));
};

const stageBytes = bytesOf(flowStages, "flowIdentifier");

const stagesOf = (stages: readonly FlowStageRow[]) =>
  stages
    .toSorted((a, b) => a.position - b.position)
    .map(({ identifier, name, meta, actions }) => ({ identifier, name, meta, actions }));
