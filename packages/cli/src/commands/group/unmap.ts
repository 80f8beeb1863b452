import { Command } from "commander";
import { type Context, confirm, json } from "../../context.ts";
import { type OperatorFlags, withExamples, withOperator } from "../../options.ts";
import { operatorGraphql } from "../../service/documents.ts";
import { request, succeeded } from "../../service/graphql.ts";
import { groupRoleFields } from "../../service/group-roles.ts";
import { operatorEndpoint } from "../../service/operator-endpoint.ts";

interface Flags extends OperatorFlags {
  tenant: string;
}

const mutation = operatorGraphql(
  `
  mutation UnmapGroup($group: String!, $tenant: String!) {
    unmapGroup(group: $group, tenantIdentifier: $tenant) {
      ... on UnmappedGroup { groupRole { ...GroupRoleFields } }
      ... on BasicError { error errorName }
    }
  }`,
  [groupRoleFields],
);

/** `lading group unmap <group>`: the members of a group lose their role in a tenant. */
export function command(context: Context): Command {
  const unmap = new Command("unmap")
    .description("Takes a group's role in a tenant away, immediately and everywhere.")
    .argument("<group>", "the group, as `lading group list` shows it")
    .requiredOption("--tenant <tenant>", "the tenant's identifier")
    .action((group: string, flags: Flags) => unmapGroup(context, group, flags));
  return withExamples(withOperator(unmap), "lading group unmap shop-editors --tenant acme");
}

async function unmapGroup(context: Context, group: string, flags: Flags): Promise<void> {
  const { tenant } = flags;
  const answer = await request(await operatorEndpoint(context, flags), mutation, { group, tenant });
  const { groupRole } = succeeded(answer.unmapGroup);
  if (flags.json) return json(context.stdout, { unmapped: groupRole });
  confirm(context, `Members of "${group}" have no role in ${tenant} by it any more.`);
}
