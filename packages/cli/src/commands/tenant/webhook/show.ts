import { Command } from "commander";
import { type Context, json } from "../../../context.ts";
import { type TokenFlags, withExamples, withToken } from "../../../options.ts";
import { tenantEndpoint } from "../../../service/tenant-endpoint.ts";
import { readWebhook } from "../../../service/webhook-requests.ts";
import { printWebhook } from "../../../service/webhook-table.ts";

/** `lading tenant webhook show <tenant>`: its URL, never its secret. */
export function command(context: Context): Command {
  const show = new Command("show")
    .description("Shows the webhook of a tenant, without its secret.")
    .argument("<tenant>", "the tenant's identifier")
    .action((tenant: string, flags: TokenFlags) => showWebhook(context, tenant, flags));
  return withExamples(withToken(show), "lading tenant webhook show acme");
}

async function showWebhook(context: Context, tenant: string, flags: TokenFlags): Promise<void> {
  const webhook = await readWebhook(await tenantEndpoint(context, tenant, flags));
  if (flags.json) return json(context.stdout, webhook);
  printWebhook(context, webhook);
}
