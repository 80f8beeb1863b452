import { createHash } from "node:crypto";
import { basename } from "node:path";
import { planFile } from "../commands/mass-operation/plan.ts";
import { advise, type Context, confirm, counted, json, line, note, paint, plain, table } from "../context.ts";
import { CliError, exitCode } from "../exit.ts";
import { checkFile, checkForPeople } from "../files/check-file.ts";
import { jsonOf } from "../files/json-input.ts";
import type { TokenFlags } from "../options.ts";
import { LocalPictures } from "../pictures/local-pictures.ts";
import type { Refusal } from "../plan/refusals.ts";
import type { Endpoint } from "../service/graphql.ts";
import { tenantEndpoint } from "../service/tenant-endpoint.ts";
import { applyHint, hint } from "../task/hint.ts";
import { executeFile } from "../task/start.ts";
import { findTask, isHeld } from "../task/task.ts";
import { outcomeOf, type Seen, watch } from "../task/watch.ts";
import { type FolderFile, readFolder } from "./folder.ts";
import { acceptFile, type Entry, readEntries } from "./ledger.ts";

export interface ApplyFlags extends TokenFlags {
  status?: boolean;
  plan?: boolean;
  acceptChanged: string[];
  strict?: boolean;
  all?: boolean;
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
  const files = await readFolder(context, folder);
  const endpoint = await tenantEndpoint(context, tenant, flags);
  const applying = { context, endpoint, tenant, folder, files, flags };
  if (flags.status) printStatus(context, await readEntries(endpoint, files), flags);
  else if (flags.acceptChanged.length > 0) await acceptChanged(applying);
  else await applyFiles(applying);
}

interface Applying {
  readonly context: Context;
  readonly endpoint: Endpoint;
  readonly tenant: string;
  readonly folder: string;
  readonly files: readonly FolderFile[];
  readonly flags: ApplyFlags;
}

async function applyFiles(applying: Applying): Promise<void> {
  const { context, endpoint, files, flags } = applying;
  const runs: Run[] = [];
  let conflict: Conflict | undefined;
  for (;;) {
    const entries = await readEntries(endpoint, files);
    requireUnchanged(applying, entries);
    const next = entries.find(({ state, file }) => file !== undefined && state !== "applied");
    if (next?.file === undefined) return finish(applying, runs);
    if (next.state === "running") {
      await waitFor(applying, next);
      if (context.exitCode === exitCode.held) return printHeld(applying, next, runs);
      continue;
    }
    if (next.state === "failed" || runs.some(({ name }) => name === next.name))
      return refuse(applying, next, runs);
    if (flags.plan) return planNext(applying, next.file);
    const pending = entries.filter(({ state }) => state === "pending");
    if (runs.length === 0 && !(await areValid(applying, pending))) return;
    if (!flags.json) confirm(context, paint(context.stdout, "bold", plain(next.name)));
    noteLate(context, entries, next);
    const before = next.run?.task.id;
    if (conflict?.name === next.name && conflict.before === before) throw conflict.error;
    conflict = await run(applying, next.file, before, runs);
    if (context.exitCode === exitCode.held) return printHeld(applying, next, runs);
  }
}

function planNext({ context, tenant, folder, flags }: Applying, { path, sha256 }: FolderFile): Promise<void> {
  const { plan: _, ...options } = flags;
  const next = () => `To run it: ${applyHint({ ...flags, tenant, folder })}`;
  return planFile(context, tenant, path, { ...options, sha256, first: 20, next });
}

interface Run extends Pick<Seen, "task" | "problems"> {
  readonly name: string;
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
 * conflict.
 */
async function run(
  { context, tenant, flags }: Applying,
  { name, path, sha256 }: FolderFile,
  before: string | undefined,
  runs: Run[],
): Promise<Conflict | undefined> {
  const hash = createHash("sha256").update(name).digest("hex").slice(0, 32);
  const { plan: _, ...options } = flags;
  const task = { appliedAs: name, sha256, idempotencyKey: `apply:${hash}:${before ?? "first"}` };
  const result: { -readonly [Field in keyof Run]: Run[Field] } = { name, problems: [] };
  runs.push(result);
  try {
    await executeFile(
      context,
      tenant,
      path,
      { ...options, ...task },
      flags.json &&
        (async ({ task, problems }) => {
          Object.assign(result, { task, problems });
          if (task) context.exitCode = outcomeOf(task);
        }),
    );
    return undefined;
  } catch (error) {
    if (!(error instanceof CliError) || !conflicts.has(error.errorName)) throw error;
    runs.pop();
    return { name, before, error };
  }
}

/** Waits for the end of a file's run, or of a retry or undo of it, such as one that another command started. */
async function waitFor({ context, endpoint, tenant, flags }: Applying, { name, run }: Entry): Promise<void> {
  const id = run?.unfinishedTask ?? "";
  const { status, kind } = await findTask(endpoint, id);
  const options = { ...flags, tenant };
  if (status === "pending")
    throw new CliError([
      `${name}: its ${kind} ${id} has not been started. Start it, or cancel it: ${hint("cancel", id, options)}`,
    ]);
  note(context, `${name}: waiting for the ${kind} ${id}.`);
  const finish = async ({ task }: Seen) => {
    if (task === undefined || !isHeld(task)) return;
    context.exitCode = exitCode.held;
    if (!flags.json) advise(context, `To resume: ${hint("resume", id, options)}`);
  };
  await watch(context, endpoint, id, { ...options, finish });
}

function printHeld({ context, flags }: Applying, { name }: Entry, runs: readonly Run[]): void {
  if (flags.json) json(context.stdout, { runs, held: { name } });
  else line(context.stdout, `${plain(name)} is held; the files after it wait.`);
}

/** @throws CliError when a file is not the one that was applied */
function requireUnchanged({ flags, tenant, folder }: Applying, entries: readonly Entry[]): void {
  const changed = entries.filter(({ state }) => state === "changed");
  const renamed = entries.filter(({ state }) => state === "renamed");
  if (changed.length + renamed.length === 0) return;
  throw new CliError([
    ...changed.map(
      ({ name, run, file }) =>
        `${name} was changed after it was applied: its SHA-256 is ${file?.sha256}, not ${run?.sha256}`,
    ),
    ...renamed.map(({ name, is }) => `${is} was applied under the name ${name}: give it that name again`),
    ...(changed.length > 0
      ? [
          "Restore it, and put the change into a new file; or, if it should count as applied as it is: " +
            applyHint(
              { ...flags, tenant, folder },
              changed.map(({ name }) => name),
            ),
        ]
      : []),
    "Nothing was run.",
  ]);
}

/** Checks all files that will be run before the first one is; prints what is wrong. */
async function areValid({ context, flags }: Applying, pending: readonly Entry[]): Promise<boolean> {
  const out = flags.json ? { ...context, stdout: context.stderr } : context;
  const invalid: { name: string; errorCount: number }[] = [];
  for (const { name, file } of pending) {
    if (file === undefined) continue;
    const { strict = false, all = false } = flags;
    const options = { strict, pictures: new LocalPictures(file.path) };
    const { errorCount } = await checkFile(jsonOf(context, file.path), options);
    if (errorCount === 0) continue;
    await checkForPeople(out, file.path, jsonOf(context, file.path), { ...options, all });
    invalid.push({ name, errorCount });
  }
  if (invalid.length === 0) return true;
  context.exitCode = exitCode.invalidFile;
  line(
    out.stdout,
    `${counted(invalid.length, "file")} of ${pending.length} to run cannot be run. Nothing was sent.`,
  );
  if (flags.json) json(context.stdout, { runs: [], invalid });
  return false;
}

/** Says that a file is run after files that follow it, which happens when branches are merged. */
function noteLate(context: Context, entries: readonly Entry[], next: Entry): void {
  const later = entries.findLast(({ state, file }) => file !== undefined && state === "applied");
  if (later && entries.indexOf(later) > entries.indexOf(next))
    note(context, `${next.name} is run after ${later.name}, which was applied before.`);
}

function finish({ context, flags }: Applying, runs: readonly Run[]): void {
  if (flags.json) {
    json(context.stdout, { runs });
    return;
  }
  const done = runs.length === 0 ? "Nothing to run" : `${counted(runs.length, "file")} run`;
  confirm(context, `${done}; all files are applied.`);
}

/** Stops at a file that was not applied, and says what to do. */
function refuse(
  { context, tenant, files, flags }: Applying,
  { name, state, run }: Entry,
  runs: readonly Run[],
): void {
  if (context.exitCode === exitCode.success) context.exitCode = exitCode.operationsFailed;
  if (flags.json) {
    json(context.stdout, { runs, failed: { name, task: run?.task.id } });
    return;
  }
  const rest = files.length - 1 - files.findIndex((file) => file.name === name);
  const behind =
    rest === 0
      ? ""
      : ` The ${rest === 1 ? "file" : `${rest} files`} after it ${rest === 1 ? "waits" : "wait"}.`;
  const options = { ...flags, tenant };
  const id = run?.task.id ?? "";
  line(context.stdout, `${plain(name)} is not applied.${behind}`);
  if (state === "failed") {
    line(context.stdout, `To retry what failed: ${hint("retry", id, options)}`);
    line(context.stdout, `To undo it, edit the file, and apply again: ${hint("undo", id, options)}`);
  } else if (context.exitCode !== exitCode.refused)
    line(context.stdout, "It changed nothing, or was undone: edit the file, and apply again.");
}

async function acceptChanged({ context, endpoint, files, flags }: Applying): Promise<void> {
  const entries = await readEntries(endpoint, files);
  const wanted = flags.acceptChanged.map((path) => {
    const name = basename(path);
    const entry = entries.find((entry) => entry.name === name);
    if (entry?.state === "changed" && entry.file) return entry.file;
    const state = entry === undefined ? "is not in the folder" : `is ${entry.state}, not changed`;
    throw new CliError(`${name} ${state}: nothing was accepted`);
  });
  for (const file of wanted) {
    await acceptFile(endpoint, file);
    if (!flags.json) confirm(context, `${file.name}: ${file.sha256} counts as applied.`);
  }
  if (flags.json) json(context.stdout, { accepted: wanted.map(({ name, sha256 }) => ({ name, sha256 })) });
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
