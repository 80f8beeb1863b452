import { actions, Causes, didYouMean } from "@lading/schema/internal";
import { Command, InvalidArgumentError, Option } from "commander";
import { type Context, line, note } from "../../context.ts";
import { CliError, exitCode } from "../../exit.ts";
import { isShortened, printRepeated } from "../../files/print-causes.ts";
import { type TenantFlags, withAll, withDetails, withExamples, withTenant } from "../../options.ts";
import { graphql } from "../../service/documents.ts";
import { type Endpoint, request, succeeded } from "../../service/graphql.ts";
import { taskEndpoint } from "../../service/task-endpoint.ts";
import { follow } from "../../task/follow.ts";
import { pointersOnly } from "../../task/positions.ts";
import { entryText } from "../../task/report.ts";
import { isOfUndo, type LogEntry, type LogFilter, type Snapshot, type Task } from "../../task/task.ts";

interface Flags extends TenantFlags, LogFilter {
  follow?: boolean;
  all?: boolean;
}

/** `lading mass-operation logs <task>`: the outcome of each operation. */
export function command(context: Context): Command {
  const logs = new Command("logs")
    .description("Prints the log of a task: the outcome of each operation.")
    .argument("<task>", "the task's id, as `run` prints it")
    .addOption(
      new Option("--status <status>", "only operations with this status").choices([
        "success",
        "partial",
        "failure",
      ]),
    )
    .addOption(new Option("--action <action>", "only operations that did this").choices(actions))
    .option("--intent <intent>", "only operations whose intent begins with this, such as product/")
    .option("--error-name <name>", "only failures with this error, such as SkuTakenError")
    .addOption(
      new Option("--status-code <code>", "only operations with this status code").argParser(statusCodeOf),
    )
    .option("--cause <cause>", "only failures with this cause, as failureGroups has it")
    .option("--text <text>", "only operations with this text in message, _ref, SKU, identifier or id")
    .option("--unrepaired", "only operations that no retry has executed successfully since")
    .option("--follow", "continue until the task has ended")
    .action((taskId: string, flags: Flags) => printLogs(context, taskId, flags));
  return withExamples(
    withDetails(
      withTenant(withAll(logs)),
      "With --json each entry also has its input, the executed command and the output.",
    ),
    "lading mass-operation logs 6561f0c2a1b2c3d4e5f60718 --status failure",
    "lading mass-operation logs 6561f0c2a1b2c3d4e5f60718 --unrepaired",
    "lading mass-operation logs 6561f0c2a1b2c3d4e5f60718 --intent product/ --follow",
    "lading mass-operation logs 6561f0c2a1b2c3d4e5f60718 --json > log.json",
  );
}

const filterNames = [
  "status",
  "intent",
  "action",
  "errorName",
  "statusCode",
  "cause",
  "text",
  "unrepaired",
] as const satisfies (keyof LogFilter)[];

function statusCodeOf(text: string): number {
  if (/^[1-5]\d\d$/.test(text)) return Number(text);
  throw new InvalidArgumentError(`"${text}" is not a status code, such as 404.`);
}

async function printLogs(context: Context, taskId: string, flags: Flags): Promise<void> {
  const { endpoint } = await taskEndpoint(context, taskId, flags);
  const write = flags.json ? jsonList(context) : lines(context, flags.all ?? false);
  try {
    let isEmpty = true;
    let prunedAt: string | null = null;
    for await (const { task, entries } of snapshotsOf(context, endpoint, taskId, flags)) {
      prunedAt = task.prunedAt;
      isEmpty &&= entries.length === 0;
      for (const entry of entries) await write.entry(entry, task);
    }
    const isFiltered = filterNames.some((name) => flags[name] !== undefined);
    if (isEmpty && prunedAt !== null) note(context, `The log was pruned at ${prunedAt}.`);
    else if (isEmpty && isFiltered) note(context, await explainEmpty(endpoint, taskId, flags));
  } catch (error) {
    throw context.interrupted.aborted ? new CliError("interrupted", exitCode.interrupted) : error;
  }
  write.end();
}

/** Says that no entry matches; for a misspelt error, names the nearest one that the task has. */
async function explainEmpty(endpoint: Endpoint, taskId: string, { errorName }: Flags): Promise<string> {
  const known = errorName === undefined ? [] : await failureNames(endpoint, taskId);
  const advice = known.includes(errorName ?? "") ? undefined : didYouMean(errorName ?? "", known, 1);
  return `No entry matches${advice === undefined ? "." : `; ${advice}`}`;
}

function snapshotsOf(
  { interrupted }: Context,
  endpoint: Endpoint,
  taskId: string,
  flags: Flags,
): AsyncGenerator<Snapshot> {
  const { follow: isFollowed, json: whole } = flags;
  const wanted = filterNames.flatMap((name) => (flags[name] === undefined ? [] : [[name, flags[name]]]));
  const query = { ...Object.fromEntries(wanted), whole: whole ?? false };
  return follow(endpoint, taskId, { signal: interrupted, query, once: !isFollowed });
}

function lines(context: Context, all: boolean) {
  const { stdout } = context;
  const causes = new Causes<"failure" | "partial", number>("failure", "partial");
  return {
    async entry(entry: LogEntry, task: Task) {
      const { status, message, index } = entry;
      if (status === "success") return line(stdout, entryText(stdout, entry));
      const take = all ? undefined : causes.count(status, message ?? entry.errorName ?? "no message");
      take?.(index);
      if (!all && take === undefined) return;
      const position = isOfUndo(task) ? undefined : await pointersOnly.positionOf(entry);
      line(stdout, entryText(stdout, entry, position));
    },
    end() {
      printRepeated(stdout, causes);
      if (isShortened(causes)) note(context, "--all prints each.");
    },
  };
}

/** One JSON list, an entry per line, streamed: a log may not fit in memory. */
function jsonList({ stdout }: Context) {
  let before = "[\n";
  return {
    async entry(entry: LogEntry) {
      stdout.write(before + JSON.stringify(entry));
      before = ",\n";
    },
    end: () => stdout.write(before === "[\n" ? "[]\n" : "\n]\n"),
  };
}

const namesQuery = graphql(`
  query FailureNames($id: ID!) {
    bulkTask(id: $id) {
      ... on BulkTaskMassOperation { failureGroups(first: 100) { edges { node { errorName } } } }
      ... on BasicError { error errorName }
    }
  }`);

/** Reads the names of the errors that operations of a task have failed with, the most frequent first. */
export async function failureNames(endpoint: Endpoint, id: string): Promise<string[]> {
  const { failureGroups } = succeeded((await request(endpoint, namesQuery, { id })).bulkTask);
  return [...new Set(failureGroups.edges.flatMap(({ node }) => node.errorName))];
}
