import { bulkTaskKinds } from "@lading/schema/internal/bulk-task";
import { Command, InvalidArgumentError, Option } from "commander";
import { type Context, count, json, note, paint, plain, type Sink, table } from "../../context.ts";
import { type TokenFlags, withDetails, withExamples, withToken } from "../../options.ts";
import { tenantEndpoint } from "../../service/tenant-endpoint.ts";
import { secondsOf } from "../../task/details.ts";
import { type ListedState, listedStateOf, listedStates, listTasks } from "../../task/list.ts";
import { elapsed } from "../../task/pace.ts";
import type { Task } from "../../task/task.ts";

interface Flags extends TokenFlags {
  status?: ListedState;
  kind?: Task["kind"];
  limit: number;
}

/** `lading mass-operation list <tenant>`: the tasks of a tenant, newest first. */
export function command(context: Context): Command {
  const list = new Command("list")
    .description("Lists the tasks of a tenant, newest first.")
    .argument("<tenant>", "the tenant's identifier")
    .addOption(new Option("--status <status>", "only tasks with this status").choices(listedStates))
    .addOption(
      new Option("--kind <kind>", "only tasks of this kind; without it, all but plans").choices(
        bulkTaskKinds,
      ),
    )
    .addOption(
      new Option("--limit <number>", "maximum number of tasks to list").default(20).argParser(limitOf),
    )
    .action((tenant: string, flags: Flags) => printTasks(context, tenant, flags));
  return withExamples(
    withDetails(
      withToken(list),
      "A task that failed as a whole has the status error; one with failed operations, complete. A held task is listed as\n" +
        "held; with --json it keeps its status and has heldAt.",
    ),
    "lading mass-operation list acme",
    "lading mass-operation list acme --status held",
    "lading mass-operation list acme --limit 500 --json > tasks.json",
  );
}

/** Maximum number of tasks listed: they are kept in memory. */
const mostTasks = 10_000;

function limitOf(text: string): number {
  const number = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (number >= 1 && number <= mostTasks) return number;
  throw new InvalidArgumentError(
    `"${text}" is not a number of tasks: it must be a whole number from 1 to ${mostTasks}.`,
  );
}

async function printTasks(context: Context, tenant: string, flags: Flags): Promise<void> {
  const { status, kind, limit } = flags;
  const endpoint = await tenantEndpoint(context, tenant, flags);
  const tasks = await listTasks(endpoint, { limit, state: status, ...(kind && { kind }) });
  if (flags.json) return json(context.stdout, tasks);
  const head = ["task", "kind", "status", "created", "operations", "partial", "failed", "took"];
  const rows = tasks.map((task) => rowOf(task, context.stdout));
  table(context.stdout, [head, ...rows], [4, 5, 6, 7]);
  if (tasks.length === limit) note(context, `These are the newest ${count(limit)}; --limit lists more.`);
}

function rowOf(task: Task, sink: Sink): string[] {
  const { id, kind, createdAt, startedAt, endedAt, progress } = task;
  const { total, processed, partial, failed } = progress;
  const operations = total === processed ? count(processed) : `${count(processed)}/${countOr(total)}`;
  const seconds = secondsOf(startedAt, endedAt);
  const took = seconds === undefined ? "" : elapsed(seconds);
  const outcomes = [figure(sink, "yellow", partial), figure(sink, "red", failed)];
  return [id, kind, stateIn(task), createdAt, operations, ...outcomes, took];
}

/** The state of a task, with the date for which it waits. */
function stateIn(task: Task): string {
  const state = listedStateOf(task);
  return state === "pending" && task.startAt !== null ? `pending until ${plain(task.startAt)}` : state;
}

/** A number, coloured unless it is 0. */
const figure = (sink: Sink, style: "yellow" | "red", number: number) =>
  number === 0 ? "0" : paint(sink, style, count(number));

const countOr = (number: number | null) => (number === null ? "?" : count(number));
