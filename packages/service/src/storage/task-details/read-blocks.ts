import type { Parameter, Queries } from "../database.ts";
import { countFailures, type FailureRows, failureRows } from "./failures.ts";
import { type EntryHead, type EntryText, entriesOfBlock, entriesPerBlock } from "./log-blocks.ts";
import type { LogQuery, LogSlice, SizedLog } from "./log-query.ts";
import { beginSearch } from "./log-search.ts";
import type { LogKey, StoredLog } from "./operation-logs.ts";

interface BlockToRead {
  readonly first: number;
  readonly rawBytes: number;
  /** The number of its entries that match, perhaps with some before those that are asked for. */
  readonly matching: number;
  /** The numbers of the entries to read; null where each entry has to be looked at. */
  readonly indexes: readonly number[] | null;
}

/** Most bytes of blocks that are decompressed at once, unless a single one is larger. */
const bytesAtOnce = 16 * 1024 ** 2;

/** The same of blocks that are searched, since others of the request's searches may have read as much. */
const bytesOfSearch = 1024 ** 2;

/** Blocks that are looked for first, and by how many times more each time that they were not enough. */
const [firstLimit, growth] = [16, 4];

/** The filters of a query, as parts of a statement. */
interface BlockFilter {
  /** A condition that every block with a matching entry meets: it is checked far faster than entries are counted. */
  readonly mayMatch: string;
  /** The number of a block's entries that match. */
  readonly matching: string;
  readonly values: readonly Parameter[];
}

/**
 * Makes the parts of a statement whose parameters for them begin at a number. They have only what is asked for, and
 * hide the operators: where the planner expects few blocks, perhaps by figures of before this task, it sorts all of
 * them instead of reading a few in order.
 */
function blockFilter({ status, intents, action }: LogQuery, first: number): BlockFilter {
  const [blocks, entries, values]: [string[], string[], Parameter[]] = [["true"], ["true"], []];
  const add = (value: Parameter, block: (at: string) => string, entry: (at: string) => string) => {
    if (!value) return;
    const at = `$${first + values.push(value) - 1}`;
    blocks.push(`coalesce(${block(at)}, false)`);
    entries.push(entry(at));
  };
  add(
    status ?? null,
    (at) => `${at} = ANY (statuses)`,
    (at) => `c.status = ${at}`,
  );
  add(
    action ?? null,
    (at) => `${at} = ANY (actions)`,
    (at) => `c.action = ${at}`,
  );
  add(
    intents,
    (at) => `intents && ${at}::text[]`,
    (at) => `c.intent = ANY (${at})`,
  );
  return {
    mayMatch: blocks.join(" AND "),
    matching: `(SELECT coalesce(sum(c.count), 0)::int
      FROM unnest(intents, actions, statuses, counts) AS c(intent, action, status, count)
      WHERE ${entries.join(" AND ")})`,
    values,
  };
}

/** A query for how many entries match, as `count`. */
export function countBlockEntries(query: LogQuery): { sql: string; values: readonly Parameter[] } {
  if (query.failures !== null) return countFailures(query);
  const { mayMatch, matching, values } = blockFilter(query, 3);
  const sql = `SELECT coalesce(sum(${matching}), 0)::int AS count FROM operation_log_blocks
    WHERE tenant_id = $1 AND task_id = $2 AND ${mayMatch}`;
  return { sql, values: [query.tenantId, query.taskId, ...values] };
}

/** The block that has an operation, if there is one: the last that begins at or before it. */
const blockOf = (index: string) => `
  SELECT first_index, raw_bytes FROM operation_log_blocks
  WHERE tenant_id = $1 AND task_id = $2 AND first_index <= ${index} ORDER BY first_index DESC LIMIT 1`;

/** No operation of a file has a larger number. */
const largestIndex = 2 ** 31 - 1;

/**
 * At most $4 blocks with entries that match, from the one on that has the operation $3. They are put in order before
 * entries are counted, so that few are counted even where the planner sorts them all. With an upper bound, it expects
 * few blocks and reads them in the order of the index, instead of reading and sorting all that a task has.
 */
const matchingBlocks = ({ mayMatch, matching }: BlockFilter) => `
  SELECT b.first_index AS first, b.raw_bytes AS "rawBytes", m.matching, NULL AS indexes
  FROM (SELECT first_index, raw_bytes, intents, actions, statuses, counts FROM operation_log_blocks
    WHERE tenant_id = $1 AND task_id = $2 AND ${mayMatch}
      AND first_index >= coalesce((SELECT first_index FROM (${blockOf("$3")}) f), 0) AND first_index <= ${largestIndex}
    ORDER BY first_index) b CROSS JOIN LATERAL ${matching} AS m(matching)
  WHERE m.matching > 0 ORDER BY b.first_index LIMIT $4`;

/**
 * The blocks of the first $4 failures that match, from the operation $3 to before $5. The planner may read and sort all
 * of these rows, because it expects few.
 */
const failedBlocks = ({ sources, matches }: FailureRows) => `
  SELECT b.first_index AS first, b.raw_bytes AS "rawBytes", count(*)::int AS matching,
    array_agg(f.index ORDER BY f.index) AS indexes
  FROM (SELECT r.index FROM ${sources} CROSS JOIN LATERAL (
      SELECT l.index FROM operation_log_failures l
      WHERE l.tenant_id = $1 AND l.task_id = s.task_id AND l.status = s.status AND l.index >= greatest(s.from_index, $3)
        AND l.index < $5 AND ${matches}
      ORDER BY l.index LIMIT $4) r
    ORDER BY r.index LIMIT $4) f
  CROSS JOIN LATERAL (${blockOf("f.index")}) b
  GROUP BY 1, 2 ORDER BY 1`;

/**
 * Finds the next blocks that have entries after `after`. Those with failures are found by the rows of these, if only
 * these can tell, or nothing else is asked for: with other filters each failure would have to be looked at, and every
 * operation may have failed.
 */
async function findBlocks(
  queries: Queries,
  query: LogQuery,
  after: number,
  limit: number,
): Promise<{ blocks: BlockToRead[]; areLast: boolean }> {
  const { tenantId, taskId, status, intents, action, failures } = query;
  if (failures !== null || (status && status !== "success" && intents === null && !action)) {
    return findFailedBlocks(queries, query, after, limit);
  }
  const filter = blockFilter(query, 5);
  const values = [tenantId, taskId, after + 1, limit, ...filter.values];
  const blocks = await queries.query<BlockToRead>(matchingBlocks(filter), values);
  return { blocks, areLast: blocks.length < limit };
}

/** Operations among which failures are looked for first, for each block, and by how many times more each time. */
const [operationsForBlock, widening] = [1_000, 16];

/** Finds the next blocks that have failures after `after`, among more operations each time that there were none. */
async function findFailedBlocks(
  queries: Queries,
  query: LogQuery,
  after: number,
  limit: number,
): Promise<{ blocks: BlockToRead[]; areLast: boolean }> {
  const { tenantId, taskId } = query;
  // Any of them may be what a search is for; otherwise all of them are.
  const count = query.search === null ? query.count : firstLimit * entriesPerBlock;
  const rows = failureRows(query, 6);
  for (let [start, width] = [after + 1, limit * operationsForBlock]; ; start += width, width *= widening) {
    const end = Math.min(start + width, largestIndex);
    const parameters = [tenantId, taskId, start, count, end, ...rows.values];
    const blocks = await queries.query<BlockToRead>(failedBlocks(rows), parameters);
    const found = blocks.reduce((sum, { matching }) => sum + matching, 0);
    if (found > 0 || end === largestIndex) return { blocks, areLast: end === largestIndex && found < count };
  }
}

/** The first entries that the blocks of a task have for a query, or as many of them as a request may search for. */
export async function readBlocks(queries: Queries, query: LogQuery): Promise<LogSlice> {
  const wanted = wantedBy(query);
  const search = query.search && beginSearch(query.search);
  const matches = query.search?.matches ?? (() => true);
  const entries: SizedLog[] = [];
  let bytes = 0;
  let { after } = query;
  for (let limit = firstLimit; ; limit *= growth) {
    const { blocks, areLast } = await findBlocks(queries, query, after, limit);
    for (let at = 0; at < blocks.length; ) {
      const portion = search
        ? portionOf(blocks.slice(at), Number.POSITIVE_INFINITY, bytesOfSearch)
        : portionOf(blocks.slice(at), query.count - entries.length, query.bytes - bytes);
      at += portion.length;
      for await (const textsOf of blocksOf(queries, query, portion)) {
        if (search?.isOver()) return { entries, isComplete: false, searchedTo: after };
        await search?.nextTurn();
        for (const text of await textsOf()) {
          if (text.index <= after) continue;
          const isWanted = wanted(text);
          if (isWanted && entries.length > 0 && bytes >= query.bytes)
            return { entries, isComplete: false, searchedTo: after };
          after = text.index;
          const entry = isWanted ? text.parse() : undefined;
          if (entry === undefined || !matches(entry)) continue;
          entries.push({ entry, bytes: text.bytes });
          if (entries.length === query.count) return { entries, isComplete: false, searchedTo: after };
          bytes += text.bytes;
        }
      }
      // Also where nothing was read: blocks may have been pruned meanwhile.
      after = portion.reduce((seen, { first, indexes }) => Math.max(seen, indexes?.at(-1) ?? first), after);
    }
    if (areLast) return { entries, isComplete: true, searchedTo: after };
  }
}

/** The blocks, the first of several, whose entries fill a page; at least one. */
function portionOf(blocks: readonly BlockToRead[], count: number, bytes: number): readonly BlockToRead[] {
  let [entries, size] = [0, 0];
  // The first block may have entries before those that are asked for.
  const end = blocks.findIndex((block, at) => {
    if (at > 0 && (entries >= count || size + block.rawBytes > Math.min(bytes, bytesAtOnce))) return true;
    entries += at === 0 ? 0 : block.matching;
    size += block.rawBytes;
    return false;
  });
  return end === -1 ? blocks : blocks.slice(0, end);
}

function wantedBy({ status, intents, action }: LogQuery): (head: EntryHead) => boolean {
  const wanted: ReadonlySet<string> | null = intents && new Set(intents);
  return (head) =>
    (!status || head.status === status) &&
    (!action || head.action === action) &&
    (wanted?.has(head.intent) ?? true);
}

/** Reads blocks in one query, and yields what reads the entries of each, unparsed. */
async function* blocksOf(
  queries: Queries,
  { tenantId, taskId }: LogKey,
  blocks: readonly BlockToRead[],
): AsyncGenerator<() => Promise<EntryText[]>> {
  const rows = await queries.query<{ first: number; rawBytes: number; entries: Uint8Array }>(
    `SELECT first_index AS first, raw_bytes AS "rawBytes", entries FROM operation_log_blocks
     WHERE tenant_id = $1 AND task_id = $2 AND first_index = ANY($3::int[]) ORDER BY first_index`,
    [tenantId, taskId, blocks.map(({ first }) => first)],
  );
  const indexes = new Map(blocks.map((block) => [block.first, block.indexes ?? undefined]));
  for (const row of rows) yield () => entriesOfBlock(row, indexes.get(row.first));
}

/** The blocks of the operations with the numbers $3. */
const blocksOfEntries = `
  SELECT b.first_index AS first, b.raw_bytes AS "rawBytes", count(*)::int AS matching,
    array_agg(i.index ORDER BY i.index) AS indexes
  FROM unnest($3::int[]) AS i(index) CROSS JOIN LATERAL (${blockOf("i.index")}) b GROUP BY 1, 2 ORDER BY 1`;

/** Yields the entries with these numbers that are in blocks, in their order. */
export async function* readBlockEntries(
  queries: Queries,
  key: LogKey,
  indexes: readonly number[],
): AsyncGenerator<StoredLog> {
  const blocks = await queries.query<BlockToRead>(blocksOfEntries, [key.tenantId, key.taskId, indexes]);
  for (let at = 0; at < blocks.length; ) {
    const portion = portionOf(blocks.slice(at), Number.POSITIVE_INFINITY, bytesAtOnce);
    at += portion.length;
    for await (const textsOf of blocksOf(queries, key, portion))
      for (const text of await textsOf()) yield text.parse();
  }
}
