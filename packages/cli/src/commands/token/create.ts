import { type TokenRole, tokenRoles } from "@lading/schema/internal";
import { Command, InvalidArgumentError, Option } from "commander";
import { type Context, json, line, note } from "../../context.ts";
import { type OperatorFlags, withExamples, withOperator } from "../../options.ts";
import { credentialsPath, keepCredentials } from "../../service/credentials.ts";
import { operatorGraphql } from "../../service/documents.ts";
import { request, succeeded } from "../../service/graphql.ts";
import { operatorEndpoint } from "../../service/operator-endpoint.ts";
import { tokenFields } from "../../service/tokens.ts";

interface Flags extends OperatorFlags {
  name: string;
  role: TokenRole;
  expires?: string;
  keep?: boolean;
}

const mutation = operatorGraphql(
  `
  mutation CreateAccessToken($tenant: String!, $input: CreateAccessTokenInput!) {
    createAccessToken(tenantIdentifier: $tenant, input: $input) {
      ... on CreatedAccessToken { accessToken { ...TokenFields } secret }
      ... on BasicError { error errorName }
    }
  }`,
  [tokenFields],
);

/** `lading token create <tenant>`: an access token, whose secret is shown once. */
export function command(context: Context): Command {
  const create = new Command("create")
    .description("Creates an access token of a tenant and shows its secret, once.")
    .argument("<tenant>", "the tenant's identifier")
    .requiredOption("--name <name>", "what the token is for")
    .addOption(
      new Option("--role <role>", "reader only reads, planner also plans files, admin also writes")
        .choices(tokenRoles)
        .default("admin"),
    )
    .option("--expires <when>", "a duration such as 12h or 90d, or a date and time (default: never)", expiry)
    .option("--keep", "save it for later commands, in place of the saved one")
    .action((tenant: string, flags: Flags) => createToken(context, tenant, flags));
  return withExamples(
    withOperator(create),
    "lading token create acme --name import-job --expires 90d",
    "lading token create acme --name dashboard --role reader --json",
    "lading token create acme --name agent --role planner",
  );
}

async function createToken(context: Context, tenant: string, flags: Flags): Promise<void> {
  const { name, role, expires } = flags;
  const input = { name, role, ...(expires && { expiresAt: expires }) };
  const answer = await request(await operatorEndpoint(context, flags), mutation, { tenant, input });
  const { accessToken, secret } = succeeded(answer.createAccessToken);
  if (flags.keep) {
    await keepCredentials(flags.url, tenant, { accessTokenId: accessToken.id, accessTokenSecret: secret });
  }
  if (flags.json) return json(context.stdout, { tenant, ...accessToken, secret });
  line(context.stdout, `accessTokenId     ${accessToken.id}`);
  line(context.stdout, `accessTokenSecret ${secret}`);
  note(context, flags.keep ? `Saved in ${credentialsPath()}.` : "The secret is not shown again.");
}

const units: Readonly<Record<string, number>> = { m: 60, h: 3_600, d: 86_400 };

/** `90d`, `12h`, `30m` from now, or a date, as ISO 8601. */
export function expiry(text: string): string {
  const [, number, unit] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  const time = unit ? Date.now() + Number(number) * units[unit]! * 1_000 : Date.parse(text);
  if (Number.isNaN(time) || (!unit && !/^\d{4}-\d{2}-\d{2}/.test(text))) {
    throw new InvalidArgumentError(
      `"${text}" is neither a duration (30m, 12h, 90d) nor a date (2030-01-31 or 2030-01-31T12:00:00Z).`,
    );
  }
  return new Date(time).toISOString();
}
