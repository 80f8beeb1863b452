import { createHash, randomUUID } from "node:crypto";
import type { PictureCheck } from "@lading/schema";
import { type Context, confirm, json, line, note, paint, plain } from "../context.ts";
import { CliError, exitCode } from "../exit.ts";
import { checkForPeople, summary } from "../files/check-file.ts";
import { inputName, type JsonFile, untilInterrupted, uploadName, withJsonFile } from "../files/json-input.ts";
import type { TokenFlags } from "../options.ts";
import { type LocalPicture, LocalPictures, picturesOfPlan } from "../pictures/local-pictures.ts";
import { sendPictures } from "../pictures/send.ts";
import { issuesMarkdown } from "../plan/markdown.ts";
import { type Refusal, type Refused, refusalText, refusedIn } from "../plan/refusals.ts";
import { printDestructive } from "../plan/report.ts";
import { type Endpoint, Unreachable } from "../service/graphql.ts";
import { tenantEndpoint } from "../service/tenant-endpoint.ts";
import { viewerOf } from "../service/tokens.ts";
import { upload, uploadLimit } from "../service/upload.ts";
import { retryWhileUnreachable } from "./follow.ts";
import { fileHint, type HintOptions, hint } from "./hint.ts";
import { positionsIn } from "./positions.ts";
import { createTask, findFileDigest, findTask, type TaskOptions } from "./task.ts";
import { printInfo, type Seen, type WatchOptions, watch } from "./watch.ts";
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
    /** Prints one document in markdown instead, as `json` does in JSON. */
    markdown?: boolean;
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
  const allow = async () => {
    const endpoint = await tenantEndpoint(context, tenant, flags);
    if (flags.kind !== "plan") await requireAdmin(endpoint, { ...flags, tenant, file });
    return endpoint;
  };
  let asked: ReturnType<typeof allow> | undefined;
  const allowed = () => (asked ??= allow());
  const limit = async () => uploadLimit(await allowed());
  await withJsonFile(context, file, limit, async (content) => {
    const pictures = new LocalPictures(file);
    const sha256 = await digestIfValid(
      context,
      { file, tenant, content },
      { ...flags, pictures: flags.plan === undefined ? pictures : picturesOfPlan },
    );
    if (sha256 === undefined) return;
    const endpoint = await allowed();
    if (flags.plan !== undefined)
      await requirePlanned(endpoint, flags.plan, { ...flags, tenant, file, sha256 });
    const show = async (options: TaskFlags, end: WatchOptions["finish"] | false | undefined) => {
      const sent = { content, name: uploadName(file), sha256, pictures: pictures.found };
      const taskId = await start(context, endpoint, sent, options);
      const positions = positionsIn(content.read, inputName(file));
      // A plan of `--refuse` starts now, whatever the date of its run.
      const { at: _, ...shown } = flags;
      await showStarted(context, endpoint, taskId, { ...shown, ...options, tenant, positions }, end);
      return taskId;
    };
    const { refuse, kind, strict } = flags;
    if (refuse === undefined || kind === "plan") return void (await show(flags, finish));
    if (flags.plan !== undefined) throw new CliError("--refuse plans the file itself: leave out --plan");
    let mayRun = false;
    const plan = await show({ kind: "plan", ...(strict !== undefined && { strict }) }, async (seen) => {
      const refused = refusedIn(seen, refuse);
      mayRun = refused === undefined && seen.task?.status !== "error";
      if (!mayRun) await printRefused(context, seen, refused, flags, finish);
    });
    if (mayRun) await show({ ...flags, plan }, finish);
  });
}

/**
 * Runs the file of a plan, which the service has, and follows the task to its end.
 * @throws CliError without a plan
 */
export async function executePlan(context: Context, tenant: string, flags: FileFlags): Promise<void> {
  if (flags.plan === undefined) throw new CliError("name the file to run, or with --plan what was planned");
  if (flags.refuse !== undefined) throw new CliError("--refuse plans a file: name it, and leave out --plan");
  const endpoint = await tenantEndpoint(context, tenant, flags);
  await requireAdmin(endpoint, { ...flags, tenant });
  const taskId = await start(context, endpoint, undefined, flags);
  await showStarted(context, endpoint, taskId, { ...flags, tenant }, undefined);
}

/**
 * Leaves it to the service to refuse a token when it does not answer now.
 * @throws CliError when the token may not run files; says how to plan the file
 */
async function requireAdmin(endpoint: Endpoint, options: HintOptions & { file?: string }): Promise<void> {
  const viewer = await viewerOf(endpoint).catch((error: unknown) => {
    if (error instanceof Unreachable) return undefined;
    throw error;
  });
  const role = viewer?.accessToken.role;
  if (role === undefined || role === "admin") return;
  const { file } = options;
  const who = role === "planner" ? "To plan it" : "A planner can plan it";
  const advice = file === undefined ? [] : [`${who}: ${fileHint("plan", { ...options, file })}`];
  const name = "UnauthorizedError";
  throw new CliError(
    [`This access token has the role ${role}; to run a file needs the role admin (${name})`, ...advice],
    exitCode.usage,
    name,
  );
}

/** Says that a task starts, and follows it to its end; of one with a date, prints when it starts. */
async function showStarted(
  context: Context,
  endpoint: Endpoint,
  taskId: string,
  flags: FileFlags & Pick<WatchOptions, "tenant" | "positions">,
  end: WatchOptions["finish"] | false | undefined,
): Promise<void> {
  const how = flags.plan === undefined ? "Uploaded" : "Planned before";
  if (flags.at !== undefined) {
    confirm(outOf(context, flags), `${how}.`);
    return printDated(context, endpoint, taskId, flags);
  }
  confirm(outOf(context, flags), `${how}; task ${taskId} starts.`);
  const shown = { ...flags, json: isDocument(flags) };
  if (end) await watch(context, endpoint, taskId, { ...shown, finish: end });
  else await watchWithUndo(context, endpoint, taskId, shown);
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

/** Prints why a file is not run, its plan being refused or ended in error, and sets the exit code. */
async function printRefused(
  context: Context,
  seen: Seen,
  refused: Refused | undefined,
  flags: FileFlags,
  finish: WatchOptions["finish"] | false,
): Promise<void> {
  const { stdout } = context;
  const { task } = seen;
  if (finish) await finish({ ...seen, ...(refused && { refused }) });
  else if (flags.json) json(stdout, { task, ...(refused && { refused }) });
  else if (task) {
    printDestructive(stdout, task);
    printInfo(context, task);
    const why = refused === undefined ? "The plan ended in error." : refusalText(refused);
    line(stdout, `${paint(stdout, "red", why)} Nothing was run.`);
  }
  context.exitCode = refused === undefined ? exitCode.taskError : exitCode.refused;
}

const isDocument = ({ json, markdown }: FileFlags): boolean => json === true || markdown === true;

/** Returns the context in which other text does not go to the standard output, where a document goes there. */
const outOf = (context: Context, flags: FileFlags): Context =>
  isDocument(flags) ? { ...context, stdout: context.stderr } : context;

/**
 * Checks the file here, and prints what is wrong with it. Returns its SHA-256; undefined when it is invalid.
 * @throws CliError when it is not the file of `flags.sha256`
 */
async function digestIfValid(
  context: Context,
  { file, tenant, content }: { file: string; tenant: string; content: JsonFile },
  flags: FileFlags & { pictures: PictureCheck },
): Promise<string | undefined> {
  const out = outOf(context, flags);
  const name = inputName(file);
  const checked = await checkForPeople(
    out,
    name,
    untilInterrupted(context, content.read()),
    optionsOf(flags),
  );
  const { lifetimes: _, ...report } = checked;
  if (flags.sha256 !== undefined && flags.sha256 !== report.sha256) throw changed(name);
  const text = summary(name, report);
  if (report.errorCount === 0) {
    confirm(out, text);
    return report.sha256;
  }
  context.exitCode = exitCode.invalidFile;
  line(out.stdout, text);
  line(out.stdout, "Nothing was sent.");
  // A file of a folder is one of several, of which the caller prints one document.
  if (flags.appliedAs !== undefined) return undefined;
  if (flags.json) json(context.stdout, { task: null, file: report });
  else if (flags.markdown) context.stdout.write(issuesMarkdown(report, name, tenant));
  return undefined;
}

const optionsOf = ({ strict = false, all = false, pictures }: FileFlags & { pictures: PictureCheck }) => ({
  ...{ strict, all, pictures },
});

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

/** A file without errors. */
export interface CheckedFile {
  readonly content: JsonFile;
  readonly name: string;
  /** Of the content, when it was checked. */
  readonly sha256: string;
  readonly pictures: readonly LocalPicture[];
}

/**
 * Uploads the file with its pictures, unless the task follows a plan, whose uploads it takes. Creates the task, which
 * starts by itself, and returns its id.
 */
export async function start(
  context: Context,
  endpoint: Endpoint,
  file: CheckedFile | undefined,
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
  const { interrupted } = context;
  const unlessInterrupted = (text: string) => (error: unknown) => {
    throw interrupted.aborted ? new CliError(`interrupted; ${text}`, exitCode.interrupted) : error;
  };
  const send = async (file: CheckedFile) => {
    const pictures = await sendPictures(context, endpoint, file.pictures);
    const key = await sendChecked(endpoint, file, interrupted);
    return { key, ...(pictures.length > 0 && { pictures }) };
  };
  const task = {
    ...(plan === undefined && file !== undefined
      ? await send(file).catch(unlessInterrupted("nothing was started"))
      : { plan: plan ?? null }),
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
  const { id } = await retryWhileUnreachable(create, { maxWaitMs: 10_000, signal: interrupted }).catch(
    unlessInterrupted("the task may have been created"),
  );
  return id;
}

/** Uploads a file and returns its key. @throws CliError when its JSON is not what was checked */
async function sendChecked(
  endpoint: Endpoint,
  { content, name, sha256 }: CheckedFile,
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
