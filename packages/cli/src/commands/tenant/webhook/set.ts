import { Command } from "commander";
import type { Context } from "../../../context.ts";
import { CliError } from "../../../exit.ts";
import { type TokenFlags, withDetails, withExamples, withToken } from "../../../options.ts";
import { tenantEndpoint } from "../../../service/tenant-endpoint.ts";
import { setWebhook } from "../../../service/webhook-requests.ts";
import { printChanged } from "../../../service/webhook-table.ts";

interface Flags extends TokenFlags {
  onlyNamed?: boolean;
}

const details = `The first call creates the secret that signs events and shows it once. Changing the URL keeps the secret.`;

/** `lading tenant webhook set <tenant> [url]`: the URL notified when a task ends. */
export function command(context: Context): Command {
  const set = new Command("set")
    .description("Sets the URL notified when a task ends.")
    .argument("<tenant>", "the tenant's identifier")
    .argument("[url]", "the http or https URL")
    .option("--only-named", "no URL: only tasks that name one send events")
    .action((tenant: string, url: string | undefined, flags: Flags) =>
      setAddress(context, tenant, url, flags),
    );
  return withExamples(
    withDetails(withToken(set), details),
    "lading tenant webhook set acme https://shop.example/hooks/lading",
    "lading tenant webhook set acme --only-named",
  );
}

async function setAddress(
  context: Context,
  tenant: string,
  url: string | undefined,
  flags: Flags,
): Promise<void> {
  if ((url === undefined) !== (flags.onlyNamed === true))
    throw new CliError("give either the URL or --only-named");
  printChanged(context, await setWebhook(await tenantEndpoint(context, tenant, flags), url ?? null), flags);
}
