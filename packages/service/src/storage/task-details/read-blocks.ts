import type { Parameter, Queries } from "../database.ts";
import { countFailures, type FailureRows, failureRows } from "./failures.ts";
import { type EntryHead, type EntryText, entriesOfBlock, entriesPerBlock } from "./log-blocks.ts";
import type { LogQuery, LogSlice, SizedLog } from "./log-query.ts";
import { beginSearch } from "./log-search.ts";
import type { LogKey, StoredLog } from "./operation-logs.ts";

interface BlockToRead {
  readonly first: number;
  readonly rawBytes: number;
  /** The number of its matching entries, possibly including some before the requested ones. */
  readonly matching: number;
  /** The indexes of the entries to read; null if each entry must be examined. */
  readonly indexes: readonly number[] | null;
}

/** Maximum bytes of blocks decompressed together, unless a single one is larger. */
const bytesAtOnce = 16 * 1024 ** 2;

/** The same for searched blocks, since the request's other searches may have read as much. */
const bytesOfSearch = 1024 ** 2;

/** Blocks looked for first, and the growth factor each time they were not enough. */
const [firstLimit, growth] = [16, 4];

/** A query's filters, as parts of a statement. */
interface BlockFilter {
  /** A condition that every block with a matching entry meets: checking it is far faster than counting entries. */
  readonly mayMatch: string;
  /** The number of a block's matching entries. */
  readonly matching: string;
  readonly values: readonly Parameter[];
}

/**
 * Builds the statement parts whose parameters begin at a number. They only have what is asked for, and hide the
 * operators: if the planner expects few blocks, perhaps by outdated statistics, it sorts all of them instead of reading
 * a few in order.
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

/** A query for the number of matching entries, as `count`. */
export function countBlockEntries(query: LogQuery): { sql: string; values: readonly Parameter[] } {
  if (query.failures !== null) return countFailures(query);
  const { mayMatch, matching, values } = blockFilter(query, 3);
  const sql = `SELECT coalesce(sum(${matching}), 0)::int AS count FROM operation_log_blocks
    WHERE tenant_id = $1 AND task_id = $2 AND ${mayMatch}`;
  return { sql, values: [query.tenantId, query.taskId, ...values] };
}

/** The block that has an operation, if any: the last that begins at or before it. */
const blockOf = (index: string) => `
  SELECT first_index, raw_bytes FROM operation_log_blocks
  WHERE tenant_id = $1 AND task_id = $2 AND first_index <= ${index} ORDER BY first_index DESC LIMIT 1`;

/** No operation of a file has a larger index. */
const largestIndex = 2 ** 31 - 1;

/**
 * At most $4 blocks with matching entries, from the one with the operation $3 on. They are ordered before entries are
 * counted, so that few are counted even if the planner sorts them all. With an upper bound, it expects few blocks and
 * reads them in index order, instead of reading and sorting all of a task's.
 */
const matchingBlocks = ({ mayMatch, matching }: BlockFilter) => `
  SELECT b.first_index AS first, b.raw_bytes AS "rawBytes", m.matching, NULL AS indexes
  FROM (SELECT first_index, raw_bytes, intents, actions, statuses, counts FROM operation_log_blocks
    WHERE tenant_id = $1 AND task_id = $2 AND ${mayMatch}
      AND first_index >= coalesce((SELECT first_index FROM (${blockOf("$3")}) f), 0) AND first_index <= ${largestIndex}
    ORDER BY first_index) b CROSS JOIN LATERAL ${matching} AS m(matching)
  WHERE m.matching > 0 ORDER BY b.first_index LIMIT $4`;

/**
 * The blocks of the first $4 matching failures, from the operation $3 to before $5. The planner may read and sort all
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
 * Finds the next blocks with entries after `after`. Those with failures are found by their failure rows, if only these
 * can tell, or nothing else is asked for: with other filters each failure would have to be examined, and every
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

/** Operations per block among which failures are looked for first, and the growth factor each time there were none. */
const [operationsForBlock, widening] = [1_000, 16];

/** Finds the next blocks with failures after `after`, in a wider range each time there were none. */
async function findFailedBlocks(
  queries: Queries,
  query: LogQuery,
  after: number,
  limit: number,
): Promise<{ blocks: BlockToRead[]; areLast: boolean }> {
  const { tenantId, taskId } = query;
  // A search may match any of them; otherwise all of them match.
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

/** A task's first entries for a query, within the request's search budget. */
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
        await search?.nextBlock();
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
      // Also if nothing was read: blocks may have been pruned meanwhile.
      after = portion.reduce((seen, { first, indexes }) => Math.max(seen, indexes?.at(-1) ?? first), after);
    }
    if (areLast) return { entries, isComplete: true, searchedTo: after };
  }
}

/** The leading blocks whose entries fill a page; at least one. */
function portionOf(blocks: readonly BlockToRead[], count: number, bytes: number): readonly BlockToRead[] {
  let [entries, size] = [0, 0];
  // The first block may have entries before the requested ones.
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

/** Reads blocks in one query, and yields functions that read the unparsed entries of each. */
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

/** The blocks of the operations with the indexes $3. */
const blocksOfEntries = `
  SELECT b.first_index AS first, b.raw_bytes AS "rawBytes", count(*)::int AS matching,
    array_agg(i.index ORDER BY i.index) AS indexes
  FROM unnest($3::int[]) AS i(index) CROSS JOIN LATERAL (${blockOf("i.index")}) b GROUP BY 1, 2 ORDER BY 1`;

/** Yields the entries with these indexes that are in blocks, in order. */
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
