import { plain, type Sink, table } from "../context.ts";
import { graphql, type ResultOf } from "./documents.ts";

/** The fields that are selected of an access token, in the Core API and in the operator's. */
export const tokenFields = graphql(`
  fragment TokenFields on AccessToken { id name role createdAt expiresAt lastUsedAt }`);

/** An access token as the service lists it: without its secret. */
export type AccessToken = ResultOf<typeof tokenFields>;

/** Prints access tokens as a table. */
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
