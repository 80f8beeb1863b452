import type { Queries } from "../database.ts";
import { type BeforeImage, charactersPerText, type KeptBefore } from "../unit-of-work/before-images.ts";
import { type CompressedBlock, compressBlock, decompressBlock } from "./log-blocks.ts";
import type { LogKey } from "./operation-logs.ts";

/** Before-images of an operation: all of them, or a part where they take several texts. */
interface OperationImages {
  readonly index: number;
  readonly images: readonly BeforeImage[];
}

/** The part of an entry that concerns its before-images. */
export interface EntryImages extends KeptBefore {
  readonly index: number;
}

/** Texts of operations that follow each other. */
interface ImagesRow {
  readonly first: number;
  readonly last: number;
  /** Tells rows with the same first operation apart: the texts of one may take several. */
  readonly part: number;
  readonly text: string;
}

const insertRow = `
  INSERT INTO operation_before_images (tenant_id, task_id, first_index, part, last_index, raw_bytes, images)
  VALUES ($1, $2, $3, $4, $5, $6, $7)`;

/** Writes the before-images of operations, in the transaction of their effects, in rows of about a MiB at most. */
export async function writeBeforeImages(
  queries: Queries,
  { tenantId, taskId }: LogKey,
  entries: readonly EntryImages[],
): Promise<void> {
  const store = async ({ first, part, last, text }: ImagesRow) => {
    const { rawBytes, entries } = await compressBlock(text);
    await queries.execute(insertRow, [tenantId, taskId, first, part, last, rawBytes, entries]);
  };
  await Promise.all(cutIntoRows(entries).map(store));
}

function cutIntoRows(entries: readonly EntryImages[]): ImagesRow[] {
  const rows: ImagesRow[] = [];
  let texts: string[] = [];
  let [first, last, characters] = [0, 0, 0];
  const end = () => {
    if (texts.length === 0) return;
    const before = rows.at(-1);
    rows.push({ first, last, part: before?.first === first ? before.part + 1 : 0, text: texts.join("") });
    [texts, characters] = [[], 0];
  };
  for (const { index, before = [] } of entries)
    for (const text of before) {
      if (texts.length === 0) first = index;
      last = index;
      texts.push(text);
      characters += text.length;
      if (characters > charactersPerText) end();
    }
  end();
  return rows;
}

/**
 * Reads the before-images of an operation, in the order in which it first wrote the rows; none when it wrote nothing,
 * or none were kept.
 */
export async function readBeforeImages(
  queries: Queries,
  { tenantId, taskId }: LogKey,
  index: number,
): Promise<BeforeImage[]> {
  // Only one of the rows that begin before the operation can have some of its texts: the last.
  const rows = await queries.query<CompressedBlock>(
    `SELECT raw_bytes AS "rawBytes", images AS entries FROM operation_before_images
     WHERE tenant_id = $1 AND task_id = $2 AND first_index <= $3 AND last_index >= $3 AND first_index >= coalesce((
       SELECT max(first_index) FROM operation_before_images
       WHERE tenant_id = $1 AND task_id = $2 AND first_index < $3), 0)
     ORDER BY first_index, part`,
    [tenantId, taskId, index],
  );
  const images: BeforeImage[] = [];
  for (const row of rows)
    for (const part of imagesOf(await decompressBlock(row)))
      if (part.index === index) images.push(...part.images);
  return images;
}

const imagesOf = (raw: Buffer): OperationImages[] =>
  raw
    .toString()
    .split("\x1e")
    .slice(1)
    .map((text) => JSON.parse(text));
