import { GraphQLID, GraphQLInt, GraphQLNonNull, GraphQLObjectType } from "graphql";
import type { Written } from "../../tasks/log/last-change.ts";
import type { CoreContext } from "../context.ts";
import { time } from "../derive/non-null.ts";
import { maximumLastChanges, readsMuch } from "../validation/query-limits.ts";

const LastChange = new GraphQLObjectType({
  name: "LastChange",
  description: "The last change of an entity.",
  fields: {
    at: { type: time },
    taskId: {
      type: GraphQLID,
      description:
        "The bulk task that made it; null: a mutation made it, or its task no longer has before-images to tell. After an " +
        "undo it is the earlier change that the undo restored.",
    },
    operationIndex: {
      type: GraphQLInt,
      description: "The operation's index in the task; null like `taskId`.",
    },
  },
});

/** A field with the last change of an entity, which is in these rows. */
export const lastChangeField = <Source>(writtenOf: (source: Source) => Written) => ({
  type: new GraphQLNonNull(LastChange),
  extensions: readsMuch(),
  description: `Its last change, and the operation that made it; at most ${maximumLastChanges} in one query.`,
  resolve: async (source: Source, _: object, { loaders }: CoreContext) => {
    const written = writtenOf(source);
    const found = await loaders.lastChange(written);
    return { at: written.at, taskId: found?.task, operationIndex: found?.index };
  },
});
