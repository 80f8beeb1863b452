import { Command } from "commander";
import { type Context, json, plain, table } from "../../context.ts";
import { type OperatorFlags, withExamples, withOperator } from "../../options.ts";
import { type AnswerOf, operatorGraphql } from "../../service/documents.ts";
import { type Endpoint, request } from "../../service/graphql.ts";
import { operatorEndpoint } from "../../service/operator-endpoint.ts";

const query = operatorGraphql(`
  query ListTenants($after: String) {
    tenants(first: 1000, after: $after) {
      pageInfo { endCursor hasNextPage }
      edges { node { id identifier name createdAt } }
    }
  }`);

/** `lading tenant list`: every tenant of a service. */
export function command(context: Context): Command {
  const list = new Command("list")
    .description("Lists the tenants of a service.")
    .action((flags: OperatorFlags) => listTenants(context, flags));
  return withExamples(withOperator(list), "lading tenant list", "lading tenant list --json");
}

async function listTenants(context: Context, flags: OperatorFlags): Promise<void> {
  const { stdout } = context;
  const tenants = await readTenants(await operatorEndpoint(context, flags));
  if (flags.json) return json(stdout, tenants);
  const rows = tenants.map(({ identifier, name, id, createdAt }) => [identifier, plain(name), id, createdAt]);
  table(stdout, [["identifier", "name", "id", "created"], ...rows]);
}

async function readTenants(endpoint: Endpoint) {
  type Answer = AnswerOf<typeof query>;
  const tenants: Answer["tenants"]["edges"][number]["node"][] = [];
  for (let after: string | null = ""; ; ) {
    const { tenants: page }: Answer = await request(endpoint, query, { after });
    tenants.push(...page.edges.map(({ node }) => node));
    if (!page.pageInfo.hasNextPage) return tenants;
    after = page.pageInfo.endCursor;
  }
}
