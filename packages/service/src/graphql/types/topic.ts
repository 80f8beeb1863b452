import { payloads } from "@lading/schema";
import { GraphQLID, GraphQLObjectType, GraphQLString } from "graphql";
import type { TopicView } from "../../storage/queries/topics.ts";
import type { CoreContext } from "../context.ts";
import { id, listOf, text, time } from "../derive/non-null.ts";
import { derivedTypes } from "../derive/output-types.ts";
import { inside } from "../derive/payload-parts.ts";
import { displayName } from "./display-name.ts";

export const Topic: GraphQLObjectType<TopicView, CoreContext> = new GraphQLObjectType<TopicView, CoreContext>(
  {
    name: "Topic",
    fields: () => ({
      id: { type: id },
      language: { type: text },
      name: { type: GraphQLString, description: "Null if the topic has no name in the language." },
      displayName: displayName(
        ({ name }) => name,
        ({ id }, languages, { loaders }) => loaders.topicName(id, languages),
      ),
      pathIdentifier: { type: GraphQLString },
      path: {
        type: GraphQLString,
        description: "Null if the topic or an ancestor has no name in the language.",
        resolve: (topic, _, { loaders }) => loaders.topicPath(topic.id, topic.language),
      },
      parentId: { type: GraphQLID, description: "Null at the root." },
      parent: {
        type: Topic,
        resolve: ({ parentId, language }, _, { loaders }) => parentId && loaders.topic(parentId, language),
      },
      children: {
        type: listOf(Topic),
        resolve: async (topic, _, { loaders }) =>
          (await loaders.topicChildren(topic.id, topic.language)) ?? [],
      },
      displayColor: { type: GraphQLString },
      resourceIdentifier: { type: GraphQLString },
      meta: { type: listOf(derivedTypes.object(keyValue)) },
      createdAt: { type: time },
      updatedAt: {
        type: time,
        description: "When it, or its name or path identifier in the language, was changed last.",
        resolve: ({ updatedAt, contentUpdatedAt }) =>
          contentUpdatedAt !== null && contentUpdatedAt > updatedAt ? contentUpdatedAt : updatedAt,
      },
    }),
  },
);

const keyValue = inside(payloads["topic/create"], "meta", "[]");
