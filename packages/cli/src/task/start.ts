import { createHash, randomUUID } from "node:crypto";
import { type Context, confirm, json, line, note, plain } from "../context.ts";
import { CliError, exitCode } from "../exit.ts";
import { checkForPeople, summary } from "../files/check-file.ts";
import { inputName, type JsonFile, untilInterrupted, uploadName, withJsonFile } from "../files/json-input.ts";
import type { TokenFlags } from "../options.ts";
import { type Refusal, type Refused, refusalText, refusedIn } from "../plan/refusals.ts";
import { printDestructive } from "../plan/report.ts";
import type { Endpoint } from "../service/graphql.ts";
import { tenantEndpoint } from "../service/tenant-endpoint.ts";
import { upload, uploadLimit } from "../service/upload.ts";
import { retryWhileUnreachable } from "./follow.ts";
import { fileHint, type HintOptions, hint } from "./hint.ts";
import { positionsIn } from "./positions.ts";
import { createTask, findFileDigest, findTask, type TaskOptions } from "./task.ts";
import { type Seen, type WatchOptions, watch } from "./watch.ts";
import { watchWithUndo } from "./watch-with-undo.ts";

export type FileFlags = TokenFlags &
  Omit<TaskOptions, "webhookUrl" | "startAt"> & {
    /** Undoes the task if it fails. */
    allOrNothing?: boolean;
    /** When the task starts; it is not waited for. */
    at?: string;
    kind?: "run" | "plan";
    webhook?: string;
    all?: boolean;
    /** SHA-256 that the file's JSON had before; without one, it may have any. */
    sha256?: string;
    /** Plans the file first, and runs nothing if the plan has any of these. */
    refuse?: readonly Refusal[];
  };

type TaskFlags = Omit<FileFlags, keyof TokenFlags>;

/**
 * Checks a file, uploads it, starts a task of it and follows that to its end; `finish` prints the result. A task with a
 * date is only created.
 */
export async function executeFile(
  context: Context,
  tenant: string,
  file: string,
  flags: FileFlags,
  finish?: WatchOptions["finish"] | false,
): Promise<void> {
  const limit = async () => uploadLimit(await tenantEndpoint(context, tenant, flags));
  await withJsonFile(context, file, limit, async (content) => {
    const sha256 = await digestIfValid(context, file, content, flags);
    if (sha256 === undefined) return;
    if (flags.sha256 !== undefined && flags.sha256 !== sha256) throw changed(inputName(file));
    const endpoint = await tenantEndpoint(context, tenant, flags);
    if (flags.plan !== undefined)
      await requirePlanned(endpoint, flags.plan, { ...flags, tenant, file, sha256 });
    const show = async (options: TaskFlags, end: WatchOptions["finish"] | false | undefined) => {
      const taskId = await start(context, endpoint, { content, name: uploadName(file), sha256 }, options);
      const how = options.plan === undefined ? "Uploaded" : "Planned before";
      if (options.at !== undefined) {
        confirm(outOf(context, flags), `${how}.`);
        await printDated(context, endpoint, taskId, { ...flags, tenant });
        return taskId;
      }
      confirm(outOf(context, flags), `${how}; task ${taskId} starts.`);
      const positions = positionsIn(content.read, inputName(file));
      const shown = { ...flags, tenant, positions };
      if (end) await watch(context, endpoint, taskId, { ...shown, finish: end });
      else await watchWithUndo(context, endpoint, taskId, shown);
      return taskId;
    };
    const { refuse, kind, strict } = flags;
    if (refuse === undefined || kind === "plan") return void (await show(flags, finish));
    if (flags.plan !== undefined) throw new CliError("--refuse plans the file itself: leave out --plan");
    let refused: Refused | undefined;
    const plan = await show({ kind: "plan", ...(strict !== undefined && { strict }) }, async (seen) => {
      refused = refusedIn(seen, refuse);
      if (refused) await printRefused(context, seen, refused, flags, finish);
    });
    if (refused === undefined) await show({ ...flags, plan }, finish);
  });
}

/** Prints when a task starts, and what can be done about it until then. */
async function printDated(
  context: Context,
  endpoint: Endpoint,
  taskId: string,
  options: HintOptions & { json?: boolean },
): Promise<void> {
  const task = await findTask(endpoint, taskId);
  if (options.json) return json(context.stdout, { task });
  line(context.stdout, `Task ${taskId} starts at ${plain(task.startAt ?? "")}.`);
  note(context, `To follow it: ${hint("status", taskId, options)} --watch`);
  note(context, `To change the date: ${hint("start", taskId, options)} --at DATE`);
  note(context, `To cancel it: ${hint("cancel", taskId, options)}`);
}

/** Prints why a file is not run, and sets the exit code. */
async function printRefused(
  context: Context,
  seen: Seen,
  refused: Refused,
  flags: FileFlags,
  finish: WatchOptions["finish"] | false,
): Promise<void> {
  const { stdout } = context;
  if (finish) await finish(seen);
  else if (flags.json) json(stdout, { task: seen.task, refused });
  else {
    if (seen.task) printDestructive(stdout, seen.task);
    line(stdout, `${refusalText(stdout, refused)} Nothing was run.`);
  }
  context.exitCode = exitCode.refused;
}

/** Returns the context in which text for people does not go to the standard output, where JSON goes there. */
const outOf = (context: Context, { json }: FileFlags): Context =>
  json ? { ...context, stdout: context.stderr } : context;

/** Checks the file here, and prints what is wrong with it. Returns its SHA-256; undefined when it is invalid. */
async function digestIfValid(
  context: Context,
  file: string,
  content: JsonFile,
  flags: FileFlags,
): Promise<string | undefined> {
  const out = outOf(context, flags);
  const name = inputName(file);
  const checked = await checkForPeople(out, name, untilInterrupted(context, content.read()), flags);
  const { lifetimes: _, ...report } = checked;
  const text = summary(name, report);
  if (report.errorCount === 0) {
    confirm(out, text);
    return report.sha256;
  }
  context.exitCode = exitCode.invalidFile;
  line(out.stdout, text);
  line(out.stdout, "Nothing was sent.");
  if (flags.json) json(context.stdout, { task: null, file: report });
  return undefined;
}

/** @throws CliError when the file is not the plan's; the service checks the rest of the plan */
async function requirePlanned(
  endpoint: Endpoint,
  plan: string,
  { sha256, ...options }: HintOptions & { file: string; sha256: string },
): Promise<void> {
  const planned = await findFileDigest(endpoint, plan);
  if (planned === null || planned === sha256) return;
  throw new CliError(
    `${inputName(options.file)} is not the file of the plan ${plan}: its SHA-256 is ${sha256}, not ${planned}. ` +
      `Nothing was started. To plan it: ${fileHint("plan", options)}`,
  );
}

/**
 * Uploads the file, unless the task follows a plan, whose upload it takes. Creates the task, which starts by itself,
 * and returns its id.
 */
async function start(
  { interrupted }: Context,
  endpoint: Endpoint,
  file: { content: JsonFile; name: string; sha256: string },
  {
    kind,
    plan,
    maxFailures,
    holdAfter,
    holdOnFailures,
    strict,
    webhook,
    appliedAs,
    idempotencyKey,
    allOrNothing,
    at,
  }: TaskFlags,
): Promise<string> {
  const unlessInterrupted = (text: string) => (error: unknown) => {
    throw interrupted.aborted ? new CliError(`interrupted; ${text}`, exitCode.interrupted) : error;
  };
  const send = () => sendChecked(endpoint, file, interrupted).catch(unlessInterrupted("nothing was started"));
  const task = {
    ...(plan === undefined ? { key: await send() } : { plan }),
    idempotencyKey: idempotencyKey ?? randomUUID(),
    ...(appliedAs !== undefined && { appliedAs }),
    ...(kind !== undefined && { kind }),
    ...(maxFailures !== undefined && { maxFailures }),
    ...(holdAfter !== undefined && { holdAfter }),
    ...(holdOnFailures !== undefined && { holdOnFailures }),
    ...(strict !== undefined && { strict }),
    ...(webhook !== undefined && { webhookUrl: webhook }),
    ...(allOrNothing && { onFailure: "UNDO" as const }),
    ...(at !== undefined && { startAt: at }),
  };
  const create = () => createTask(endpoint, task);
  return retryWhileUnreachable(create, { maxWaitMs: 10_000, signal: interrupted }).catch(
    unlessInterrupted("the task may have been created"),
  );
}

/** Uploads a file and returns its key. @throws CliError when its JSON is not what was checked */
async function sendChecked(
  endpoint: Endpoint,
  { content, name, sha256 }: { content: JsonFile; name: string; sha256: string },
  signal: AbortSignal,
): Promise<string> {
  let hash = createHash("sha256");
  async function* read() {
    hash = createHash("sha256");
    for await (const chunk of content.read()) {
      hash.update(chunk);
      yield chunk;
    }
  }
  const key = await upload(endpoint, { size: content.size, read }, name, signal);
  if (hash.digest("hex") !== sha256) throw changed(name);
  return key;
}

const changed = (name: string) =>
  new CliError(`${name} was changed while this command read it. Nothing was started: run the command again`);
