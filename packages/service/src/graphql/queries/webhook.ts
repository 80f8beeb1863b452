import { GraphQLID } from "graphql";
import { type DeliveryFilter, listDeliveries } from "../../storage/webhooks/deliveries.ts";
import { requireWebhook } from "../../webhooks/setting.ts";
import { filterType } from "../derive/input-types.ts";
import { plainField, resultField } from "../root-fields.ts";
import { connection, forwardArguments, type PageArguments, pageRequest } from "../types/connection.ts";
import { resultUnion } from "../types/result-union.ts";
import { Webhook, WebhookDelivery, WebhookDeliveryStatus } from "../types/tenant/webhook.ts";

const DeliveryFilterInput = filterType("WebhookDeliveryFilter", {
  taskId: { type: GraphQLID },
  status: { type: WebhookDeliveryStatus },
});

interface DeliveryArguments extends PageArguments {
  filter?: DeliveryFilter | null;
}

export const webhookQueries = {
  webhook: resultField({
    type: resultUnion("WebhookResult", [Webhook]),
    description: "The tenant's webhook; for admin tokens.",
    // A URL may contain a secret.
    right: "readWebhook",
    resolve: async (_given, { services, tenant }) => requireWebhook(services.database, tenant.id),
  }),
  webhookDeliveries: plainField<DeliveryArguments>({
    type: connection(WebhookDelivery),
    description: "The events of ended tasks with their delivery tries, newest task first; for admin tokens.",
    args: { filter: { type: DeliveryFilterInput }, ...forwardArguments },
    right: "readWebhook",
    async resolve({ filter, ...given }, { services, tenant }) {
      const page = await listDeliveries(services.database, tenant.id, filter ?? {}, pageRequest(given));
      return { page, after: given.after };
    },
  }),
};
