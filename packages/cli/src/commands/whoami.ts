import { Command } from "commander";
import { type Context, json, line, plain, table } from "../context.ts";
import { CliError } from "../exit.ts";
import { type TenantFlags, withExamples, withTenant } from "../options.ts";
import { credentialsPath, findCredentials, keptTenants } from "../service/credentials.ts";
import { requireService } from "../service/graphql.ts";
import { endpointOf, tokenFromFlags } from "../service/tenant-endpoint.ts";
import { type Viewer, viewerOf } from "../service/tokens.ts";

/** `lading whoami`: which tokens later commands would use, and what they may do. */
export function command(context: Context): Command {
  const whoami = new Command("whoami")
    .description("Shows which access tokens commands use, for which tenants, and what they may do.")
    .action((flags: TenantFlags) => whoAmI(context, flags));
  return withExamples(
    withTenant(whoami, "only this tenant (default: every tenant with a saved token)"),
    "lading whoami",
    "lading whoami --tenant acme --json",
  );
}

interface Row {
  tenant: string;
  viewer: Viewer | null;
  error: string | null;
}

async function whoAmI(context: Context, flags: TenantFlags): Promise<void> {
  const rows = await Promise.all(
    (await tenantsOf(context, flags)).map((tenant) => look(context, tenant, flags)),
  );
  if (rows.every(({ viewer }) => viewer === null)) context.exitCode = 1;
  if (flags.json) {
    return json(context.stdout, {
      url: flags.url,
      tokens: rows.map(({ viewer, ...row }) => ({ ...row, ...viewer?.accessToken })),
    });
  }
  line(context.stdout, `Service ${flags.url}`);
  const cells = rows.map(({ tenant, viewer, error }) => {
    const { role = "–", name = plain(error ?? ""), expiresAt } = viewer?.accessToken ?? {};
    return [tenant, role, plain(name), viewer === null ? "–" : (expiresAt ?? "never")];
  });
  table(context.stdout, [["tenant", "role", "token", "expires"], ...cells]);
}

async function tenantsOf({ interrupted }: Context, flags: TenantFlags): Promise<string[]> {
  if (flags.tenant) return [flags.tenant];
  if (tokenFromFlags(flags)) throw new CliError("name the given token's tenant with --tenant");
  const tenants = keptTenants(flags.url);
  if (tenants.length > 0) return tenants;
  await requireService(flags.url, interrupted);
  throw new CliError(
    `no access token is saved for ${flags.url} in ${credentialsPath()}: \`lading login <tenant>\` saves one`,
  );
}

async function look({ interrupted }: Context, tenant: string, flags: TenantFlags): Promise<Row> {
  const token = tokenFromFlags(flags) ?? findCredentials(flags.url, tenant);
  if (token === undefined) {
    await requireService(flags.url, interrupted);
    throw new CliError(`no access token is saved for ${tenant} of ${flags.url}`);
  }
  try {
    return { tenant, viewer: await viewerOf(endpointOf(flags.url, tenant, token)), error: null };
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    return { tenant, viewer: null, error: error.message };
  }
}
