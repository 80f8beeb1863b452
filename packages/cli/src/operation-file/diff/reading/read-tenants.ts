import { fileLimits } from "@lading/schema";
import type { Context } from "../../../context.ts";
import { toToken } from "../../../environment.ts";
import { CliError, exitCode } from "../../../exit.ts";
import { jsonOf } from "../../../files/json-input.ts";
import type { TokenFlags } from "../../../options.ts";
import { type DumpEnd, withoutReport } from "../../../service/dump-lines.ts";
import { download, type Endpoint } from "../../../service/graphql.ts";
import { tenantEndpoint } from "../../../service/tenant-endpoint.ts";
import { readDump, type SpooledDump } from "./read-dump.ts";

export interface ReadFlags extends TokenFlags {
  readonly toUrl?: string;
  readonly toTokenId?: string;
  readonly toTokenSecret?: string;
  readonly delete?: boolean;
}

interface ReadDump extends SpooledDump {
  /** True if all of it is of one moment; false where the service does not say so. */
  readonly isOfOneMoment: boolean;
}

/** True for the file of a dump in place of a tenant, whose identifier has neither dots nor slashes. */
const isFile = (side: string) => /[./\\]/.test(side);

/** Reads the dumps of both sides at the same time; of one tenant or file, once. Ends both when one fails. */
export async function readBoth(
  context: Context,
  from: string,
  to: string,
  flags: ReadFlags,
  query: string,
): Promise<[SpooledDump, SpooledDump]> {
  const toFlags = {
    ...flags,
    url: flags.toUrl ?? flags.url,
    tokenId: flags.toTokenId,
    tokenSecret: flags.toTokenSecret,
  };
  const isSame = from === to && toFlags.url === flags.url;
  if (flags.delete && isFile(to))
    throw new CliError(
      `${to} is a file, which may lack kinds or what moved while it was dumped: leave out --delete, or compare tenants`,
    );
  const endpoint = isFile(from) ? undefined : await tenantEndpoint(context, from, flags);
  const isOther = !isSame && !isFile(to);
  const other = isOther ? await tenantEndpoint(context, to, toFlags as TokenFlags, toToken) : undefined;
  const failed = new AbortController();
  const interrupted = AbortSignal.any([context.interrupted, failed.signal]);
  let reason: unknown;
  const sides = [{ name: from, endpoint }, ...(isSame ? [] : [{ name: to, endpoint: other }])];
  const reading = sides.map(({ name, endpoint }) =>
    (endpoint
      ? readTenant({ ...endpoint, interrupted }, query)
      : readFile({ ...context, interrupted }, name)
    ).catch((error: unknown) => {
      reason ??= namedError(error, name);
      failed.abort();
      return undefined;
    }),
  );
  const dumps = await Promise.all(reading);
  try {
    if (reason !== undefined) throw reason;
    const [before, after] = [dumps[0]!, dumps.at(-1)!];
    if (flags.delete && other && !after.isOfOneMoment) await requireUnchanged(other, query, after, to);
    return [before, after];
  } catch (error) {
    for (const dump of dumps) dump?.spool.close();
    throw error;
  }
}

/** Reads a file that `lading tenant dump` wrote. */
async function readFile(context: Context, file: string): Promise<ReadDump> {
  const end: DumpEnd = { operations: 0, omissions: [] };
  const incomplete = "it has no end of a dump: pass a whole file, as `lading tenant dump` wrote it";
  const dump = await readDump(withoutReport(withinLimit(jsonOf(context, file)), end, incomplete), end);
  return { ...dump, isOfOneMoment: true };
}

async function readTenant(endpoint: Endpoint, query: string): Promise<ReadDump> {
  let isOfOneMoment = false;
  const headersOf = (headers: Headers) => {
    isOfOneMoment = headers.get(momentsHeader) === "1";
  };
  const end: DumpEnd = { operations: 0, omissions: [] };
  const dump = await readDump(linesOf(endpoint, query, end, headersOf), end);
  return { ...dump, isOfOneMoment };
}

/** The header by which a service says at how many moments it has read the parts of a dump: `1`, or `many`. */
const momentsHeader = "lading-dump-moments";

async function* linesOf(
  endpoint: Endpoint,
  query: string,
  end: DumpEnd = { operations: 0, omissions: [] },
  headersOf?: (headers: Headers) => void,
): AsyncGenerator<string> {
  yield* withoutReport(withinLimit(download(endpoint, `/dump.json${query}`, headersOf)), end);
}

/** Passes bytes on while no line is longer than an operation may be: a line is held in memory. */
export async function* withinLimit(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const lineFeed = 10;
  let length = 0;
  for await (const chunk of chunks) {
    const first = chunk.indexOf(lineFeed);
    length += first === -1 ? chunk.length : first;
    if (length > fileLimits.valueBytes)
      throw new CliError(`it has a line of more than ${fileLimits.valueBytes / 1024 ** 2} MiB, the limit`);
    if (first !== -1) length = chunk.length - 1 - chunk.lastIndexOf(lineFeed);
    yield chunk;
  }
}

/**
 * Reads the dump of the second tenant once more, and compares both: what moved from a page to one that was read before
 * is missing in the first, and would be deleted.
 */
async function requireUnchanged(
  endpoint: Endpoint,
  query: string,
  { spool }: SpooledDump,
  tenant: string,
): Promise<void> {
  let offset = 0;
  for await (const text of linesOf(endpoint, query)) {
    const length = Buffer.byteLength(text);
    const isSame = offset + length <= spool.size && spool.read(offset, length) === text;
    offset += length;
    if (!isSame) throw changedMeanwhile(tenant);
  }
  if (offset !== spool.size) throw changedMeanwhile(tenant);
}

const changedMeanwhile = (tenant: string) =>
  new CliError(
    `${tenant} was changed while it was dumped, and its service reads a dump at several moments: what only moved ` +
      "meanwhile could be deleted. Nothing was written. Stop what writes to it and run the command again, or leave out " +
      "--delete.",
  );

/** Says of which tenant an error is. */
const namedError = (error: unknown, tenant: string): unknown =>
  error instanceof CliError && error.exitCode === exitCode.usage
    ? new CliError(`the dump of ${tenant}: ${error.message}`, error.exitCode, error.errorName)
    : error;
