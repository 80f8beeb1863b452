import { Command } from "commander";
import { type Context, json, line, note } from "../../context.ts";
import { type OperatorFlags, withExamples, withOperator } from "../../options.ts";
import { credentialsPath, keepCredentials, keptServices } from "../../service/credentials.ts";
import { operatorGraphql } from "../../service/documents.ts";
import { request, succeeded } from "../../service/graphql.ts";
import { operatorEndpoint } from "../../service/operator-endpoint.ts";

interface Flags extends OperatorFlags {
  name?: string;
}

const mutation = operatorGraphql(`
  mutation CreateTenant($input: CreateTenantInput!) {
    createTenant(input: $input) {
      ... on CreatedTenant { tenant { id identifier rootItemId } accessTokenId accessTokenSecret }
      ... on BasicError { error errorName }
    }
  }`);

/** `lading tenant create <identifier>`: a tenant and its first access token, which is saved for later commands. */
export function command(context: Context): Command {
  const create = new Command("create")
    .description("Creates a tenant; shows its access token once and saves it for later commands.")
    .argument("<identifier>", "the tenant's name in addresses, such as my-shop")
    .option("--name <name>", "the tenant's display name (default: the identifier)")
    .action((identifier: string, flags: Flags) => createTenant(context, identifier, flags));
  return withExamples(
    withOperator(create),
    'lading tenant create acme --name "Acme Ltd"',
    "LADING_OPERATOR_TOKEN=… lading tenant create acme --url https://lading.example.com --json",
  );
}

async function createTenant(context: Context, identifier: string, flags: Flags): Promise<void> {
  const input = { identifier, name: flags.name ?? identifier };
  const endpoint = await operatorEndpoint(context, flags);
  // A file of credentials that cannot be read is an error before the tenant exists.
  keptServices();
  const created = succeeded((await request(endpoint, mutation, { input })).createTenant);
  const { tenant, accessTokenId, accessTokenSecret } = created;
  const result = { tenant: tenant.identifier, accessTokenId, accessTokenSecret };
  if (flags.json) json(context.stdout, { ...result, tenantId: tenant.id, rootItemId: tenant.rootItemId });
  else for (const [name, value] of Object.entries(result)) line(context.stdout, `${name.padEnd(18)}${value}`);
  await keepCredentials(flags.url, tenant.identifier, { accessTokenId, accessTokenSecret });
  if (!flags.json) note(context, `Saved in ${credentialsPath()}.`);
}
