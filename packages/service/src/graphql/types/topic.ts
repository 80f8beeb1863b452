import { payloads } from "@lading/schema";
import {
  GraphQLID,
  GraphQLInputObjectType,
  GraphQLList,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
} from "graphql";
import { reject } from "../../errors.ts";
import {
  findTopicView,
  listTopics,
  type TopicFilter,
  type TopicIdentity,
  type TopicView,
} from "../../storage/queries/topics.ts";
import type { CoreContext } from "../context.ts";
import type { ZodObjectSchema } from "../derive/from-zod.ts";
import { listOf } from "../derive/list-of.ts";
import { stored } from "../derive/output-types.ts";
import { inside } from "../derive/payload-parts.ts";
import { GraphQLDateTime } from "../derive/scalars.ts";
import { scopeOf } from "../queries/scope.ts";
import { outcomeField } from "../root-fields.ts";
import { connection, type PageArguments, pageArguments, pageRequest } from "./connection.ts";
import { outcome } from "./errors.ts";

const id = new GraphQLNonNull(GraphQLID);
const text = new GraphQLNonNull(GraphQLString);
const time = new GraphQLNonNull(GraphQLDateTime);

export const Topic: GraphQLObjectType<TopicView, CoreContext> = new GraphQLObjectType<TopicView, CoreContext>(
  {
    name: "Topic",
    fields: () => ({
      id: { type: id },
      language: { type: text },
      name: { type: GraphQLString, description: "Null where the topic has no name in the language." },
      pathIdentifier: { type: GraphQLString },
      path: {
        type: GraphQLString,
        description: "Null where the topic or one above it has no name in the language.",
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
      meta: { type: listOf(stored.object(keyValue)) },
      createdAt: { type: time },
      updatedAt: { type: time },
    }),
  },
);

const keyValue = inside(payloads["topic/create"], "meta", "[]") as ZodObjectSchema;

const identities = ["id", "resourceIdentifier", "path"] as const;

/** The one topic that is asked for. Rejects with `TopicNotFoundError`. */
export async function readTopic(
  { services, tenant }: CoreContext,
  identity: TopicIdentity,
  language: string,
): Promise<TopicView> {
  scopeOf(tenant, { language });
  const given = identities.filter((name) => identity[name]);
  const [name] = given;
  if (name === undefined || given.length > 1)
    reject("ValidationError", `Give one of ${identities.join(", ")} to say which topic is meant`);
  const topic = await findTopicView(services.database, tenant.id, language, { [name]: identity[name] });
  return topic ?? reject("TopicNotFoundError", `No topic has the ${name} "${identity[name]}"`, [name]);
}

const TopicListFilter = new GraphQLInputObjectType({
  name: "TopicListFilter",
  description: "What is given must all hold.",
  fields: {
    parentId: { type: GraphQLID, description: "Lists the children of a topic; null lists the roots." },
    resourceIdentifiers: { type: new GraphQLList(text) },
  },
});

const language = { language: { type: text } };

export const topicQueries = {
  topic: outcomeField<TopicIdentity & { language: string }>({
    type: outcome("TopicResult", [Topic]),
    description: "A topic, by id, resource identifier or path.",
    args: {
      id: { type: GraphQLID },
      resourceIdentifier: { type: GraphQLString },
      path: { type: GraphQLString, description: "Path identifiers from the root down: `/wood/oak`." },
      ...language,
    },
    resolve: ({ language, ...identity }, context) => readTopic(context, identity, language),
  }),
  topics: outcomeField<PageArguments & { language: string; filter?: TopicFilter | null }>({
    type: outcome("TopicsResult", [connection(Topic)]),
    description: "The tenant's topics in the order of their creation.",
    args: { ...language, filter: { type: TopicListFilter }, ...pageArguments },
    async resolve({ filter, language, ...given }, { services, tenant }) {
      scopeOf(tenant, { language });
      const request = pageRequest(given);
      const page = await listTopics(services.database, tenant.id, language, filter ?? {}, request);
      return { page, after: given.after };
    },
  }),
};
