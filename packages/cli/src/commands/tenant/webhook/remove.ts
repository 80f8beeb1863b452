import { Command } from "commander";
import { type Context, confirm, json } from "../../../context.ts";
import { type TokenFlags, withDetails, withExamples, withToken } from "../../../options.ts";
import { tenantEndpoint } from "../../../service/tenant-endpoint.ts";
import { removeWebhook } from "../../../service/webhook-requests.ts";

/** `lading tenant webhook remove <tenant>`: the webhook and its secret. */
export function command(context: Context): Command {
  const remove = new Command("remove")
    .description("Removes a tenant's webhook and its secret.")
    .argument("<tenant>", "the tenant's identifier")
    .action((tenant: string, flags: TokenFlags) => removeOf(context, tenant, flags));
  return withExamples(
    withDetails(withToken(remove), "Pending events are dropped, including those for URLs that tasks name."),
    "lading tenant webhook remove acme",
  );
}

async function removeOf(context: Context, tenant: string, flags: TokenFlags): Promise<void> {
  await removeWebhook(await tenantEndpoint(context, tenant, flags));
  if (flags.json) return json(context.stdout, { removed: true });
  confirm(context, `The webhook of tenant ${tenant} is removed.`);
}
