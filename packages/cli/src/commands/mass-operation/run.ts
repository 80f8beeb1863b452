import { randomUUID } from "node:crypto";
import { Command, InvalidArgumentError } from "commander";
import { checkFile, printIssues, summary } from "../../check-file.ts";
import { type Context, json, line } from "../../context.ts";
import { CliError, exitCode } from "../../exit.ts";
import { type TokenFlags, withDetails, withExamples, withToken } from "../../options.ts";
import { tenantEndpoint } from "../../service/tenant-endpoint.ts";
import { upload } from "../../service/upload.ts";
import { retryWhileUnreachable } from "../../task/follow.ts";
import { placesIn } from "../../task/places.ts";
import { createTask } from "../../task/task.ts";
import { watch } from "../../task/watch.ts";

interface Flags extends TokenFlags {
  maxFailures?: number;
  strict?: boolean;
}

/** `lading mass-operation run <tenant> <file>`: checks, uploads, starts, and follows to the end. */
export function command(context: Context): Command {
  const run = new Command("run")
    .description("Runs a mass operation file: checks and uploads it, starts a task, shows its log.")
    .argument("<tenant>", "the tenant's identifier")
    .argument("<file>", "the mass operation file")
    .option("--max-failures <number>", "end the task when more operations have failed", wholeNumber)
    .option("--strict", "treat warnings as errors: nothing is sent")
    .action((tenant: string, file: string, flags: Flags) => carryOut(context, tenant, file, flags));
  return withExamples(
    withDetails(withToken(run), exitCodes),
    "lading mass-operation run acme shop.json",
    "lading mass-operation run acme shop.json --strict --max-failures 0",
    "lading mass-operation run acme shop.json --no-interactive --json > result.json",
  );
}

const exitCodes = `Exit codes: 0 every operation succeeded, 1 wrong use or no connection, 2 the file is invalid,
3 the task failed, 4 some operations did not succeed. Ctrl-C exits with 130; the task goes on.`;

function wholeNumber(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError(`"${text}" is not a whole number.`);
}

async function carryOut(context: Context, tenant: string, file: string, flags: Flags): Promise<void> {
  const { lifetimes: _, ...report } = await checkFile(context, file, { strict: flags.strict ?? false });
  const out = flags.json ? context.stderr : context.stdout;
  printIssues(out, file, report);
  line(out, summary(file, report));
  if (report.errorCount > 0) {
    context.exitCode = exitCode.invalidFile;
    line(out, "Nothing was sent.");
    if (flags.json) json(context.stdout, { task: null, file: report });
    return;
  }
  const endpoint = await tenantEndpoint(context, tenant, flags);
  const { interrupted } = context;
  const key = await upload(endpoint, file, interrupted).catch((error) => {
    throw interrupted.aborted
      ? new CliError("interrupted; nothing was started", exitCode.interrupted)
      : error;
  });
  const { maxFailures, strict } = flags;
  const task = {
    key,
    idempotencyKey: randomUUID(),
    ...(maxFailures !== undefined && { maxFailures }),
    ...(strict !== undefined && { strict }),
  };
  const create = () => createTask(endpoint, task);
  const taskId = await retryWhileUnreachable(create, 10_000, interrupted).catch((error) => {
    throw interrupted.aborted
      ? new CliError("interrupted; the task may have been created", exitCode.interrupted)
      : error;
  });
  line(out, `Uploaded; task ${taskId} starts.`);
  await watch(context, endpoint, taskId, { ...flags, tenant, places: placesIn(file) });
}
