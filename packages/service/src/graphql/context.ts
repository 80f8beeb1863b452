import type { Logger } from "pino";
import type { Database } from "../storage/database.ts";
import type { AccessToken } from "../storage/tenants/access-tokens.ts";
import type { Tenant } from "../storage/tenants/tenant.ts";
import type { Auditor } from "../tenants/audit.ts";
import type { ObjectStore } from "../uploads/object-store.ts";
import type { PresignUpload } from "../uploads/policy.ts";
import type { Loaders } from "./loaders/loaders.ts";

/** What the API works with; made once by the composition root. */
export interface ApiServices {
  database: Database;
  store: ObjectStore;
  presign: PresignUpload;
  /** Where the image with this key is served. */
  imageUrl: (key: string) => string;
  logger: Logger;
}

/** What every resolver of the Core API gets: one per request, of one tenant. */
export interface CoreContext {
  services: ApiServices;
  tenant: Tenant;
  /** Who asks; its role says what it may do. */
  accessToken: AccessToken;
  loaders: Loaders;
  /** Whether nobody reads the answer any more. */
  clientIsGone: () => boolean;
}

/** By whom the audit trail has what is done in a request. */
export const auditorOf = ({ tenant, accessToken: { id, name } }: CoreContext): Auditor => ({
  tenant,
  actor: { type: "accessToken", id, name },
});

/** What every resolver of the operator's API gets. */
export interface OperatorContext {
  services: ApiServices;
}
