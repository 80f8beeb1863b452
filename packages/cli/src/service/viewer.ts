import { type Endpoint, request } from "./graphql.ts";
import { type AccessToken, tokenFields } from "./token-table.ts";

/** Who an access token is, as the service has it. */
export interface Viewer {
  tenant: { id: string; identifier: string; name: string; rootItemId: string };
  accessToken: AccessToken;
}

const query = `
  query WhoAmI {
    tenant { id identifier name rootItemId }
    accessToken { ${tokenFields} }
  }`;

/** Asks the service whose token the endpoint's is. @throws CliError when the token is refused */
export const viewerOf = (endpoint: Endpoint): Promise<Viewer> => request<Viewer>(endpoint, query, {});
