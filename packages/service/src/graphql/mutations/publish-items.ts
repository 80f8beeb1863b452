import { GraphQLBoolean, GraphQLList, GraphQLNonNull, GraphQLObjectType } from "graphql";
import { executeCommand } from "../../commands/execute.ts";
import type { PublishOptions } from "../../domain/item/publish.ts";
import { Rejection, reject } from "../../errors.ts";
import { callerOf } from "../context.ts";
import { id, listOf, text } from "../derive/non-null.ts";
import { writeField } from "../root-fields.ts";
import { resultUnion } from "../types/result-union.ts";

/** Maximum number of items in one publish request. */
export const maximumPublished = 1_000;

const PublishItemsRequest = new GraphQLObjectType({
  name: "PublishItemsRequest",
  description: "The items that are published now, and those that could not be.",
  fields: {
    success: {
      type: listOf(new GraphQLObjectType({ name: "PublishedItem", fields: { itemId: { type: id } } })),
    },
    failure: {
      type: listOf(
        new GraphQLObjectType({
          name: "UnpublishedItem",
          fields: { itemId: { type: id }, error: { type: text }, errorName: { type: text } },
        }),
      ),
    },
  },
});

interface Given extends PublishOptions {
  ids: string[];
  language: string;
}

export const publishItemsMutation = {
  publishItems: writeField<Given>({
    type: resultUnion("PublishItemsResult", [PublishItemsRequest]),
    description: `Publishes up to ${maximumPublished.toLocaleString("en")} items, independently of each other.`,
    args: {
      ids: { type: new GraphQLNonNull(new GraphQLList(id)) },
      language: { type: text },
      disableComponentValidation: { type: GraphQLBoolean },
    },
    async resolve({ ids, language, disableComponentValidation }, context) {
      if (ids.length > maximumPublished)
        reject("ValidationError", `ids lists ${ids.length}; the limit is ${maximumPublished}`, ["ids"]);
      const answer: Record<"success" | "failure", object[]> = { success: [], failure: [] };
      for (const itemId of ids) {
        const payload = { itemId, language, disableComponentValidation };
        const result = await executeCommand(context.services, callerOf(context), "item/publish", payload);
        if (result instanceof Rejection)
          answer.failure.push({ itemId, error: result.message, errorName: result.name });
        else answer.success.push({ itemId });
      }
      return answer;
    },
  }),
};
