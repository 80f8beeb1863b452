import { allowedHosts } from "../../../../packages/service/src/system/outbound/target.ts";
import { openSealing } from "../../../../packages/service/src/system/sealing.ts";
import type { WebhookServices } from "../../../../packages/service/src/webhooks/setting.ts";

/** The rules and keys of webhooks, which may go to this machine. */
export const webhookServices = (
  hosts: readonly string[] = ["127.0.0.1"],
  ...[signingKey = "the signing key of the tests", second]: (string | undefined)[]
): WebhookServices => ({
  sealing: openSealing(signingKey, second),
  allowed: allowedHosts(hosts, "LADING_WEBHOOK_HOSTS"),
});
