import { Command } from "commander";
import { askText, mayAsk } from "../../ask.ts";
import { type Context, confirm, json } from "../../context.ts";
import { CliError } from "../../exit.ts";
import { type OperatorFlags, withExamples, withOperator } from "../../options.ts";
import { forgetCredentials } from "../../service/credentials.ts";
import { operatorGraphql } from "../../service/documents.ts";
import { request, succeeded } from "../../service/graphql.ts";
import { operatorEndpoint } from "../../service/operator-endpoint.ts";

interface Flags extends OperatorFlags {
  yes?: boolean;
}

const mutation = operatorGraphql(`
  mutation DeleteTenant($identifier: String!) {
    deleteTenant(identifier: $identifier) {
      ... on DeletedTenant { id identifier }
      ... on BasicError { error errorName }
    }
  }`);

/** `lading tenant delete <tenant>`: deletes a tenant and its data, after its identifier was typed again. */
export function command(context: Context): Command {
  const remove = new Command("delete")
    .description("Deletes a tenant and all its data. This cannot be undone.")
    .argument("<tenant>", "the tenant's identifier")
    .option("--yes", "do not ask to repeat the identifier")
    .action((identifier: string, flags: Flags) => deleteTenant(context, identifier, flags));
  return withExamples(
    withOperator(remove),
    "lading tenant delete acme",
    "lading tenant delete acme --yes --no-interactive",
  );
}

async function deleteTenant(context: Context, identifier: string, flags: Flags): Promise<void> {
  const endpoint = await operatorEndpoint(context, flags);
  await askToConfirm(context, identifier, flags);
  const deleted = succeeded((await request(endpoint, mutation, { identifier })).deleteTenant);
  await forgetCredentials(flags.url, identifier);
  if (flags.json) return json(context.stdout, { deleted });
  confirm(context, `Tenant ${identifier} is deleted.`);
}

async function askToConfirm(context: Context, identifier: string, flags: Flags): Promise<void> {
  if (flags.yes) return;
  if (!mayAsk(context, flags)) {
    throw new CliError(`deleting ${identifier} cannot be undone; add --yes to confirm`);
  }
  const typed = await askText(`This deletes all data of ${identifier}. Type its identifier to continue`);
  if (typed !== identifier) throw new CliError(`"${typed}" is not "${identifier}"; nothing was deleted`);
}
