import { Command } from "commander";
import { type Context, confirm, counted, json, line, paint, plain } from "../../context.ts";
import { CliError, exitCode } from "../../exit.ts";
import { execute, type Outcome, rootOf } from "../../mutations/execute.ts";
import { readMutations } from "../../mutations/file.ts";
import { type TokenFlags, withDetails, withExamples, withToken } from "../../options.ts";
import { tenantEndpoint } from "../../service/tenant-endpoint.ts";

interface Flags extends TokenFlags {
  continueOnError?: boolean;
}

/** `lading mass-operation execute-mutations <tenant> <file>`: sends GraphQL mutations one after the other. */
export function command(context: Context): Command {
  const run = new Command("execute-mutations")
    .description("Sends the GraphQL mutations of a file one after another, without a task.")
    .argument("<tenant>", "the tenant's identifier")
    .argument("<file>", "the file of mutations")
    .option("--continue-on-error", "continue after a mutation that failed")
    .action((tenant: string, file: string, flags: Flags) => executeMutations(context, tenant, file, flags));
  return withExamples(
    withDetails(withToken(run), fileHelp),
    "lading mass-operation execute-mutations acme mutations.json",
    "lading mass-operation execute-mutations acme mutations.json --continue-on-error --json",
  );
}

const fileHelp = `The file: { "<name>": { "mutation": "mutation …", "sets": [{ …variables }, …] }, … }
A mutation is sent once for each of its sets. Variables may use results of earlier ones,
$<name>[0].<path>, and $root.TENANT_ID, $root.TENANT_ROOT_ID, $root.TENANT_DEFAULT_VATTYPE_ID.
Exit codes: 0 all succeeded, 1 usage error or no connection, 2 the file is invalid, 4 a mutation failed.`;

async function executeMutations(context: Context, tenant: string, file: string, flags: Flags): Promise<void> {
  const mutations = await readMutations(file);
  const endpoint = await tenantEndpoint(context, tenant, flags);
  const outcomes: Outcome[] = [];
  const root = await rootOf(endpoint);
  for await (const outcome of execute(endpoint, mutations, root, context.interrupted)) {
    outcomes.push(outcome);
    if (!flags.json) print(context, outcome);
    if (outcome.error !== undefined && !flags.continueOnError) break;
  }
  const total = mutations.reduce((sum, { sets }) => sum + sets.length, 0);
  printSummary(context, outcomes, total, flags);
}

function print({ stdout }: Context, { name, index, data, error }: Outcome): void {
  const what = error === undefined ? plain(JSON.stringify(data)) : plain(error);
  const status = error === undefined ? paint(stdout, "green", "success") : paint(stdout, "red", "failure");
  line(stdout, `${status} ${name}[${index}]: ${what}`);
}

function printSummary(context: Context, outcomes: readonly Outcome[], total: number, flags: Flags): void {
  const failed = outcomes.filter(({ error }) => error !== undefined).length;
  if (failed > 0) context.exitCode = exitCode.operationsFailed;
  const counts = { total, succeeded: outcomes.length - failed, failed, notSent: total - outcomes.length };
  if (flags.json) json(context.stdout, { ...counts, results: outcomes });
  else {
    const rest = counts.notSent > 0 ? `, ${counts.notSent} not sent` : "";
    const text = `${counted(total, "mutation")}: ${counts.succeeded} succeeded, ${failed} failed${rest}`;
    if (failed > 0) line(context.stdout, text);
    else confirm(context, text);
  }
  if (context.interrupted.aborted) throw new CliError("interrupted", exitCode.interrupted);
}
