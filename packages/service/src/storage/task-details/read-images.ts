import type { Queries } from "../database.ts";
import type { BeforeImage } from "../unit-of-work/before-images.ts";
import { imagesIn, imageTextsOf } from "./before-images.ts";
import type { CompressedBlock } from "./log-blocks.ts";
import type { LogKey } from "./operation-logs.ts";

/** An operation's images: those of one row, possibly a part of them. */
export interface ReadImages {
  readonly index: number;
  readonly images: readonly BeforeImage[];
}

/** Characters left to read. */
export interface ReadingRoom {
  characters: number;
}

interface ImagesBlock extends CompressedBlock {
  readonly first: number;
  readonly last: number;
  readonly part: number;
}

/** The next row from a position on; only the last row that begins before an operation can have texts of it. */
const nextRow = `
  SELECT first_index AS first, last_index AS last, part, raw_bytes AS "rawBytes",
    CASE WHEN $7 THEN images ELSE '' END AS entries
  FROM operation_before_images
  WHERE tenant_id = $1 AND task_id = $2 AND (first_index, part) > ($3, $4) AND last_index >= $5 AND first_index <= $6
    AND first_index >= coalesce((
      SELECT max(first_index) FROM operation_before_images
      WHERE tenant_id = $1 AND task_id = $2 AND first_index < $5), 0)
  ORDER BY first_index, part LIMIT 1`;

/**
 * Reads the images of operations with these indexes, in order, one row of about a MiB at a time, while there is room
 * for another. Returns the first index whose images were not all read; undefined when all were.
 */
export async function* readImagesOf(
  queries: Queries,
  { tenantId, taskId }: LogKey,
  indexes: readonly number[],
  room: ReadingRoom,
): AsyncGenerator<ReadImages, number | undefined> {
  const wanted = new Set(indexes.toSorted((one, other) => one - other));
  const from = (least: number) => wanted.values().find((index) => index >= least);
  const last = Math.max(...indexes);
  let cursor = { first: -1, part: 0 };
  for (let next = from(0); next !== undefined; ) {
    const hasRoom = room.characters > 0;
    const parameters = [tenantId, taskId, cursor.first, cursor.part, next, last, hasRoom];
    const [row] = await queries.query<ImagesBlock>(nextRow, parameters);
    if (row === undefined) return undefined;
    if (!hasRoom) return from(Math.max(next, row.first));
    cursor = row;
    room.characters -= row.rawBytes;
    for (const text of await imageTextsOf(row))
      if (wanted.has(text.index)) yield { index: text.index, images: imagesIn(text) };
    // The texts of its last operation may continue in the next row.
    next = from(row.last);
  }
  return undefined;
}
