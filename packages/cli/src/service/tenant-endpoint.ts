import { askSecret, askText, mayAsk } from "../ask.ts";
import type { Context } from "../context.ts";
import { secretText, tokenSecret, variables } from "../environment.ts";
import { CliError } from "../exit.ts";
import type { TokenFlags } from "../options.ts";
import { type Credentials, credentialsPath, findCredentials, keepCredentials } from "./credentials.ts";
import type { Endpoint } from "./graphql.ts";

/**
 * Returns the Core API of a tenant, with the access token of the options, the environment or the kept credentials; on a
 * terminal it asks for a missing one and keeps it.
 */
export async function tenantEndpoint(context: Context, tenant: string, flags: TokenFlags): Promise<Endpoint> {
  const token =
    tokenFromFlags(flags) ?? findCredentials(flags.url, tenant) ?? (await ask(context, tenant, flags));
  return { ...endpointOf(flags.url, tenant, token), interrupted: context.interrupted };
}

/** Returns the Core API of a tenant with an access token. */
export function endpointOf(url: string, tenant: string, token: Credentials): Endpoint {
  return {
    url,
    path: `/@${encodeURIComponent(tenant)}`,
    headers: {
      "X-Service-Access-Token-Id": token.accessTokenId,
      "X-Service-Access-Token-Secret": token.accessTokenSecret,
    },
  };
}

/** Returns the access token of the options or the environment. @throws CliError for half a token */
export function tokenFromFlags({ tokenId, tokenSecret: given }: TokenFlags): Credentials | undefined {
  const secret = secretText(given, tokenSecret);
  if (!tokenId && !secret) return undefined;
  if (tokenId && secret) return { accessTokenId: tokenId, accessTokenSecret: secret };
  const [has, lacks, variable] = tokenId
    ? ["id", "secret", variables.tokenSecret]
    : ["secret", "id", variables.tokenId];
  throw new CliError(`an access token's ${has} without its ${lacks}: give --token-${lacks} or ${variable}`);
}

/** Asks for an access token of a tenant. */
export async function askToken(tenant: string): Promise<Credentials> {
  const accessTokenId = await askText(`Access token id for tenant ${tenant}`);
  return { accessTokenId, accessTokenSecret: await askSecret("Its secret") };
}

async function ask(context: Context, tenant: string, flags: TokenFlags): Promise<Credentials> {
  if (!mayAsk(context, flags)) {
    throw new CliError(
      `no access token for tenant ${tenant} of ${flags.url}: \`lading login ${tenant}\` keeps one; or give ` +
        "--token-id and --token-secret, or LADING_ACCESS_TOKEN_ID and LADING_ACCESS_TOKEN_SECRET; or create the " +
        `tenant with \`lading tenant create\` (tokens are kept in ${credentialsPath()})`,
    );
  }
  const token = await askToken(tenant);
  await keepCredentials(flags.url, tenant, token);
  return token;
}
