import { type TokenRole, tokenRoles } from "@lading/schema/internal";
import { Command, Option } from "commander";
import { type Context, confirm, json } from "../../context.ts";
import { type OperatorFlags, withExamples, withOperator } from "../../options.ts";
import { operatorGraphql } from "../../service/documents.ts";
import { request, succeeded } from "../../service/graphql.ts";
import { groupRoleFields } from "../../service/group-roles.ts";
import { operatorEndpoint } from "../../service/operator-endpoint.ts";

interface Flags extends OperatorFlags {
  tenant: string;
  role: TokenRole;
}

const mutation = operatorGraphql(
  `
  mutation MapGroup($group: String!, $tenant: String!, $role: AccessTokenRole!) {
    mapGroup(group: $group, tenantIdentifier: $tenant, role: $role) {
      ... on GroupRole { ...GroupRoleFields }
      ... on BasicError { error errorName }
    }
  }`,
  [groupRoleFields],
);

/** `lading group map <group>`: the members of a group have a role in a tenant. */
export function command(context: Context): Command {
  const map = new Command("map")
    .description("Gives the members of an identity provider's group a role in a tenant.")
    .argument("<group>", "the group, exactly as the provider names it in its claim")
    .requiredOption("--tenant <tenant>", "the tenant's identifier")
    .addOption(
      new Option("--role <role>", "reader only reads, planner also plans files, admin also writes")
        .choices(tokenRoles)
        .makeOptionMandatory(),
    )
    .action((group: string, flags: Flags) => mapGroup(context, group, flags));
  return withExamples(
    withOperator(map),
    "lading group map shop-editors --tenant acme --role planner",
    "lading group map 0f6a1f3c-59d4-4e0e-9a5f-1e5b2f1c7d10 --tenant acme --role admin",
  );
}

async function mapGroup(context: Context, group: string, flags: Flags): Promise<void> {
  const { tenant, role } = flags;
  const answer = await request(await operatorEndpoint(context, flags), mutation, { group, tenant, role });
  const mapped = succeeded(answer.mapGroup);
  if (flags.json) return json(context.stdout, mapped);
  confirm(context, `Members of "${group}" have the role ${role} in ${tenant}.`);
}
