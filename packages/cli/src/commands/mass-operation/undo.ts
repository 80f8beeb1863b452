import { randomUUID } from "node:crypto";
import { Command } from "commander";
import { askWhether, mayAsk } from "../../ask.ts";
import { type Context, confirm, counted } from "../../context.ts";
import { CliError, exitCode } from "../../exit.ts";
import { type TenantFlags, withAll, withDetails, withExamples, withTenant } from "../../options.ts";
import { type PlanFlags, printPlan } from "../../plan/print-plan.ts";
import type { Endpoint } from "../../service/graphql.ts";
import { taskEndpoint } from "../../service/task-endpoint.ts";
import { retryWhileUnreachable } from "../../task/follow.ts";
import { hint } from "../../task/hint.ts";
import { findTask, undoTask } from "../../task/task.ts";
import { type Seen, watch } from "../../task/watch.ts";
import { wholeNumber } from "./numbers.ts";

interface Flags extends TenantFlags, Pick<PlanFlags, "exitCode"> {
  all?: boolean;
  yes?: boolean;
  plan?: boolean;
  first?: number;
}

/** `lading mass-operation undo <task>`: undoes a task, and follows the undo. */
export function command(context: Context): Command {
  const undo = new Command("undo")
    .description("Undoes a task's operations, from the last to the first, and shows the log.")
    .argument("<task>", "the task's id, as `run` prints it")
    .option("--plan", "show what the undo would do, and change nothing")
    .option(
      "--first <number>",
      "with --plan: number of operations whose changes are shown (default: 20)",
      wholeNumber,
    )
    .option("--exit-code", "with --plan: exit with 5 when there are changes")
    .option("--yes", "do not ask for confirmation")
    .action((taskId: string, flags: Flags) => carryOut(context, taskId, flags));
  return withExamples(
    withDetails(withTenant(withAll(undo)), details),
    "lading mass-operation undo 6561f0c2a1b2c3d4e5f60718 --plan",
    "lading mass-operation undo 6561f0c2a1b2c3d4e5f60718",
    "lading mass-operation undo 6561f0c2a1b2c3d4e5f60718 --yes --no-interactive --json > result.json",
  );
}

const details = `An operation whose rows others have changed since is not undone, and is logged as a failure.
Exit codes: 0 every operation was undone, 1 usage error or no connection, 3 the undo failed, 4 some operations were not
undone. Ctrl-C exits with 130; the undo continues.
With --plan the output and the exit codes are those of \`plan\`.`;

async function carryOut(context: Context, taskId: string, flags: Flags): Promise<void> {
  const { plan = false, first, exitCode: codeOfChanges } = flags;
  if (!plan && (first !== undefined || codeOfChanges))
    throw new CliError("--first and --exit-code are for --plan: add it, or leave them out");
  const { tenant, endpoint } = await taskEndpoint(context, taskId, flags);
  if (!plan) await askToConfirm(context, endpoint, taskId, flags);
  const id = await start(context, endpoint, { id: taskId, plan });
  const out = flags.json ? { ...context, stdout: context.stderr } : context;
  confirm(out, `Task ${id} ${plan ? "plans to undo" : "undoes"} task ${taskId}.`);
  const next = () => hint("undo", taskId, { ...flags, tenant });
  const shown = { ...flags, tenant, subject: taskId, next };
  const finish = (seen: Seen) => printPlan(context, endpoint, seen, shown);
  await watch(context, endpoint, id, { ...flags, tenant, ...(plan && { finish }) });
}

async function askToConfirm(
  context: Context,
  endpoint: Endpoint,
  taskId: string,
  flags: Flags,
): Promise<void> {
  if (flags.yes) return;
  if (!mayAsk(context, flags)) throw new CliError(`to undo task ${taskId}, add --yes to confirm`);
  const { progress } = await findTask(endpoint, taskId);
  const question = `Undo ${counted(progress.processed, "operation")} of task ${taskId}?`;
  if (!(await askWhether(question))) throw new CliError("nothing was undone");
}

/** Creates the undo, or its plan, which starts by itself; returns its id. */
function start(
  { interrupted }: Context,
  endpoint: Endpoint,
  undo: { id: string; plan: boolean },
): Promise<string> {
  const request = { ...undo, idempotencyKey: randomUUID() };
  return retryWhileUnreachable(() => undoTask(endpoint, request), {
    maxWaitMs: 10_000,
    signal: interrupted,
  }).catch((error) => {
    const what = undo.plan ? "plan" : "undo";
    throw interrupted.aborted
      ? new CliError(`interrupted; the ${what} may have been created`, exitCode.interrupted)
      : error;
  });
}
