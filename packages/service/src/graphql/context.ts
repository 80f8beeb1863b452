import type { Logger } from "pino";
import type { Caller } from "../commands/execute.ts";
import type { Database } from "../storage/database.ts";
import type { AccessToken } from "../storage/tenants/access-tokens.ts";
import type { Tenant } from "../storage/tenants/tenant.ts";
import { actorOf } from "../tenants/audit.ts";
import type { ObjectStore } from "../uploads/object-store.ts";
import type { PresignUpload } from "../uploads/policy.ts";
import type { WebhookServices } from "../webhooks/setting.ts";
import type { Loaders } from "./loaders/loaders.ts";

/** The services the API uses, made once by the composition root. */
export interface ApiServices {
  database: Database;
  store: ObjectStore;
  presign: PresignUpload;
  /** The URL at which the image with this key is served. */
  imageUrl: (key: string) => string;
  webhooks: WebhookServices;
  logger: Logger;
}

/** The context of every resolver of the Core API: one per request, of one tenant. */
export interface CoreContext {
  services: ApiServices;
  tenant: Tenant;
  /** The authenticated caller, an access token or what stands for one; its role limits what it may do. */
  accessToken: AccessToken;
  loaders: Loaders;
  /** True once the client has disconnected. */
  clientIsGone: () => boolean;
}

/** The tenant and the actor of a request, for commands and the audit trail. */
export const callerOf = ({ tenant, accessToken }: CoreContext): Caller => ({
  tenant,
  actor: actorOf(accessToken),
});

/** The context of every resolver of the operator's API. */
export interface OperatorContext {
  services: ApiServices;
}
