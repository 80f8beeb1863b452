import { createHash } from "node:crypto";
import { basename } from "node:path";
import { planFile } from "../commands/mass-operation/plan.ts";
import { advise, type Context, confirm, counted, json, line, note, paint, plain, table } from "../context.ts";
import { CliError, exitCode } from "../exit.ts";
import { checkFile, checkForPeople } from "../files/check-file.ts";
import { jsonOf } from "../files/json-input.ts";
import type { TokenFlags } from "../options.ts";
import { LocalPictures } from "../pictures/local-pictures.ts";
import { type Advice, textMarkdown } from "../plan/markdown.ts";
import type { Refusal } from "../plan/refusals.ts";
import type { Endpoint } from "../service/graphql.ts";
import { tenantEndpoint } from "../service/tenant-endpoint.ts";
import { acceptHint, applyHint, hint } from "../task/hint.ts";
import { executeFile } from "../task/start.ts";
import { findTask, isHeld } from "../task/task.ts";
import { outcomeOf, type Seen, watch } from "../task/watch.ts";
import { byCodePoints, type FolderFile, readFolder } from "./folder.ts";
import { type AppliedFile, acceptFile, type Entry, readEntries } from "./ledger.ts";

export interface ApplyFlags extends TokenFlags {
  status?: boolean;
  plan?: boolean;
  acceptChanged: string[];
  strict?: boolean;
  all?: boolean;
  markdown?: boolean;
  refuse?: readonly Refusal[];
}

/** Runs the files of a folder that are not applied yet, in the order of their names, and stops at the first failure. */
export async function applyFolder(
  context: Context,
  { tenant, folder }: { tenant: string; folder: string },
  flags: ApplyFlags,
): Promise<void> {
  if ([flags.status, flags.plan, flags.acceptChanged.length > 0].filter(Boolean).length > 1)
    throw new CliError("give one of --status, --plan and --accept-changed");
  if (flags.markdown && !flags.plan) throw new CliError("--markdown needs --plan");
  const files = await readFolder(context, folder);
  const endpoint = await tenantEndpoint(context, tenant, flags);
  const applying = { context, endpoint, tenant, folder, files, flags, runs: [] };
  if (flags.status) printStatus(context, await readEntries(endpoint, files), flags);
  else if (flags.acceptChanged.length > 0) await acceptChanged(applying);
  else if (flags.plan) await planNext(applying);
  else await applyFiles(applying);
}

interface Applying {
  readonly context: Context;
  readonly endpoint: Endpoint;
  readonly tenant: string;
  readonly folder: string;
  readonly files: readonly FolderFile[];
  readonly flags: ApplyFlags;
  /** The runs of this command; what became of them only with `--json`. */
  readonly runs: Run[];
}

interface Run extends Pick<Seen, "task" | "problems"> {
  readonly name: string;
}

/** Plans the next pending file; a run that has not ended is not waited for. */
async function planNext(applying: Applying): Promise<void> {
  const { context, endpoint, files, tenant, folder, flags } = applying;
  const entries = await readEntries(endpoint, files);
  requireUnchanged(applying, entries);
  const failed = entries.find(({ state }) => state === "failed");
  if (failed) return refuse(applying, failed);
  const pending = entries.find(({ state }) => state === "pending");
  if (pending?.file === undefined) return finish(applying);
  for (const { name, state } of entries)
    if (state === "running") note(context, `${name} is running; the plan is of the shop as it is now.`);
  const { path, sha256 } = pending.file;
  const { plan: _, ...options } = flags;
  const next = () => applyHint({ ...flags, tenant, folder });
  await planFile(context, tenant, path, { ...options, sha256, next });
}

async function applyFiles(applying: Applying): Promise<void> {
  const { context, flags, runs } = applying;
  try {
    await applyPending(applying);
  } catch (error) {
    if (flags.json && runs.length > 0) json(context.stdout, { runs });
    throw error;
  }
}

async function applyPending(applying: Applying): Promise<void> {
  const { context, endpoint, files, flags } = applying;
  const valid = new Set<FolderFile>();
  let conflict: Conflict | undefined;
  let entries = await readEntries(endpoint, files);
  for (;;) {
    requireUnchanged(applying, entries);
    const next = entries.find(
      ({ state }) => state === "pending" || state === "failed" || state === "running",
    );
    if (next === undefined) return finish(applying);
    if (next.state === "failed") return refuse(applying, next);
    if (next.state === "running") {
      await waitFor(applying, next);
      if (context.exitCode === exitCode.held) return printHeld(applying, next);
      entries = await readEntries(endpoint, files);
      continue;
    }
    const pending = entries.filter(({ state }) => state === "pending");
    if (next.file === undefined || !(await areValid(applying, pending, valid))) return;
    if (!flags.json) confirm(context, paint(context.stdout, "bold", plain(next.name)));
    noteLate(context, entries, next);
    const before = next.run?.task.id;
    if (conflict?.name === next.name && conflict.before === before) throw conflict.error;
    const { refused, ...done } = await run(applying, next.file, before);
    if (context.exitCode === exitCode.held) return printHeld(applying, next);
    if (refused && flags.json) return json(context.stdout, { runs: applying.runs, refused });
    if (done.invalid) {
      if (flags.json) json(context.stdout, { runs: applying.runs, invalid: [{ name: next.name }] });
      return;
    }
    conflict = done.conflict;
    // What others do meanwhile shows when the next file is run: the service refuses one that is not pending.
    if (conflict === undefined && context.exitCode === exitCode.success)
      entries = entries.map((entry) => (entry === next ? { ...entry, state: "applied" } : entry));
    else entries = await readEntries(endpoint, files);
    const now = entries.find(({ name }) => name === next.name);
    if (conflict === undefined && now && now.state !== "applied") return refuse(applying, now);
  }
}

/** Names of errors of a run whose file another command runs, retries or undoes meanwhile. */
const conflicts: ReadonlySet<string | undefined> = new Set([
  "IdempotencyKeyExistsError",
  "InvalidTaskStateError",
]);

interface Conflict {
  readonly name: string;
  readonly before: string | undefined;
  readonly error: CliError;
}

/**
 * Runs a file, as `lading mass-operation run` does. Commands that do so at the same time get the same task, or a
 * conflict. With `--json`, also returns a plan that is refused.
 */
async function run(
  { context, tenant, flags, runs }: Applying,
  { name, path, sha256 }: FolderFile,
  before: string | undefined,
): Promise<{
  conflict?: Conflict;
  refused?: Pick<Seen, "task" | "refused"> & { name: string };
  invalid?: boolean;
}> {
  const hash = createHash("sha256").update(name).digest("hex").slice(0, 32);
  const { plan: _, ...options } = flags;
  const task = { appliedAs: name, sha256, idempotencyKey: `apply:${hash}:${before ?? "first"}` };
  let seen: Partial<Seen> | undefined;
  const finish = async (end: Seen) => {
    seen = end;
    if (end.task) context.exitCode = outcomeOf(end.task);
  };
  try {
    await executeFile(context, tenant, path, { ...options, ...task }, flags.json && finish);
  } catch (error) {
    if (!(error instanceof CliError) || !conflicts.has(error.errorName)) throw error;
    return { conflict: { name, before, error } };
  }
  const { task: ended, problems = [], refused } = seen ?? {};
  if (ended?.kind === "plan") return { refused: { name, task: ended, ...(refused && { refused }) } };
  if (context.exitCode === exitCode.invalidFile) return { invalid: true };
  if (context.exitCode !== exitCode.refused) runs.push({ name, task: ended, problems });
  return {};
}

/** Waits for the end of a file's run, or of a retry or undo of it, such as one that another command started. */
async function waitFor({ context, endpoint, tenant, flags }: Applying, { name, run }: Entry): Promise<void> {
  const id = run?.unfinishedTask ?? "";
  const { status, kind, startAt } = await findTask(endpoint, id);
  const options = { ...flags, tenant };
  if (status === "pending")
    throw new CliError([
      `${name}: its ${kind} ${id} ${startAt === null ? "has not been started" : `starts at ${plain(startAt)}`}.`,
      `To start it${startAt === null ? "" : " now"}: ${hint("start", id, options)}`,
      `To cancel it: ${hint("cancel", id, options)}`,
    ]);
  note(context, `${name}: waiting for the ${kind} ${id}.`);
  const finish = async ({ task }: Seen) => {
    if (task === undefined || !isHeld(task)) return;
    context.exitCode = exitCode.held;
    if (!flags.json) advise(context, `To resume: ${hint("resume", id, options)}`);
  };
  await watch(context, endpoint, id, { ...options, finish });
}

function printHeld({ context, flags, runs }: Applying, { name }: Entry): void {
  if (flags.json) json(context.stdout, { runs, held: { name } });
  else line(context.stdout, `${plain(name)} is held; the files after it wait.`);
}

/** @throws CliError when a file is not the one that was applied */
function requireUnchanged({ flags, tenant, folder, runs }: Applying, entries: readonly Entry[]): void {
  const changed = entries.filter(({ state }) => state === "changed");
  const renamed = entries.filter(({ state }) => state === "renamed");
  if (changed.length + renamed.length === 0) return;
  const accept = () =>
    acceptHint(
      { ...flags, tenant, folder },
      changed.map(({ name }) => name),
    );
  throw new CliError([
    ...changed.map(
      ({ name, run, file }) =>
        `${name} was changed after it was applied: its SHA-256 is ${file?.sha256}, not ${run?.sha256}`,
    ),
    ...renamed.map(({ name, is }) => `${is} was applied under the name ${name}: give it that name again`),
    ...(changed.length > 0
      ? [
          `Restore it, and put the change into a new file; or, if it should count as applied as it is: ${accept()}`,
        ]
      : []),
    runs.length === 0 ? "Nothing was run." : "Nothing more was run.",
  ]);
}

/** Checks the files that will be run, before the first of them is; prints what is wrong. */
async function areValid(
  { context, flags, runs }: Applying,
  pending: readonly Entry[],
  valid: Set<FolderFile>,
): Promise<boolean> {
  const out = flags.json ? { ...context, stdout: context.stderr } : context;
  const invalid: { name: string; errorCount: number }[] = [];
  for (const { name, file } of pending) {
    if (file === undefined || valid.has(file)) continue;
    const { strict = false, all = false } = flags;
    const options = { strict, pictures: new LocalPictures(file.path) };
    const { errorCount } = await checkFile(jsonOf(context, file.path), options);
    if (errorCount > 0) {
      await checkForPeople(out, file.path, jsonOf(context, file.path), { ...options, all });
      invalid.push({ name, errorCount });
    } else valid.add(file);
  }
  if (invalid.length === 0) return true;
  context.exitCode = exitCode.invalidFile;
  line(
    out.stdout,
    `${counted(invalid.length, "file")} of ${pending.length} to run cannot be run. Nothing was sent.`,
  );
  if (flags.json) json(context.stdout, { runs, invalid });
  return false;
}

/** Says that a file is run after files that follow it, which happens when branches are merged. */
function noteLate(context: Context, entries: readonly Entry[], next: Entry): void {
  const later = entries.findLast(({ state, file }) => file !== undefined && state === "applied");
  if (later && entries.indexOf(later) > entries.indexOf(next))
    note(context, `${next.name} is run after ${later.name}, which was applied before.`);
}

function finish({ context, tenant, folder, flags, runs }: Applying): void {
  const done = runs.length === 0 ? "Nothing to run" : `${counted(runs.length, "file")} run`;
  const text = `${done}; all files are applied.`;
  if (flags.json) json(context.stdout, { runs });
  else if (flags.markdown) context.stdout.write(textMarkdown(folder, tenant, [{ text }]));
  else confirm(context, text);
}

/** Stops at a file that was not applied, and says what to do. */
function refuse(applying: Applying, entry: Entry): void {
  const { context, tenant, folder, files, flags, runs } = applying;
  const { name, state, file, run } = entry;
  if (context.exitCode === exitCode.success)
    context.exitCode = run?.task.status === "error" ? exitCode.taskError : exitCode.operationsFailed;
  if (flags.json) {
    json(context.stdout, { runs, failed: { name, task: run?.task.id } });
    return;
  }
  const after = files.filter((other) => byCodePoints(other.name, name) > 0).length;
  const behind =
    after === 0 ? "" : after === 1 ? " The file after it waits." : ` The ${after} files after it wait.`;
  const missing = file === undefined ? ", and not in the folder any more" : "";
  const lines: Advice[] = [{ text: `${plain(name)} is not applied${missing}.${behind}` }];
  if (state === "failed" && run) lines.push(...advice(applying, run));
  else if (context.exitCode !== exitCode.refused)
    lines.push({ text: "It changed nothing, or was undone: edit the file, and apply again." });
  if (flags.markdown) context.stdout.write(textMarkdown(folder, tenant, lines));
  else for (const { text, command } of lines) line(context.stdout, command ? `${text} ${command}` : text);
}

/** Commands that retry, undo or accept a file of which a part was done. */
function advice({ tenant, folder, flags }: Applying, { name, ...file }: AppliedFile): Advice[] {
  const { toRetry, outcomesToRetry, toUndo } = file;
  const options = { ...flags, tenant };
  const retry = toRetry === null ? undefined : hint("retry", toRetry, options);
  const hasFailed = outcomesToRetry.some((outcome) => outcome !== "PARTIAL");
  const partly = " --include failed partial not-attempted";
  const undo = toUndo.map((id) => hint("undo", id, options)).join(" && ");
  return [
    ...(retry && hasFailed ? [{ text: "To retry what failed:", command: retry }] : []),
    ...(retry && outcomesToRetry.includes("PARTIAL")
      ? [{ text: `To retry what was done in part${hasFailed ? ", too" : ""}:`, command: retry + partly }]
      : []),
    ...(undo === "" ? [] : [{ text: "To undo it, edit the file, and apply again:", command: undo }]),
    {
      text: `${undo === "" ? "It cannot be undone any more. " : ""}To let it count as applied:`,
      command: acceptHint({ ...options, folder }, [name]),
    },
  ];
}

async function acceptChanged({ context, endpoint, files, flags }: Applying): Promise<void> {
  const entries = await readEntries(endpoint, files);
  const wanted = flags.acceptChanged.map((path) => {
    const name = basename(path);
    const entry = entries.find((entry) => entry.name === name);
    const sha256 = entry?.file?.sha256 ?? entry?.run?.sha256;
    if ((entry?.state === "changed" || entry?.state === "failed") && sha256) return { name, sha256 };
    const state = entry === undefined ? "is not in the folder" : `is ${entry.state}, not changed`;
    throw new CliError(`${name} ${state}: nothing was accepted`);
  });
  for (const file of wanted) {
    await acceptFile(endpoint, file);
    if (!flags.json) confirm(context, `${file.name}: ${file.sha256} counts as applied.`);
  }
  if (flags.json) json(context.stdout, { accepted: wanted });
}

function printStatus({ stdout }: Context, entries: readonly Entry[], flags: ApplyFlags): void {
  if (flags.json) {
    const list = entries.map(({ name, state, file, run, is }) => ({
      ...{ name, state, ...(is && { is }), sha256: file?.sha256 ?? null },
      ...{
        appliedSha256: run?.sha256 ?? null,
        task: run?.task.id ?? null,
        endedAt: run?.task.endedAt ?? null,
      },
    }));
    json(stdout, list);
  } else if (entries.length === 0) line(stdout, "The folder has no mass operation files.");
  else {
    const rows = entries.map(({ name, state, run, is }) => {
      const text = state === "renamed" ? `renamed to ${is}` : state;
      return [plain(name), text, run?.task.id ?? "", run?.task.endedAt ?? ""];
    });
    table(stdout, [["FILE", "STATE", "TASK", "ENDED"], ...rows]);
  }
}
