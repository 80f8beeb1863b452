import { askSecret, askText, mayAsk } from "../ask.ts";
import type { Context } from "../context.ts";
import { ownToken, secretText, type toToken } from "../environment.ts";
import { CliError } from "../exit.ts";
import type { TokenFlags } from "../options.ts";
import { type Credentials, credentialsPath, findCredentials, keepCredentials } from "./credentials.ts";
import { type Endpoint, requireService } from "./graphql.ts";

type TokenSource = typeof ownToken | typeof toToken;

/**
 * Returns the Core API of a tenant, with the access token of the options, the environment or the saved tokens; on a
 * terminal it asks for a missing one and saves it.
 */
export async function tenantEndpoint(
  context: Context,
  tenant: string,
  flags: TokenFlags,
  source: TokenSource = ownToken,
): Promise<Endpoint> {
  const token =
    tokenFromFlags(flags, source) ??
    findCredentials(flags.url, tenant) ??
    (await ask(context, tenant, flags, source));
  return { ...endpointOf(flags.url, tenant, token), interrupted: context.interrupted };
}

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
export function tokenFromFlags(
  { tokenId, tokenSecret: given }: Pick<TokenFlags, "tokenId" | "tokenSecret">,
  { option, id, secret: source }: TokenSource = ownToken,
): Credentials | undefined {
  const secret = secretText(given, source);
  if (!tokenId && !secret) return undefined;
  if (tokenId && secret) return { accessTokenId: tokenId, accessTokenSecret: secret };
  const [has, lacks, variable] = tokenId ? ["id", "secret", source.variable] : ["secret", "id", id];
  throw new CliError(`an access token's ${has} without its ${lacks}: give ${option}-${lacks} or ${variable}`);
}

export async function askToken(tenant: string): Promise<Credentials> {
  const accessTokenId = await askText(`Access token id for tenant ${tenant}`);
  return { accessTokenId, accessTokenSecret: await askSecret("Its secret") };
}

async function ask(
  context: Context,
  tenant: string,
  flags: TokenFlags,
  { option, id, secret }: TokenSource,
): Promise<Credentials> {
  // A token does not help where no service is.
  await requireService(flags.url, context.interrupted);
  if (!mayAsk(context, flags)) {
    throw new CliError(
      `no access token for tenant ${tenant} of ${flags.url}: \`lading login ${tenant}\` saves one; or give ` +
        `${option}-id and ${option}-secret, or ${id} and ${secret.variable}; or create the ` +
        `tenant with \`lading tenant create\` (tokens are saved in ${credentialsPath()})`,
    );
  }
  const token = await askToken(tenant);
  await keepCredentials(flags.url, tenant, token);
  return token;
}
