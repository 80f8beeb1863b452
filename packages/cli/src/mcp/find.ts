import { keysOf } from "@lading/schema/internal/tables";
import { counted } from "../context.ts";
import { CliError } from "../exit.ts";
import { graphql, type VariablesOf } from "../service/documents.ts";
import { type Endpoint, request, requestAny, succeeded } from "../service/graphql.ts";
import { readSettings } from "../service/setting-requests.ts";
import { type Answer, fitting } from "./answer.ts";
import { type Call, isAdmin } from "./call.ts";
import { entityQueries, entityQuery, type FoundKind } from "./entities.ts";
import { personalKinds } from "./personal.ts";

export const foundKinds = keysOf(entityQueries);
const searchedKinds = foundKinds.filter((kind) => kind !== "image");

const query = graphql(`
  query FindText($text: String!, $kinds: [SearchKind!], $first: Int, $after: String) {
    search(text: $text, kinds: $kinds, first: $first, after: $after) {
      edges { cursor node { kind key name field value language item { id name type } variant { productId } } }
      pageInfo { hasNextPage endCursor }
    }
  }`);

interface Asked {
  readonly text?: string | undefined;
  readonly kind?: FoundKind | undefined;
  readonly key?: string | undefined;
  readonly language?: string | undefined;
  readonly limit: number;
  readonly after: string;
}

/** Searches names and keys, or reads one entity by any of its keys. */
export async function find(call: Call, asked: Asked): Promise<Answer> {
  const { text, kind, key } = asked;
  const mayReadPersonal = await isAdmin(call);
  if (kind !== undefined && personalKinds.includes(kind) && !mayReadPersonal)
    throw new CliError(`${kind} has personal data, which needs a token with the role admin`);
  if (key !== undefined && kind !== undefined && text === undefined)
    return await entity(call.endpoint, kind, key, asked.language);
  if (text === undefined || key !== undefined)
    throw new CliError("give text to search for, or kind and key to read one entity");
  if (kind === "image") throw new CliError("images are not searched: give kind and key");
  const kinds = kind
    ? [kind]
    : searchedKinds.filter((each) => mayReadPersonal || !personalKinds.includes(each));
  return await search(call.endpoint, { text, kinds, first: asked.limit, after: asked.after });
}

async function search(endpoint: Endpoint, variables: VariablesOf<typeof query>): Promise<Answer> {
  const { edges, pageInfo } = (await request(endpoint, query, variables)).search;
  const hits = fitting(edges.map(({ node }) => withoutNulls(node)));
  const cursor = hits.length < edges.length ? edges[hits.length - 1]?.cursor : pageInfo.endCursor;
  const hasMore = hits.length < edges.length || pageInfo.hasNextPage;
  const scope = `Searched: ${variables.kinds?.join(", ")}.`;
  return {
    says: [
      `${counted(hits.length, "hit")}${hasMore ? ", and there may be more: call again with after" : ""}. ${scope}`,
      "To read one: kind and key.",
    ],
    data: { hits, ...(hasMore && { after: cursor }) },
  };
}

const withoutNulls = (object: object) =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null));

type Found = { readonly [By: string]: object | null };

async function entity(
  endpoint: Endpoint,
  kind: FoundKind,
  key: string,
  inLanguage: string | undefined,
): Promise<Answer> {
  const language = inLanguage ?? String((await readSettings(endpoint, ["language"])).languages?.[0]?.code);
  const id = kind === "item" && key.startsWith("/") ? await idAt(endpoint, key) : key;
  const answers = Object.values(await requestAny<Found>(endpoint, entityQuery(kind), { id, key, language }));
  const given = answers.filter((each) => each !== null);
  const found = given.find((each) => !("errorName" in each)) ?? given[0];
  if (found === undefined) throw new CliError(`the tenant has no such ${kind}`);
  return { says: [`One ${kind}.`], data: { [kind]: succeeded(found) } };
}

/** The id of the item at a path; the path itself if there is none. */
async function idAt(endpoint: Endpoint, path: string): Promise<string> {
  const { edges } = (await request(endpoint, query, { text: path, kinds: ["item"], first: 10, after: "" }))
    .search;
  return edges.find(({ node }) => node.field === "path")?.node.key ?? path;
}
