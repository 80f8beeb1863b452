import { GraphQLInt, GraphQLNonNull, GraphQLObjectType, GraphQLString } from "graphql";
import { type WebhookDelivery as Delivery, deliveryStatuses } from "../../../storage/webhooks/deliveries.ts";
import { eventId } from "../../../webhooks/event.ts";
import { lenientEnum } from "../../derive/input-types.ts";
import { id, integer, listOf, text, time } from "../../derive/non-null.ts";
import { GraphQLDateTime } from "../../derive/scalars.ts";

export const Webhook = new GraphQLObjectType({
  name: "Webhook",
  description: "The tenant's webhook, which is notified when a bulk task ends.",
  fields: {
    url: {
      type: GraphQLString,
      description: "The default URL for tasks; null: only tasks with their own URL send events.",
    },
    createdAt: { type: time },
    rotatedAt: { type: GraphQLDateTime, description: "When its secret was last replaced." },
    previousUntil: {
      type: GraphQLDateTime,
      description: "When the old secret stops signing; null if only the current one signs.",
    },
  },
});

export const ChangedWebhook = new GraphQLObjectType({
  name: "ChangedWebhook",
  fields: {
    webhook: { type: new GraphQLNonNull(Webhook) },
    secret: {
      type: GraphQLString,
      description: "The new secret, which is not shown again; null if the webhook kept its secret.",
    },
  },
});

export const WebhookDeliveryStatus = lenientEnum("WebhookDeliveryStatus", deliveryStatuses);

const Try = new GraphQLObjectType({
  name: "WebhookTry",
  fields: {
    at: { type: time },
    durationMs: { type: integer },
    statusCode: { type: GraphQLInt, description: "Null when the host did not answer." },
    error: { type: GraphQLString, description: "Why it failed; null if it was accepted." },
  },
});

export const WebhookDelivery = new GraphQLObjectType<Delivery>({
  name: "WebhookDelivery",
  description: "The event of a task's end, with its delivery tries.",
  fields: {
    id: {
      type: id,
      description: "Its `webhook-id`, the same in every try.",
      resolve: ({ taskId }) => eventId(taskId),
    },
    taskId: { type: id },
    url: { type: text },
    status: {
      type: new GraphQLNonNull(WebhookDeliveryStatus),
      description:
        "`failed`: no further try is made. `dropped`: the webhook was removed before the event was accepted.",
    },
    createdAt: { type: time },
    nextTryAt: { type: GraphQLDateTime, description: "Null unless it is pending." },
    tries: { type: listOf(Try) },
  },
});
