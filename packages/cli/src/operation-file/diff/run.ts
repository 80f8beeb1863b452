import { setImmediate } from "node:timers/promises";
import { type DumpKind, dumpKinds } from "@lading/schema";
import type { Context } from "../../context.ts";
import { CliError, exitCode } from "../../exit.ts";
import { ownerOnly, refuseToReplace, writeWhole } from "../../files/write-whole.ts";
import type { TokenFlags } from "../../options.ts";
import type { Differences } from "./changes.ts";
import { compare } from "./compare.ts";
import { readBoth } from "./reading/read-tenants.ts";
import { printSummary } from "./summary.ts";

export interface DiffFlags extends TokenFlags {
  toUrl?: string;
  toTokenId?: string;
  toTokenSecret?: string;
  only?: string[];
  without?: string[];
  delete?: boolean;
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
  file: string | undefined,
  flags: DiffFlags,
): Promise<void> {
  const isFile = file !== undefined && file !== standardOutput;
  if (isFile) await refuseToReplace(context, file, flags);
  const [before, after] = await readBoth(context, from, to, flags, queryOf(flags));
  try {
    const { operations, changes } = compare(before, after, {
      deletes: flags.delete === true,
      isCompared: chosen(flags),
    });
    const counted = { operations: 0 };
    const text = textOf(operations, counted, context.interrupted);
    if (isFile) await writeWhole(file, text, ownerOnly);
    else await print(context, text, file === standardOutput);
    const { stdout, stderr } = context;
    const { omissions } = after;
    const written = { operations: counted.operations, file: isFile ? file : undefined };
    const compared = { from, to, changes, omissions, ...written };
    printSummary(context, file === standardOutput ? stderr : stdout, compared, flags);
    if (flags.exitCode && counted.operations > 0) context.exitCode = exitCode.changes;
  } finally {
    before.spool.close();
    if (after !== before) after.spool.close();
  }
}

/** Tells which kinds are compared. */
function chosen({ only, without }: DiffFlags): (kind: DumpKind) => boolean {
  return (kind) => (only?.includes(kind) ?? true) && !without?.includes(kind);
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

/** Writes operations as a mass operation file; lets Ctrl-C end it. */
async function* textOf(
  operations: Differences,
  counted: { operations: number },
  interrupted: AbortSignal,
): AsyncGenerator<string> {
  let piece = '{"version":"1.0.0","operations":[';
  let separator = "\n";
  let next = Date.now() + turnMilliseconds;
  for (const operation of operations) {
    counted.operations++;
    piece += separator + JSON.stringify(operation);
    separator = ",\n";
    if (Date.now() > next) {
      await setImmediate();
      if (interrupted.aborted) throw new CliError("interrupted", exitCode.interrupted);
      next = Date.now() + turnMilliseconds;
    }
    if (piece.length < pieceLength) continue;
    yield piece;
    piece = "";
  }
  yield `${piece}\n]}\n`;
}

/** Milliseconds between two turns of the event loop, which hears of Ctrl-C. */
const turnMilliseconds = 100;

async function print({ stdout }: Context, pieces: AsyncIterable<string>, isPrinted: boolean): Promise<void> {
  for await (const piece of pieces) {
    if (!isPrinted || stdout.hasReader === false) continue;
    stdout.write(piece);
    await stdout.drained?.();
  }
}
