import { Command } from "commander";
import { type Context, json } from "../../context.ts";
import { type OperatorFlags, withExamples, withOperator } from "../../options.ts";
import { operatorGraphql } from "../../service/documents.ts";
import { request, succeeded } from "../../service/graphql.ts";
import { operatorEndpoint } from "../../service/operator-endpoint.ts";
import { tokenFields, tokenTable } from "../../service/tokens.ts";

const query = operatorGraphql(
  `
  query ListAccessTokens($tenant: String!) {
    tenant(identifier: $tenant) {
      ... on Tenant { accessTokens { ...TokenFields } }
      ... on BasicError { error errorName }
    }
  }`,
  [tokenFields],
);

/** `lading token list <tenant>`: the access tokens of a tenant, without their secrets. */
export function command(context: Context): Command {
  const list = new Command("list")
    .description("Lists the access tokens of a tenant: name, role, expiry, last use.")
    .argument("<tenant>", "the tenant's identifier")
    .action((tenant: string, flags: OperatorFlags) => listTokens(context, tenant, flags));
  return withExamples(withOperator(list), "lading token list acme", "lading token list acme --json");
}

async function listTokens(context: Context, tenant: string, flags: OperatorFlags): Promise<void> {
  const answer = await request(await operatorEndpoint(context, flags), query, { tenant });
  const { stdout } = context;
  const { accessTokens } = succeeded(answer.tenant);
  if (flags.json) json(stdout, accessTokens);
  else tokenTable(stdout, accessTokens);
}
