import { Command, InvalidArgumentError } from "commander";
import type { Context } from "../../../context.ts";
import { type TokenFlags, withDetails, withExamples, withToken } from "../../../options.ts";
import { tenantEndpoint } from "../../../service/tenant-endpoint.ts";
import { rotateSecret } from "../../../service/webhook-requests.ts";
import { printChanged } from "../../../service/webhook-table.ts";

interface Flags extends TokenFlags {
  previousHours?: number;
}

const details = `Both secrets sign until the old one expires. After a leak, use --previous-hours 0.`;

/** `lading tenant webhook rotate <tenant>`: a new secret, which is shown once. */
export function command(context: Context): Command {
  const rotate = new Command("rotate")
    .description("Creates a new secret for a tenant's webhook and shows it once.")
    .argument("<tenant>", "the tenant's identifier")
    .option(
      "--previous-hours <hours>",
      "hours until the old secret expires, from 0 to 168 (default: 24)",
      hoursOf,
    )
    .action((tenant: string, flags: Flags) => rotateOf(context, tenant, flags));
  return withExamples(
    withDetails(withToken(rotate), details),
    "lading tenant webhook rotate acme",
    "lading tenant webhook rotate acme --previous-hours 0",
  );
}

function hoursOf(text: string): number {
  if (/^\d{1,3}$/.test(text)) return Number(text);
  throw new InvalidArgumentError(`"${text}" is not a number of hours from 0 to 168.`);
}

async function rotateOf(context: Context, tenant: string, flags: Flags): Promise<void> {
  const endpoint = await tenantEndpoint(context, tenant, flags);
  printChanged(context, await rotateSecret(endpoint, flags.previousHours), flags);
}
