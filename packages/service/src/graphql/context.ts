import type { Logger } from "pino";
import type { Database } from "../storage/database.ts";
import type { AccessToken } from "../tenants/access-tokens.ts";
import type { Tenant } from "../tenants/tenant.ts";
import type { ObjectStore } from "../uploads/object-store.ts";
import type { SigningCredential } from "../uploads/signature.ts";
import type { Loaders } from "./loaders.ts";

/** What the API works with; made once by the composition root. */
export interface ApiServices {
  database: Database;
  store: ObjectStore;
  /** Where upload forms are sent and who signs them; read at each request, so the address may become known late. */
  uploads: { readonly publicUrl: string; readonly bucket: string; readonly credential: SigningCredential };
  logger: Logger;
}

/** What every resolver of the Core API gets: one per request, of one tenant. */
export interface CoreContext {
  services: ApiServices;
  tenant: Tenant;
  /** Who asks; its role says what it may do. */
  accessToken: AccessToken;
  loaders: Loaders;
}

/** What every resolver of the operator's API gets. */
export interface OperatorContext {
  services: ApiServices;
}
