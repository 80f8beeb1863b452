import { GraphQLObjectType } from "graphql";
import type { FailureGroup as Group } from "../../../storage/task-details/failures.ts";
import type { CoreContext } from "../../context.ts";
import { boolean, integer, text } from "../../derive/non-null.ts";
import { connection } from "../connection.ts";

const FailureGroup = new GraphQLObjectType<Group, CoreContext>({
  name: "FailureGroup",
  description: "Operations of a bulk task that failed for the same reason.",
  fields: {
    cause: {
      type: text,
      description: "Their message with quoted values, ids and numbers replaced by `…`.",
    },
    errorName: { type: text },
    statusCode: { type: integer },
    intent: { type: text },
    count: { type: integer, description: "The number of operations." },
    firstIndex: { type: integer, description: "The index of the first of them in the file." },
    sampleMessage: {
      type: text,
      description: "The message of the first of them; the cause once its entry was pruned.",
      resolve: async (group, _given, { loaders }) => (await loaders.failureMessage(group)) ?? group.cause,
    },
    hasOneMessage: {
      type: boolean,
      description:
        "True: all of them have the sample's message. False where that is unknown, for several logged by an earlier version.",
    },
  },
});

export const FailureGroupConnection = connection(FailureGroup);
