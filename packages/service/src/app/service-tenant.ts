import type { Database } from "../storage/database.ts";
import { createTenant } from "../tenants/create.ts";

export interface NewTenant {
  /** 2 to 64 lowercase letters, digits and dashes, beginning and ending with a letter or digit. */
  identifier: string;
  /** The display name. Default: the identifier. */
  name?: string;
}

/** A tenant of a service in this process, and the access token of its administrator. */
export interface ServiceTenant {
  id: string;
  identifier: string;
  /** The URL of its GraphQL API, such as `http://127.0.0.1:4000/@acme`. */
  url: string;
  accessTokenId: string;
  /** Returned only here; the service stores a hash of it. */
  accessTokenSecret: string;
}

/** Creates a tenant of the service that listens at `url`. Rejects as `createTenant` does. */
export async function createServiceTenant(
  database: Database,
  url: string,
  input: NewTenant,
): Promise<ServiceTenant> {
  const { tenant, accessTokenId, accessTokenSecret } = await createTenant(database, input);
  const { id, identifier } = tenant;
  return { id, identifier, url: `${url}/@${identifier}`, accessTokenId, accessTokenSecret };
}
