import { Command } from "commander";
import { type Context, json, plain, table } from "../../context.ts";
import { type OperatorFlags, withExamples, withOperator } from "../../options.ts";
import { type AnswerOf, operatorGraphql } from "../../service/documents.ts";
import { type Endpoint, request } from "../../service/graphql.ts";
import { type GroupRole, groupRoleFields } from "../../service/group-roles.ts";
import { operatorEndpoint } from "../../service/operator-endpoint.ts";

const query = operatorGraphql(
  `
  query ListGroupRoles($after: String) {
    groupRoles(first: 1000, after: $after) {
      pageInfo { endCursor hasNextPage }
      edges { node { ...GroupRoleFields } }
    }
  }`,
  [groupRoleFields],
);

/** `lading group list`: the roles of all groups. */
export function command(context: Context): Command {
  const list = new Command("list")
    .description("Lists the roles that groups of the identity provider have in tenants.")
    .action((flags: OperatorFlags) => listRoles(context, flags));
  return withExamples(withOperator(list), "lading group list", "lading group list --json");
}

async function listRoles(context: Context, flags: OperatorFlags): Promise<void> {
  const { stdout } = context;
  const roles = await readRoles(await operatorEndpoint(context, flags));
  if (flags.json) return json(stdout, roles);
  const rows = roles.map(({ group, tenantIdentifier, role }) => [
    plain(group),
    plain(tenantIdentifier),
    role,
  ]);
  table(stdout, [["group", "tenant", "role"], ...rows]);
}

async function readRoles(endpoint: Endpoint): Promise<GroupRole[]> {
  const roles: GroupRole[] = [];
  for (let after: string | null = ""; ; ) {
    const { groupRoles }: AnswerOf<typeof query> = await request(endpoint, query, { after });
    roles.push(...groupRoles.edges.map(({ node }) => node));
    if (!groupRoles.pageInfo.hasNextPage) return roles;
    after = groupRoles.pageInfo.endCursor;
  }
}
