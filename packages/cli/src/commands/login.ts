import { Command } from "commander";
import { mayAsk } from "../ask.ts";
import { type Context, confirm, json, note } from "../context.ts";
import { CliError } from "../exit.ts";
import { type TokenFlags, withExamples, withToken } from "../options.ts";
import { credentialsPath, keepCredentials } from "../service/credentials.ts";
import { requireService } from "../service/graphql.ts";
import { askToken, endpointOf, tokenFromFlags } from "../service/tenant-endpoint.ts";
import { viewerOf } from "../service/tokens.ts";

/** `lading login <tenant>`: keeps an access token for later commands, once the service has accepted it. */
export function command(context: Context): Command {
  const login = new Command("login")
    .description("Saves an access token of a tenant for later commands, once the service has accepted it.")
    .argument("<tenant>", "the tenant's identifier")
    .action((tenant: string, flags: TokenFlags) => logIn(context, tenant, flags));
  return withExamples(
    withToken(login),
    "lading login acme   # asks for the token",
    "LADING_ACCESS_TOKEN_ID=… LADING_ACCESS_TOKEN_SECRET=… lading login acme --no-interactive",
  );
}

async function logIn(context: Context, tenant: string, flags: TokenFlags): Promise<void> {
  const given = tokenFromFlags(flags);
  // A token does not help where no service is.
  if (given === undefined) await requireService(flags.url, context.interrupted);
  const token = given ?? (mayAsk(context, flags) ? await askToken(tenant) : undefined);
  if (token === undefined) {
    throw new CliError(
      "no access token to keep: give --token-id and --token-secret, or LADING_ACCESS_TOKEN_ID and " +
        "LADING_ACCESS_TOKEN_SECRET (the operator makes one with `lading token create`)",
    );
  }
  const viewer = await viewerOf(endpointOf(flags.url, tenant, token));
  await keepCredentials(flags.url, tenant, token);
  if (flags.json) return json(context.stdout, { url: flags.url, ...viewer });
  const { name, role } = viewer.accessToken;
  confirm(context, `Logged in to ${tenant} of ${flags.url} with the ${role} token "${name}".`);
  note(context, `Saved in ${credentialsPath()}.`);
}
