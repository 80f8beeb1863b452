import { Command } from "commander";
import { type Context, count, json, line, plain, table } from "../../context.ts";
import { type OperatorFlags, withExamples, withOperator } from "../../options.ts";
import { operatorGraphql } from "../../service/documents.ts";
import { request, succeeded } from "../../service/graphql.ts";
import { operatorEndpoint } from "../../service/operator-endpoint.ts";
import { tokenFields, tokenTable } from "../../service/tokens.ts";

const query = operatorGraphql(
  `
  query ShowTenant($identifier: String!) {
    tenant(identifier: $identifier) {
      ... on Tenant {
        id identifier name rootItemId createdAt uploadMaxBytes uploadLifetimeSeconds maxWaitingTasks keepBeforeDays
        usage { items productVariants customers orders bulkTasks operations }
        accessTokens { ...TokenFields }
      }
      ... on BasicError { error errorName }
    }
  }`,
  [tokenFields],
);

/** `lading tenant show <tenant>`: a tenant, how much it has, its limits and its tokens. */
export function command(context: Context): Command {
  const show = new Command("show")
    .description("Shows a tenant: how much it has, its limits, its access tokens.")
    .argument("<tenant>", "the tenant's identifier")
    .action((identifier: string, flags: OperatorFlags) => showTenant(context, identifier, flags));
  return withExamples(withOperator(show), "lading tenant show acme", "lading tenant show acme --json");
}

async function showTenant(context: Context, identifier: string, flags: OperatorFlags): Promise<void> {
  const { stdout } = context;
  const answer = await request(await operatorEndpoint(context, flags), query, { identifier });
  const tenant = succeeded(answer.tenant);
  if (flags.json) return json(stdout, tenant);
  const { usage, accessTokens, ...facts } = tenant;
  const numbers = Object.entries({ ...facts, ...usage }).map(([name, value]) => [
    name,
    typeof value === "number" ? count(value) : plain(value),
  ]);
  table(stdout, numbers);
  line(stdout);
  tokenTable(stdout, accessTokens);
}
