import { password, text } from "@clack/prompts";
import type { Context } from "../context.ts";
import { CliError, exitCode } from "../exit.ts";
import type { TokenFlags } from "../options.ts";
import { type Credentials, credentialsPath, findCredentials, keepCredentials } from "./credentials.ts";
import type { Endpoint } from "./graphql.ts";

/**
 * The Core API of a tenant, with the access token of the options, the environment or the kept credentials; on a
 * terminal it asks for a missing one and keeps it.
 */
export async function tenantEndpoint(context: Context, tenant: string, flags: TokenFlags): Promise<Endpoint> {
  const token =
    given(flags) ?? (await findCredentials(flags.url, tenant)) ?? (await ask(context, tenant, flags));
  return {
    url: flags.url,
    path: `/@${encodeURIComponent(tenant)}`,
    headers: {
      "X-Service-Access-Token-Id": token.accessTokenId,
      "X-Service-Access-Token-Secret": token.accessTokenSecret,
    },
  };
}

function given({ tokenId, tokenSecret }: TokenFlags): Credentials | undefined {
  if (!tokenId && !tokenSecret) return undefined;
  if (tokenId && tokenSecret) return { accessTokenId: tokenId, accessTokenSecret: tokenSecret };
  const [has, lacks] = tokenId ? ["id", "secret"] : ["secret", "id"];
  throw new CliError(
    `an access token's ${has} without its ${lacks}: give --token-${lacks} or LADING_ACCESS_TOKEN_${lacks.toUpperCase()}`,
  );
}

async function ask(context: Context, tenant: string, flags: TokenFlags): Promise<Credentials> {
  if (!flags.interactive || !context.stdout.isTTY || !process.stdin.isTTY) {
    throw new CliError(
      `no access token for tenant ${tenant} of ${flags.url}: give --token-id and --token-secret, or ` +
        "LADING_ACCESS_TOKEN_ID and LADING_ACCESS_TOKEN_SECRET, or create the tenant with `lading tenant create` " +
        `(tokens are kept in ${credentialsPath()})`,
    );
  }
  const accessTokenId = answered(await text({ message: `Access token id for tenant ${tenant}` }));
  const accessTokenSecret = answered(await password({ message: "Its secret" }));
  await keepCredentials(flags.url, tenant, { accessTokenId, accessTokenSecret });
  return { accessTokenId, accessTokenSecret };
}

function answered(answer: string | symbol): string {
  if (typeof answer === "symbol") throw new CliError("nothing was sent", exitCode.interrupted);
  if (!answer) throw new CliError("an access token has an id and a secret");
  return answer;
}
