import type { Queries } from "../database.ts";
import { keepReleasedImages } from "../task-details/released-images.ts";
import type { RowWriter } from "./row-writer.ts";

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
