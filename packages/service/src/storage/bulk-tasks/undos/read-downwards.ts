import type { Queries } from "../../database.ts";
import { imagesIn, imageTextsOf } from "../../task-details/before-images.ts";
import { type CompressedBlock, type EntryText, entriesOfBlock } from "../../task-details/log-blocks.ts";
import type { LogKey } from "../../task-details/operation-logs.ts";
import type { BeforeImage } from "../../unit-of-work/before-images.ts";

/** Rows per query; each has up to about 1 MiB of text. */
const [blocksAtOnce, imagesAtOnce] = [5, 4];

/** Reads the log of an ended task in reverse order. */
export interface LogReader {
  /** The entry of an operation, unparsed; undefined if it has none. Call it with decreasing indexes. */
  entryOf(index: number): Promise<EntryText | undefined>;
  /** The before-images of an operation, in the order it first wrote the rows. Call it like `entryOf`. */
  imagesOf(index: number): Promise<BeforeImage[]>;
}

/** Opens a reader for the entries and before-images of the operations before `end`. */
export function readDownwards(queries: Queries, key: LogKey, end: number): LogReader {
  const entries = downwards(rowsBelow(queries, key, blocks, end), (row) => entriesOfBlock(row));
  const images = downwards(rowsBelow(queries, key, imageRows, end), imageTextsOf);
  return {
    entryOf: async (index) => (await entries(index)).at(0),
    imagesOf: async (index) => (await images(index)).flatMap(imagesIn),
  };
}

/** A row with the texts of several operations; `first` is the index of the first one. */
interface LogRow extends CompressedBlock {
  readonly first: number;
  readonly part: number;
}

/** Selects a task's rows below a cursor, nearest first. */
interface RowsBelow {
  readonly sql: string;
  readonly count: number;
}

const blocks: RowsBelow = {
  sql: `SELECT first_index AS first, 0 AS part, raw_bytes AS "rawBytes", entries FROM operation_log_blocks
    WHERE tenant_id = $1 AND task_id = $2 AND first_index < $3 AND $4::int IS NOT NULL
    ORDER BY first_index DESC LIMIT ${blocksAtOnce}`,
  count: blocksAtOnce,
};

const imageRows: RowsBelow = {
  sql: `SELECT first_index AS first, part, raw_bytes AS "rawBytes", images AS entries FROM operation_before_images
    WHERE tenant_id = $1 AND task_id = $2 AND (first_index, part) < ($3, $4)
    ORDER BY first_index DESC, part DESC LIMIT ${imagesAtOnce}`,
  count: imagesAtOnce,
};

/** Yields a task's rows below the operation `end`, last first. */
async function* rowsBelow(
  queries: Queries,
  { tenantId, taskId }: LogKey,
  { sql, count }: RowsBelow,
  end: number,
): AsyncGenerator<LogRow, void> {
  for (let cursor: Pick<LogRow, "first" | "part"> = { first: end, part: 0 }; ; ) {
    const rows = await queries.query<LogRow>(sql, [tenantId, taskId, cursor.first, cursor.part]);
    yield* rows;
    if (rows.length < count) return;
    cursor = rows.at(-1) ?? cursor;
  }
}

/**
 * Returns a function that returns an operation's text from rows in reverse order, reading each row when needed. Texts
 * of skipped operations are dropped.
 */
function downwards<Text extends { readonly index: number }>(
  rows: AsyncGenerator<LogRow, void>,
  textsOf: (row: CompressedBlock) => Promise<Text[]>,
): (index: number) => Promise<Text[]> {
  const texts: Text[] = [];
  const readOn = async () => {
    const { value } = await rows.next();
    if (value) texts.push(...(await textsOf(value)));
    return value !== undefined;
  };
  return async (index) => {
    const found: Text[] = [];
    for (;;) {
      const last = texts.at(-1);
      if (last === undefined) {
        if (!(await readOn())) return found.reverse();
      } else if (last.index < index) return found.reverse();
      else {
        texts.pop();
        if (last.index === index) found.push(last);
      }
    }
  };
}
