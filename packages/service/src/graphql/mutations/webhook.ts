import { GraphQLInputObjectType, GraphQLInt, GraphQLNonNull, GraphQLString } from "graphql";
import { usualPreviousHours, webhookLimits } from "../../webhooks/limits.ts";
import { removeWebhook, rotateSecret, setWebhook, type WebhookScope } from "../../webhooks/setting.ts";
import { type CoreContext, callerOf } from "../context.ts";
import { writeField } from "../root-fields.ts";
import { resultUnion } from "../types/result-union.ts";
import { ChangedWebhook } from "../types/tenant/webhook.ts";
import { deleteCount } from "./mutation-results.ts";

const SetInput = new GraphQLInputObjectType({
  name: "SetWebhookInput",
  fields: {
    url: {
      type: GraphQLString,
      description: "The default URL for tasks. Null: only tasks with their own URL send events.",
    },
  },
});

const RotateInput = new GraphQLInputObjectType({
  name: "RotateWebhookSecretInput",
  fields: {
    previousHours: {
      type: GraphQLInt,
      description:
        `Hours for which the old secret signs, too, at most ${webhookLimits.previousHours}; 0: it ends immediately. ` +
        `Default ${usualPreviousHours}.`,
    },
  },
});

export const webhookMutations = {
  setWebhook: writeField<{ input: { url?: string | null } }>({
    type: resultUnion("SetWebhookResult", [ChangedWebhook]),
    description: "Sets the URL notified when a bulk task ends. The first call makes the secret.",
    args: { input: { type: new GraphQLNonNull(SetInput) } },
    resolve: ({ input }, context) => setWebhook(scopeOf(context), input.url ?? null),
  }),
  rotateWebhookSecret: writeField<{ input?: { previousHours?: number | null } | null }>({
    type: resultUnion("RotateWebhookSecretResult", [ChangedWebhook]),
    description: "Makes a new secret; both secrets sign until the old one expires.",
    args: { input: { type: RotateInput } },
    resolve: ({ input }, context) => rotateSecret(scopeOf(context), input?.previousHours ?? undefined),
  }),
  removeWebhook: writeField({
    type: resultUnion("RemoveWebhookResult", [deleteCount.type]),
    description: "Removes the webhook with its secrets; pending events are not sent.",
    resolve: async (_given, context) => {
      await removeWebhook(scopeOf(context));
      return { removed: 1 };
    },
  }),
};

const scopeOf = (context: CoreContext): WebhookScope => ({
  ...context.services.webhooks,
  database: context.services.database,
  auditor: callerOf(context),
});
