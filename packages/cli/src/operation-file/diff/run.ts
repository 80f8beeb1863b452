import { setImmediate } from "node:timers/promises";
import type { Context } from "../../context.ts";
import { toToken } from "../../environment.ts";
import { CliError, exitCode } from "../../exit.ts";
import { refuseToReplace, writeWhole } from "../../files/write-whole.ts";
import type { TokenFlags } from "../../options.ts";
import { type DumpEnd, withoutReport } from "../../service/dump-lines.ts";
import { download, type Endpoint } from "../../service/graphql.ts";
import { tenantEndpoint } from "../../service/tenant-endpoint.ts";
import type { Differences } from "./changes.ts";
import { compare } from "./compare.ts";
import { type IndexedDump, readDump } from "./read-dump.ts";
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
  const [before, after] = await readBoth(context, from, to, flags);
  try {
    const { operations, changes } = compare(before, after, {
      deletes: flags.delete === true,
      isCompared: chosen(flags),
    });
    const counted = { operations: 0 };
    const text = textOf(operations, counted, context.interrupted);
    if (isFile) await writeWhole(file, text);
    else await print(context, text, file === standardOutput);
    const { stdout, stderr } = context;
    const compared = { from, to, changes, operations: counted.operations, file: isFile ? file : undefined };
    printSummary(context, file === standardOutput ? stderr : stdout, compared, flags);
    if (flags.exitCode && counted.operations > 0) context.exitCode = exitCode.changes;
  } finally {
    before.spool.close();
    if (after !== before) after.spool.close();
  }
}

/** Tells which kinds are compared. */
function chosen({ only, without }: DiffFlags): (kind: string) => boolean {
  return (kind) => (only?.includes(kind) ?? true) && !without?.includes(kind);
}

/** The kinds that are needed to tell what is the same in both tenants, whatever is compared. */
const neededKinds = ["settings", "content-model", "topics", "items"];

function queryOf({ only, without }: DiffFlags): string {
  const query = new URLSearchParams();
  if (only) query.set("only", [...new Set([...neededKinds, ...only])].join());
  const left = without?.filter((kind) => !neededKinds.includes(kind)) ?? [];
  if (left.length > 0) query.set("without", left.join());
  return query.size === 0 ? "" : `?${query}`;
}

/** Reads the dumps of both tenants at the same time; of one tenant, once. Ends both when one fails. */
async function readBoth(
  context: Context,
  from: string,
  to: string,
  flags: DiffFlags,
): Promise<[IndexedDump, IndexedDump]> {
  const toFlags = {
    ...flags,
    url: flags.toUrl ?? flags.url,
    tokenId: flags.toTokenId,
    tokenSecret: flags.toTokenSecret,
  };
  const isSame = from === to && toFlags.url === flags.url;
  const endpoint = await tenantEndpoint(context, from, flags);
  const other = isSame ? endpoint : await tenantEndpoint(context, to, toFlags as TokenFlags, toToken);
  const failed = new AbortController();
  const interrupted = AbortSignal.any([context.interrupted, failed.signal]);
  const shapes = new Map<string, number>();
  let reason: unknown;
  const reading = (isSame ? [endpoint] : [endpoint, other]).map((each, i) =>
    readTenant({ ...each, interrupted }, queryOf(flags), shapes).catch((error: unknown) => {
      reason ??= namedError(error, i === 0 ? from : to);
      failed.abort();
      return undefined;
    }),
  );
  const dumps = await Promise.all(reading);
  if (reason === undefined) return [dumps[0]!, dumps.at(-1)!];
  for (const dump of dumps) dump?.spool.close();
  throw reason;
}

function readTenant(endpoint: Endpoint, query: string, shapes: Map<string, number>): Promise<IndexedDump> {
  const end: DumpEnd = { operations: 0, omissions: [] };
  return readDump(withoutReport(download(endpoint, `/dump.json${query}`), end), shapes);
}

/** Says of which tenant an error is. */
const namedError = (error: unknown, tenant: string): unknown =>
  error instanceof CliError && error.exitCode === exitCode.usage
    ? new CliError(`the dump of ${tenant}: ${error.message}`, error.exitCode, error.errorName)
    : error;

/** Characters that are written at once. */
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
