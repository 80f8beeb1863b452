import { reject } from "../../errors.ts";
import type { FlowRow } from "../../storage/collections/flows.ts";
import { findFlow, flowItemsIn, listFlowItems, listFlows } from "../../storage/queries/flows.ts";
import type { CoreContext } from "../context.ts";
import { text } from "../derive/non-null.ts";
import { resultField } from "../root-fields.ts";
import { connection, type PageArguments, pageArguments, pageRequest } from "../types/connection.ts";
import { Flow, FlowContent } from "../types/flow.ts";
import { resultUnion } from "../types/result-union.ts";

/** The flow with this identifier. Rejects with `FlowNotFoundError`. */
export async function readFlow({ services, tenant }: CoreContext, identifier: string): Promise<FlowRow> {
  const flow = await findFlow(services.database, tenant.id, identifier);
  return flow ?? reject("FlowNotFoundError", `No flow has the identifier "${identifier}"`, ["identifier"]);
}

/** The items among `content` that are in a stage. */
export const readContent = async (
  { services, tenant }: CoreContext,
  stageIdentifier: string,
  itemIds: readonly string[],
) => ({ content: await flowItemsIn(services.database, tenant.id, stageIdentifier, itemIds) });

export const flowQueries = {
  flow: resultField<{ identifier: string }>({
    type: resultUnion("FlowResult", [Flow]),
    description: "A flow with its stages.",
    args: { identifier: { type: text } },
    resolve: ({ identifier }, context) => readFlow(context, identifier),
  }),
  flows: resultField<PageArguments>({
    type: resultUnion("FlowsResult", [connection(Flow)]),
    description: "The tenant's flows, ordered by identifier.",
    args: pageArguments,
    resolve: async (given, { services, tenant }) => ({
      page: await listFlows(services.database, tenant.id, pageRequest(given)),
      after: given.after,
    }),
  }),
  flowContent: resultField<PageArguments & { stageIdentifier: string }>({
    type: resultUnion("FlowContentResult", [connection(FlowContent)]),
    description: "The items in a stage, in the order they entered it.",
    args: { stageIdentifier: { type: text }, ...pageArguments },
    async resolve({ stageIdentifier, ...given }, { services, tenant, loaders }) {
      const request = pageRequest(given);
      if ((await loaders.stage(stageIdentifier)) === undefined)
        reject("FlowStageNotFoundError", `No flow has the stage "${stageIdentifier}"`, ["stageIdentifier"]);
      return {
        page: await listFlowItems(services.database, tenant.id, stageIdentifier, request),
        after: given.after,
      };
    },
  }),
};
