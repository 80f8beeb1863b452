import { plain, type Sink, table } from "../context.ts";
import { type AnswerOf, graphql, type ResultOf } from "./documents.ts";
import { type Endpoint, request } from "./graphql.ts";

/** The fields that are selected of an access token, in the Core API and in the operator's. */
export const tokenFields = graphql(`
  fragment TokenFields on AccessToken { id name role createdAt expiresAt lastUsedAt }`);

/** An access token as the service lists it: without its secret. */
export type AccessToken = ResultOf<typeof tokenFields>;

export function tokenTable(sink: Sink, tokens: readonly AccessToken[]): void {
  const rows = tokens.map(({ id, name, role, createdAt, expiresAt, lastUsedAt }) => [
    id,
    plain(name),
    role,
    createdAt,
    expiresAt ?? "never",
    lastUsedAt ?? "never",
  ]);
  table(sink, [["token id", "name", "role", "created", "expires", "last used"], ...rows]);
}

const query = graphql(
  `
  query WhoAmI {
    tenant { id identifier name rootItemId }
    accessToken { ...TokenFields }
  }`,
  [tokenFields],
);

/** The tenant and the details of an access token, as the service knows them. */
export type Viewer = AnswerOf<typeof query>;

/** Asks the service about the token of an endpoint. @throws CliError when the token is refused */
export const viewerOf = (endpoint: Endpoint): Promise<Viewer> => request(endpoint, query, {});
