import { randomUUID } from "node:crypto";
import { Command, InvalidArgumentError } from "commander";
import { type Context, confirm, json, line } from "../../context.ts";
import { CliError, exitCode } from "../../exit.ts";
import { checkFile, printIssues, summary } from "../../files/check-file.ts";
import {
  fileMeaning,
  inputName,
  type JsonFile,
  untilInterrupted,
  uploadName,
  withJsonFile,
} from "../../files/json-input.ts";
import { type TokenFlags, withDetails, withExamples, withToken } from "../../options.ts";
import type { Endpoint } from "../../service/graphql.ts";
import { tenantEndpoint } from "../../service/tenant-endpoint.ts";
import { upload, uploadLimit } from "../../service/upload.ts";
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
    .argument("<file>", fileMeaning)
    .option("--max-failures <number>", "end the task when more operations have failed", wholeNumber)
    .option("--strict", "treat warnings as errors: nothing is sent")
    .action((tenant: string, file: string, flags: Flags) => carryOut(context, tenant, file, flags));
  return withExamples(
    withDetails(withToken(run), exitCodes),
    "lading mass-operation run acme shop.json",
    "lading mass-operation run acme shop.json --strict --max-failures 0",
    "lading mass-operation run acme shop.json --no-interactive --json > result.json",
    "generate-operations | lading mass-operation run acme - --quiet",
  );
}

const exitCodes = `Exit codes: 0 every operation succeeded, 1 wrong use or no connection, 2 the file is invalid,
3 the task failed, 4 some operations did not succeed. Ctrl-C exits with 130; the task goes on.`;

function wholeNumber(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new InvalidArgumentError(`"${text}" is not a whole number.`);
}

async function carryOut(context: Context, tenant: string, file: string, flags: Flags): Promise<void> {
  const limit = async () => uploadLimit(await tenantEndpoint(context, tenant, flags));
  await withJsonFile(context, file, limit, async (content) => {
    if (!(await isValid(context, file, content, flags))) return;
    const endpoint = await tenantEndpoint(context, tenant, flags);
    const taskId = await start(context, endpoint, { content, name: uploadName(file) }, flags);
    confirm(outOf(context, flags), `Uploaded; task ${taskId} starts.`);
    await watch(context, endpoint, taskId, {
      ...flags,
      tenant,
      places: placesIn(content.read, inputName(file)),
    });
  });
}

/** Returns the context in which text for people does not go to the standard output, where JSON goes there. */
const outOf = (context: Context, { json }: Flags): Context =>
  json ? { ...context, stdout: context.stderr } : context;

/** Checks the file here, and prints what is wrong with it. */
async function isValid(context: Context, file: string, content: JsonFile, flags: Flags): Promise<boolean> {
  const out = outOf(context, flags);
  const checked = await checkFile(untilInterrupted(context, content.read()), {
    strict: flags.strict ?? false,
  });
  const { lifetimes: _, ...report } = checked;
  printIssues(out.stdout, inputName(file), report);
  const text = summary(inputName(file), report);
  if (report.errorCount === 0) {
    confirm(out, text);
    return true;
  }
  context.exitCode = exitCode.invalidFile;
  line(out.stdout, text);
  line(out.stdout, "Nothing was sent.");
  if (flags.json) json(context.stdout, { task: null, file: report });
  return false;
}

/** Uploads the file and creates a task, which starts by itself; returns the task's id. */
async function start(
  { interrupted }: Context,
  endpoint: Endpoint,
  file: { content: JsonFile; name: string },
  { maxFailures, strict }: Flags,
): Promise<string> {
  const unlessInterrupted = (text: string) => (error: unknown) => {
    throw interrupted.aborted ? new CliError(`interrupted; ${text}`, exitCode.interrupted) : error;
  };
  const key = await upload(endpoint, file.content, file.name, interrupted).catch(
    unlessInterrupted("nothing was started"),
  );
  const task = {
    key,
    idempotencyKey: randomUUID(),
    ...(maxFailures !== undefined && { maxFailures }),
    ...(strict !== undefined && { strict }),
  };
  const create = () => createTask(endpoint, task);
  return retryWhileUnreachable(create, { maxWaitMs: 10_000, signal: interrupted }).catch(
    unlessInterrupted("the task may have been created"),
  );
}
