import type { Queries } from "../database.ts";
import { sqlStates } from "../sql-states.ts";
import { keepReleasedImages } from "../task-details/released-images.ts";
import { type Collection, columnsOf, propertiesOf } from "./collection.ts";

export interface PendingRows<Row extends object> {
  readonly removed: readonly Row[];
  readonly changed: readonly Row[];
  /** Rows that others must see as written, although unchanged. */
  readonly touched: readonly Row[];
  readonly added: readonly Row[];
  /** The columns of the changed rows that differ from the stored ones; none if they are replaced by equal ones. */
  readonly changing: readonly (keyof Row & string)[];
}

/**
 * Writes a collection's pending rows in a few statements, regardless of their number. The statements are sent before
 * this returns; the promise has the number of rows written.
 */
export interface RowWriter {
  write<Row extends object>(collection: Collection<Row>, rows: PendingRows<Row>): Promise<number>;
}

/** Writes rows into an overlay, which some tables have. */
export interface OverlayWriter extends RowWriter {
  has(table: string): boolean;
}

/** A row that was read has been deleted or changed by another writer. Treated as a serialization failure. */
class LostRow extends Error {
  override name = "LostRow";
  readonly code = sqlStates.serializationFailure;
}

/** Writes a tenant's rows into their tables: at most three statements per collection. */
export function tableWriter(queries: Queries, tenantId: string): RowWriter {
  const send = async <Row extends object>(
    collection: Collection<Row>,
    sql: string,
    rows: readonly Row[],
    columns: readonly (keyof Row & string)[],
  ): Promise<number> => {
    if (rows.length === 0) return 0;
    const written = await queries.execute(sql, [tenantId, ...columnsOf(collection, columns, rows)]);
    if (written === rows.length) return written;
    throw new LostRow(`${collection.table}: ${rows.length} rows to write, ${written} written`);
  };
  return {
    async write(collection, { removed, changed, touched, added, changing }) {
      const { sql, key } = collection;
      // A row replaced by an equal one is written, too, so that other writers conflict: its `updatedAt` may be in the
      // same millisecond.
      const update = changing.length > 0 ? sql.update(changing) : sql.touch;
      const [deleted, updated, inserted] = await Promise.all([
        send(collection, sql.delete, removed, key),
        send(collection, update, [...changed, ...touched], [...key, ...changing]),
        send(collection, sql.insert, added, propertiesOf(collection)),
      ]);
      return deleted + updated + inserted;
    },
  };
}

/** Writes rows with another writer, and keeps the released images whose keys, matching a pattern, they contain. */
export const keepingImages = (
  writer: RowWriter,
  queries: Queries,
  tenantId: string,
  pattern: RegExp,
): RowWriter => ({
  async write(collection, rows) {
    const keys = JSON.stringify([rows.changed, rows.added]).match(pattern);
    const [written] = await Promise.all([
      writer.write(collection, rows),
      keys && keepReleasedImages(queries, tenantId, [...new Set(keys)]),
    ]);
    return written;
  },
});
