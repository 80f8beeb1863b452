import { type Endpoint, request } from "./graphql.ts";
import { type AccessToken, tokenFields } from "./token-table.ts";

/** The tenant and the details of an access token, as the service knows them. */
export interface Viewer {
  tenant: { id: string; identifier: string; name: string; rootItemId: string };
  accessToken: AccessToken;
}

const query = `
  query WhoAmI {
    tenant { id identifier name rootItemId }
    accessToken { ${tokenFields} }
  }`;

/** Asks the service about the token of an endpoint. @throws CliError when the token is refused */
export const viewerOf = (endpoint: Endpoint): Promise<Viewer> => request<Viewer>(endpoint, query, {});
