import { GraphQLInt, GraphQLNonNull, GraphQLObjectType, GraphQLString } from "graphql";
import { type WebhookDelivery as Delivery, deliveryStatuses } from "../../../storage/webhooks/deliveries.ts";
import { eventId } from "../../../webhooks/event.ts";
import { lenientEnum } from "../../derive/lenient-enum.ts";
import { id, integer, listOf, text, time } from "../../derive/non-null.ts";
import { GraphQLDateTime } from "../../derive/scalars.ts";

export const Webhook = new GraphQLObjectType({
  name: "Webhook",
  description: "The tenant's webhook, which is told when a bulk task has ended.",
  fields: {
    url: {
      type: GraphQLString,
      description: "The address for tasks that name none; null: only tasks that name one are told of.",
    },
    createdAt: { type: time },
    rotatedAt: { type: GraphQLDateTime, description: "The time at which its secret was replaced last." },
    previousUntil: {
      type: GraphQLDateTime,
      description: "The time until which the secret before signs too; null when the current one signs alone.",
    },
  },
});

export const ChangedWebhook = new GraphQLObjectType({
  name: "ChangedWebhook",
  fields: {
    webhook: { type: new GraphQLNonNull(Webhook) },
    secret: {
      type: GraphQLString,
      description: "The new secret, which is not shown again; null when the webhook has kept its own.",
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
    error: { type: GraphQLString, description: "The reason why it failed; null when it was accepted." },
  },
});

export const WebhookDelivery = new GraphQLObjectType<Delivery>({
  name: "WebhookDelivery",
  description: "The event of a task's end, with the tries to send it.",
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
