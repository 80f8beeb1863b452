import { type AnswerOf, graphql } from "./documents.ts";
import { type Endpoint, request } from "./graphql.ts";
import { tokenFields } from "./token-table.ts";

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
