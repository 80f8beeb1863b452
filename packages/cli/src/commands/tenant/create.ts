import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Command, Option } from "commander";
import { type Context, json, line, paint } from "../../context.ts";
import { CliError } from "../../exit.ts";
import { type ServiceFlags, withService } from "../../options.ts";
import { credentialsPath, keepCredentials } from "../../service/credentials.ts";
import { request, succeeded } from "../../service/graphql.ts";

interface Flags extends ServiceFlags {
  name?: string;
  json?: boolean;
  operatorToken?: string;
  dataDir: string;
}

interface CreatedTenant {
  tenant: { id: string; identifier: string; rootItemId: string };
  accessTokenId: string;
  accessTokenSecret: string;
}

const mutation = `
  mutation CreateTenant($input: CreateTenantInput!) {
    createTenant(input: $input) {
      ... on CreatedTenant { tenant { id identifier rootItemId } accessTokenId accessTokenSecret }
      ... on BasicError { error errorName }
    }
  }`;

/** `lading tenant create <identifier>`: a tenant and its first access token, which is kept for later commands. */
export function createTenantCommand(context: Context): Command {
  return withService(new Command("create"))
    .description("Creates a tenant; shows its access token once and keeps it for later commands.")
    .argument("<identifier>", "the tenant's name in addresses, such as my-shop")
    .option("--name <name>", "the tenant's name for people (default: the identifier)")
    .addOption(new Option("--operator-token <token>", "the operator's token").env("LADING_OPERATOR_TOKEN"))
    .option(
      "--data-dir <folder>",
      "the service's data folder, to read the operator's token from",
      "./.lading",
    )
    .option("--json", "print JSON")
    .action((identifier: string, flags: Flags) => createTenant(context, identifier, flags));
}

async function createTenant(context: Context, identifier: string, flags: Flags): Promise<void> {
  const endpoint = {
    url: flags.url,
    path: "/operator",
    headers: { authorization: `Bearer ${await operatorToken(flags)}` },
  };
  const input = { identifier, name: flags.name ?? identifier };
  type Answer = { createTenant: CreatedTenant };
  const created = succeeded((await request<Answer>(endpoint, mutation, { input })).createTenant);
  const { tenant, accessTokenId, accessTokenSecret } = created;
  const result = { tenant: tenant.identifier, accessTokenId, accessTokenSecret };
  if (flags.json) json(context.stdout, { ...result, tenantId: tenant.id, rootItemId: tenant.rootItemId });
  else for (const [name, value] of Object.entries(result)) line(context.stdout, `${name.padEnd(18)}${value}`);
  await keepCredentials(flags.url, tenant.identifier, { accessTokenId, accessTokenSecret });
  if (!flags.json) line(context.stderr, paint(context.stderr, "dim", `Kept in ${credentialsPath()}.`));
}

async function operatorToken({ operatorToken, dataDir }: Flags): Promise<string> {
  if (operatorToken) return operatorToken;
  const path = join(dataDir, "operator-token");
  const token = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
    throw new CliError(
      `creating tenants needs the operator's token: ${path} cannot be read (${error.code}). Name the service's data ` +
        "folder by --data-dir, or give --operator-token or LADING_OPERATOR_TOKEN.",
    );
  });
  return token.trim();
}
