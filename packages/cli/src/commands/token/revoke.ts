import { Command } from "commander";
import { type Context, confirm, json } from "../../context.ts";
import { type OperatorFlags, withExamples, withOperator } from "../../options.ts";
import { forgetCredentials } from "../../service/credentials.ts";
import { operatorGraphql } from "../../service/documents.ts";
import { request, succeeded } from "../../service/graphql.ts";
import { operatorEndpoint } from "../../service/operator-endpoint.ts";
import { tokenFields } from "../../service/tokens.ts";

const mutation = operatorGraphql(
  `
  mutation RevokeAccessToken($tenant: String!, $id: ID!) {
    revokeAccessToken(tenantIdentifier: $tenant, id: $id) {
      ... on RevokedAccessToken { accessToken { ...TokenFields } }
      ... on BasicError { error errorName }
    }
  }`,
  [tokenFields],
);

/** `lading token revoke <tenant> <token>`: the token stops working. */
export function command(context: Context): Command {
  const revoke = new Command("revoke")
    .description("Revokes an access token. It stops working immediately, everywhere.")
    .argument("<tenant>", "the tenant's identifier")
    .argument("<token>", "the token's id, as `lading token list` shows it")
    .action((tenant: string, id: string, flags: OperatorFlags) => revokeToken(context, tenant, id, flags));
  return withExamples(withOperator(revoke), "lading token revoke acme 6561f0c2a1b2c3d4e5f60718");
}

async function revokeToken(
  context: Context,
  tenant: string,
  id: string,
  flags: OperatorFlags,
): Promise<void> {
  const answer = await request(await operatorEndpoint(context, flags), mutation, { tenant, id });
  const { accessToken } = succeeded(answer.revokeAccessToken);
  await forgetCredentials(flags.url, tenant, id);
  if (flags.json) return json(context.stdout, { revoked: accessToken });
  confirm(context, `Token "${accessToken.name}" (${id}) is revoked.`);
}
