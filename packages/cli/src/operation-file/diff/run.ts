import { setImmediate } from "node:timers/promises";
import { type DumpKind, dumpKinds } from "@lading/schema/internal";
import { type Changes, type Count, compare, type Differences } from "@lading/transform/internal/diff";
import type { Omission } from "@lading/transform/internal/omission";
import { type Context, count, counted, json, line, plain, table } from "../../context.ts";
import { CliError, exitCode } from "../../exit.ts";
import { ownerOnly, refuseToReplace, writeWhole } from "../../files/write-whole.ts";
import { omissionText } from "../../service/dump-lines.ts";
import { type ReadFlags, readBoth } from "./reading/read-tenants.ts";

export interface DiffFlags extends ReadFlags {
  only?: string[];
  without?: string[];
  exitCode?: boolean;
  force?: boolean;
}

/** Standard output in place of a file. */
const standardOutput = "-";

/** Compares two tenants: writes the operations that make the first like the second, and a summary. */
export async function diffTenants(
  context: Context,
  from: string,
  to: string,
  path: string | undefined,
  flags: DiffFlags,
): Promise<void> {
  const file = path === standardOutput ? undefined : path;
  if (file !== undefined) await refuseToReplace(context, file, flags);
  const [before, after] = await readBoth(context, from, to, flags, queryOf(flags));
  const { only, without } = flags;
  try {
    const isCompared = (kind: DumpKind) => (only?.includes(kind) ?? true) && !without?.includes(kind);
    const { operations, changes } = compare(before, after, { deletes: flags.delete === true, isCompared });
    const text = textOf(operations, changes, context.interrupted);
    if (file !== undefined) await writeWhole(file, text, ownerOnly);
    else await print(context, text, path === standardOutput);
    printSummary(context, { from, to, path, file, changes, omissions: after.omissions }, flags.json);
    if (flags.exitCode && changes.operations > 0) context.exitCode = exitCode.changes;
  } finally {
    before.spool.close();
    if (after !== before) after.spool.close();
  }
}

/** The kinds that are needed to tell what is the same in both tenants, whatever is compared. */
const neededKinds: readonly string[] = dumpKinds.slice(0, dumpKinds.indexOf("items") + 1);

function queryOf({ only, without }: DiffFlags): string {
  const query = new URLSearchParams();
  if (only) query.set("only", [...new Set([...neededKinds, ...only])].join());
  const left = without?.filter((kind) => !neededKinds.includes(kind)) ?? [];
  if (left.length > 0) query.set("without", left.join());
  return query.size === 0 ? "" : `?${query}`;
}

/** Characters per write. */
const pieceLength = 1 << 16;

/** Milliseconds after which the event loop may hear of Ctrl-C. */
const yieldMilliseconds = 100;

/** Writes operations as a mass operation file; lets Ctrl-C end it. */
async function* textOf(
  operations: Differences,
  changes: Changes,
  interrupted: AbortSignal,
): AsyncGenerator<string> {
  let piece = '{"version":"1.0.0","operations":[';
  let next = Date.now() + yieldMilliseconds;
  for (const operation of operations) {
    piece += `${changes.operations++ === 0 ? "" : ","}\n${JSON.stringify(operation)}`;
    if (Date.now() > next) {
      await setImmediate();
      if (interrupted.aborted) throw new CliError("interrupted", exitCode.interrupted);
      next = Date.now() + yieldMilliseconds;
    }
    if (piece.length < pieceLength) continue;
    yield piece;
    piece = "";
  }
  yield `${piece}\n]}\n`;
}

async function print({ stdout }: Context, pieces: AsyncIterable<string>, isPrinted: boolean): Promise<void> {
  for await (const piece of pieces) {
    if (!isPrinted || stdout.hasReader === false) continue;
    stdout.write(piece);
    await stdout.drained?.();
  }
}

interface Summary {
  readonly from: string;
  readonly to: string;
  readonly path: string | undefined;
  readonly file: string | undefined;
  readonly changes: Changes;
  /** Things that the dump of the second tenant leaves out. */
  readonly omissions: readonly Omission[];
}

/** Prints what differs: by kind and change, with the first names of each. */
function printSummary(context: Context, summary: Summary, isJson: boolean | undefined): void {
  const { from, to, path, file, changes, omissions } = summary;
  const { counts, remainders, operations } = changes;
  const sink = path === standardOutput ? context.stderr : context.stdout;
  if (isJson) {
    json(sink, { from, to, operations, file: file ?? null, changes: counts, remainders, omissions });
    return;
  }
  const rows = counts.map((each) => rowOf(each, from));
  if (rows.length > 0 && !context.quiet) table(sink, rows, [2]);
  for (const { what, count: number, names } of remainders)
    line(
      sink,
      `${counted(number, "difference")} ${number === 1 ? "remains" : "remain"}: ${plain(what)} (${namesOf(names, number)})`,
    );
  for (const omission of omissions) line(sink, omissionText(`not compared in ${to}`, omission));
  const where = file === undefined ? "" : `${file}: `;
  line(sink, `${where}${counted(operations, "operation")} to make ${from} like ${to}`);
}

function rowOf({ noun, change, count: number, names }: Count, from: string): string[] {
  const kept: Readonly<Record<string, string>> = {
    left: "kept",
    released: "kept without a SKU or resource identifier that another one gets",
  };
  const did = kept[change] === undefined ? change : `only in ${from}, ${kept[change]}`;
  return [noun, did, count(number), namesOf(names, number)];
}

const namesOf = (names: readonly string[], number: number) =>
  `${names.map(plain).join(", ")}${number > names.length ? ", …" : ""}`;
