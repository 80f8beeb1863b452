import { promisify } from "node:util";
import { zstdCompress, zstdCompressSync, zstdDecompress, zstdDecompressSync } from "node:zlib";
import type { BlockEntry, LogRange, StoredLog } from "./operation-logs.ts";

export const entriesPerBlock = 100;

/** The number of blocks for this many entries, unless they are large. */
export const blocksFor = (entries: number): number => Math.ceil(entries / entriesPerBlock);

/** Size limit of a block, in characters: keeps reading one entry cheap. The entry that exceeds it is the last. */
const charactersPerBlock = 1024 * 1024;

/** Larger blocks are compressed and decompressed off the event loop. */
const bytesAtOnce = 256 * 1024;

/** A text sequence (RFC 7464) begins each text with this character, which no JSON text can contain. */
const separator = 0x1e;

/** The number of a block's entries with the same intent, action and status. */
export interface EntryCount {
  readonly intent: string;
  readonly action: string | null;
  readonly status: string;
  count: number;
}

/** Entries of consecutive operations, each as a text. */
export interface LogBlock extends LogRange {
  readonly counts: readonly EntryCount[];
  readonly texts: readonly string[];
}

/**
 * Cuts entries, ordered by index, into blocks whose ranges cover `range` without a gap: an operation without an entry
 * belongs to the following block, those after the last entry to the last block, and without any entry all make one
 * block.
 */
export function cutIntoBlocks(range: LogRange, entries: readonly BlockEntry[]): LogBlock[] {
  if (entries.length === 0) return range.end > range.first ? [{ ...range, counts: [], texts: [] }] : [];
  const blocks: LogBlock[] = [];
  let { first } = range;
  let texts: string[] = [];
  let characters = 0;
  let counts: EntryCount[] = [];
  for (const [at, entry] of entries.entries()) {
    const text = entryText(entry);
    texts.push(text);
    characters += text.length;
    countEntry(counts, entry);
    const isLast = at === entries.length - 1;
    if (!isLast && texts.length < entriesPerBlock && characters <= charactersPerBlock) continue;
    const end = isLast ? range.end : entry.index + 1;
    blocks.push({ first, end, counts, texts });
    [first, texts, characters, counts] = [end, [], 0, []];
  }
  return blocks;
}

function countEntry(counts: EntryCount[], { intent, action, status }: BlockEntry): void {
  const known = counts.find(
    (each) => each.intent === intent && each.action === action && each.status === status,
  );
  if (known === undefined) counts.push({ intent, action, status, count: 1 });
  else known.count++;
}

/**
 * The text of an entry. It begins with what filters need, so that other entries need not be parsed. The input is
 * included verbatim: it is JSON already, and encoding it again would change its bytes.
 */
function entryText(entry: BlockEntry): string {
  const json = JSON.stringify({
    index: entry.index,
    intent: entry.intent,
    status: entry.status,
    action: entry.action,
    ref: entry.ref,
    statusCode: entry.statusCode,
    errorName: entry.errorName,
    message: entry.message,
    rendered: entry.rendered,
    output: entry.output,
    errors: entry.errors,
    startedAt: entry.startedAt,
    durationMs: entry.durationMs,
    position: entry.position,
    undoes: entry.undoes,
    beforeTooLarge: entry.beforeTooLarge,
  } satisfies Omit<BlockEntry, "input">);
  return `\x1e${json.slice(0, -1)},"input":${entry.input}}\n`;
}

/** The part of an entry used by filters. */
export interface EntryHead {
  readonly index: number;
  readonly intent: string;
  readonly status: string;
  readonly action: string | null;
}

const head = /^\{"index":(\d+),"intent":"([^"]*)","status":"([^"]*)","action":(?:"([^"]*)"|null)/;

/** Longer than any head: intents have some 40 characters. */
const headBytes = 160;

export interface EntryText extends EntryHead {
  readonly bytes: number;
  parse(): StoredLog;
}

export interface CompressedBlock {
  readonly rawBytes: number;
  readonly entries: Uint8Array;
}

export async function compressBlock(texts: readonly string[]): Promise<CompressedBlock> {
  const raw = bytesOf(texts);
  const entries = raw.length <= bytesAtOnce ? zstdCompressSync(raw) : await promisify(zstdCompress)(raw);
  return { rawBytes: raw.length, entries };
}

/** Maximum bytes of a UTF-16 unit in UTF-8. */
const bytesPerUnit = 3;

/** Writes texts one after the other in UTF-8. Joining them first would take twice the time. */
function bytesOf(texts: readonly string[]): Buffer {
  const bytes = Buffer.allocUnsafe(texts.reduce((sum, { length }) => sum + bytesPerUnit * length, 0));
  let length = 0;
  for (const text of texts) length += bytes.write(text, length);
  return bytes.subarray(0, length);
}

/** Decompresses a block's text, bounded by its stated size. */
export async function decompressBlock({ rawBytes, entries }: CompressedBlock): Promise<Buffer> {
  if (rawBytes === 0) return Buffer.alloc(0);
  const most = { maxOutputLength: rawBytes };
  return rawBytes <= bytesAtOnce
    ? zstdDecompressSync(entries, most)
    : await promisify(zstdDecompress)(entries, most);
}

/**
 * Decompresses a block, and returns its entries ordered by index, unparsed: all of them, or those with some indexes,
 * given in order.
 */
export async function entriesOfBlock(
  block: CompressedBlock,
  indexes?: readonly number[],
): Promise<EntryText[]> {
  const raw = await decompressBlock(block);
  return indexes === undefined ? allEntries(raw) : entriesWith(raw, indexes);
}

function allEntries(raw: Buffer): EntryText[] {
  const texts: EntryText[] = [];
  for (let start = raw.indexOf(separator) + 1; start > 0; start = raw.indexOf(separator, start) + 1)
    texts.push(entryAt(raw, start));
  return texts;
}

function entriesWith(raw: Buffer, indexes: readonly number[]): EntryText[] {
  const texts: EntryText[] = [];
  let from = 0;
  for (const index of indexes) {
    const at = raw.indexOf(`\x1e{"index":${index},`, from, "latin1");
    if (at === -1) continue;
    texts.push(entryAt(raw, at + 1));
    from = at + 1;
  }
  return texts;
}

/** Returns the entry whose text begins at a byte. */
function entryAt(raw: Buffer, start: number): EntryText {
  const next = raw.indexOf(separator, start);
  const end = next === -1 ? raw.length : next;
  const found = head.exec(raw.toString("latin1", start, Math.min(end, start + headBytes)));
  if (found === null) throw new Error(`an entry of the operation log begins with no head, at byte ${start}`);
  const [, index, intent = "", status = "", action = null] = found;
  const parse = (): StoredLog => JSON.parse(raw.toString("utf8", start, end));
  return { index: Number(index), intent, status, action, bytes: end - start, parse };
}
