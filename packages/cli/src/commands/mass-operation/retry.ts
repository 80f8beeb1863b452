import { randomUUID } from "node:crypto";
import { Command, Option } from "commander";
import { type Context, confirm, count } from "../../context.ts";
import { CliError, exitCode } from "../../exit.ts";
import { type TenantFlags, withAll, withDetails, withExamples, withTenant } from "../../options.ts";
import { taskEndpoint } from "../../service/task-endpoint.ts";
import { retryWhileUnreachable } from "../../task/follow.ts";
import { outcomesToRetry, type RetriedOutcome, retryTask } from "../../task/retry.ts";
import { watch } from "../../task/watch.ts";
import { wholeNumber } from "./numbers.ts";

interface Flags extends TenantFlags {
  all?: boolean;
  include?: RetriedOutcome[];
  maxFailures?: number;
}

/** `lading mass-operation retry <task>`: retries what failed or was not attempted, and follows the retry. */
export function command(context: Context): Command {
  const retry = new Command("retry")
    .description("Retries the operations of an ended task that failed or were not attempted.")
    .argument("<task>", "the task's id, as `run` prints it")
    .addOption(
      new Option(
        "--include <outcome...>",
        "the outcomes to retry (default: failed and not-attempted)",
      ).choices(outcomesToRetry),
    )
    .option(
      "--max-failures <number>",
      "end the task after more failures than this (default: no limit)",
      wholeNumber,
    )
    .action((taskId: string, flags: Flags) => carryOut(context, taskId, flags));
  return withExamples(
    withDetails(
      withTenant(withAll(retry)),
      "The exit codes are those of `run`. Partial operations may repeat what they did.",
    ),
    "lading mass-operation retry 6561f0c2a1b2c3d4e5f60718",
    "lading mass-operation retry 6561f0c2a1b2c3d4e5f60718 --include failed partial --max-failures 10",
  );
}

async function carryOut(context: Context, taskId: string, flags: Flags): Promise<void> {
  const { interrupted } = context;
  const { include, maxFailures } = flags;
  const { tenant, endpoint } = await taskEndpoint(context, taskId, flags);
  const options = { id: taskId, idempotencyKey: randomUUID(), include, maxFailures };
  const create = () => retryTask(endpoint, options);
  const task = await retryWhileUnreachable(create, { maxWaitMs: 10_000, signal: interrupted }).catch(
    (error: unknown) => {
      if (!interrupted.aborted) throw error;
      throw new CliError("interrupted; the retry may have been created", exitCode.interrupted);
    },
  );
  const { toExecute, total } = task.progress;
  const what = `${count(toExecute ?? 0)} of ${count(total ?? 0)} operations`;
  const out = flags.json ? { ...context, stdout: context.stderr } : context;
  confirm(out, `Task ${task.id} retries ${what} of ${taskId}.`);
  await watch(context, endpoint, task.id, { ...flags, tenant });
}
