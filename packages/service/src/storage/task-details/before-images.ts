import type { Queries } from "../database.ts";
import { type BeforeImage, charactersPerText, type KeptBefore } from "../unit-of-work/before-images.ts";
import { type CompressedBlock, compressBlock, decompressBlock } from "./log-blocks.ts";
import type { LogKey } from "./operation-logs.ts";
import { insertReleasedImages } from "./released-images.ts";

/** An operation's before-images: all of them, or a part if they take several texts. */
export interface OperationImages {
  readonly index: number;
  readonly images: readonly BeforeImage[];
}

export interface EntryImages extends KeptBefore {
  readonly index: number;
}

/** Texts of consecutive operations. */
interface ImagesRow {
  readonly first: number;
  readonly last: number;
  /** Distinguishes rows with the same first operation: the texts of one may take several. */
  readonly part: number;
  readonly texts: readonly string[];
  /** Keys of the images whose rows the operations removed: they can be restored. */
  readonly imageKeys: readonly string[];
}

const insertRow = `
  INSERT INTO operation_before_images (tenant_id, task_id, first_index, part, last_index, raw_bytes, images,
    image_keys)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8)`;

/**
 * Writes the before-images of operations, in the transaction of their effects, in rows of about a MiB at most. Releases
 * the files of images whose rows nothing can restore.
 */
export async function writeBeforeImages(
  queries: Queries,
  { tenantId, taskId }: LogKey,
  entries: readonly EntryImages[],
): Promise<void> {
  const store = async ({ first, part, last, texts, imageKeys }: ImagesRow) => {
    const { rawBytes, entries } = await compressBlock(texts);
    const keys = imageKeys.length > 0 ? imageKeys : null;
    await queries.execute(insertRow, [tenantId, taskId, first, part, last, rawBytes, entries, keys]);
  };
  const released = entries.flatMap(({ before, imageKeys = [] }) => (before === undefined ? imageKeys : []));
  await Promise.all([
    ...cutIntoRows(entries).map(store),
    released.length > 0 && insertReleasedImages(queries, { tenantId, taskId }, released),
  ]);
}

function cutIntoRows(entries: readonly EntryImages[]): ImagesRow[] {
  const rows: ImagesRow[] = [];
  let texts: string[] = [];
  let keys: string[] = [];
  let [first, last, characters] = [0, 0, 0];
  const end = () => {
    if (texts.length === 0) return;
    const before = rows.at(-1);
    rows.push({ first, last, part: before?.first === first ? before.part + 1 : 0, texts, imageKeys: keys });
    [texts, keys, characters] = [[], [], 0];
  };
  for (const { index, before = [], imageKeys = [] } of entries)
    for (const [part, text] of before.entries()) {
      if (texts.length === 0) first = index;
      last = index;
      if (part === 0) keys.push(...imageKeys);
      texts.push(text);
      characters += text.length;
      if (characters > charactersPerText) end();
    }
  end();
  return rows;
}

/**
 * Reads an operation's before-images, in the order it first wrote the rows; none when it wrote nothing, or none were
 * kept.
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
    for (const part of await imageTextsOf(row)) if (part.index === index) images.push(...imagesIn(part));
  return images;
}

/** The unparsed text of an operation's before-images within a row. */
export interface ImagesText {
  readonly index: number;
  readonly text: string;
}

const head = /^\{"index":(\d+),/;

/** Decompresses a row of before-images, and returns its texts in the order of their operations. */
export async function imageTextsOf(row: CompressedBlock): Promise<ImagesText[]> {
  const [, ...texts] = (await decompressBlock(row)).toString().split("\x1e");
  return texts.map((text) => ({ index: Number(head.exec(text)?.[1]), text }));
}

export const imagesIn = ({ text }: ImagesText): readonly BeforeImage[] =>
  (JSON.parse(text) as OperationImages).images;
