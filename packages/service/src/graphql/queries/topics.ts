import { GraphQLID, GraphQLList, GraphQLString } from "graphql";
import { reject } from "../../errors.ts";
import {
  findTopicView,
  listTopics,
  type TopicFilter,
  type TopicIdentity,
  type TopicView,
} from "../../storage/queries/topics.ts";
import type { CoreContext } from "../context.ts";
import { filterType } from "../derive/input-types.ts";
import { text } from "../derive/non-null.ts";
import { scopeOf } from "../queries/scope.ts";
import { resultField } from "../root-fields.ts";
import { connection, type PageArguments, pageArguments, pageRequest } from "../types/connection.ts";
import { resultUnion } from "../types/result-union.ts";
import { Topic } from "../types/topic.ts";

const identities = ["id", "resourceIdentifier", "path"] as const;

/** The requested topic. Rejects with `TopicNotFoundError`. */
export async function readTopic(
  { services, tenant }: CoreContext,
  identity: TopicIdentity,
  language: string,
): Promise<TopicView> {
  scopeOf(tenant, { language });
  const given = identities.filter((name) => identity[name]);
  const [name] = given;
  if (name === undefined || given.length > 1)
    reject("ValidationError", `Give one of ${identities.join(", ")} to identify the topic`);
  const topic = await findTopicView(services.database, tenant.id, language, { [name]: identity[name] });
  return topic ?? reject("TopicNotFoundError", `No topic has the ${name} "${identity[name]}"`, [name]);
}

const TopicListFilter = filterType("TopicListFilter", {
  parentId: { type: GraphQLID, description: "Lists the children of a topic; null lists the roots." },
  resourceIdentifiers: { type: new GraphQLList(text) },
});

const language = { language: { type: text } };

export const topicQueries = {
  topic: resultField<TopicIdentity & { language: string }>({
    type: resultUnion("TopicResult", [Topic]),
    description: "A topic, by id, resource identifier or path.",
    args: {
      id: { type: GraphQLID },
      resourceIdentifier: { type: GraphQLString },
      path: { type: GraphQLString, description: "Path identifiers from the root down: `/wood/oak`." },
      ...language,
    },
    resolve: ({ language, ...identity }, context) => readTopic(context, identity, language),
  }),
  topics: resultField<PageArguments & { language: string; filter?: TopicFilter | null }>({
    type: resultUnion("TopicsResult", [connection(Topic)]),
    description: "The tenant's topics in order of creation.",
    args: { ...language, filter: { type: TopicListFilter }, ...pageArguments },
    async resolve({ filter, language, ...given }, { services, tenant }) {
      scopeOf(tenant, { language });
      const request = pageRequest(given);
      const page = await listTopics(services.database, tenant.id, language, filter ?? {}, request);
      return { page, after: given.after };
    },
  }),
};
