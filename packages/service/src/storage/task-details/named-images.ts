import { allCollections } from "../collections/all.ts";
import type { Queries } from "../database.ts";
import { columnName, type Table } from "../unit-of-work/collection.ts";
import { type ImagesText, imagesIn, imageTextsOf } from "./before-images.ts";
import type { CompressedBlock } from "./log-blocks.ts";

/** Rows read per statement: in between, others get the connection, and the sweep may end. */
const rowsAtOnce = 2_000;

/** Bytes of these rows, as stored: possibly compressed to a hundredth. A larger row is read alone. */
const bytesAtOnce = 2_097_152;

/** The same for before-images, which have up to about a MiB of text each. */
const imagesAtOnce = 4;

export interface SoughtKeys {
  readonly tenantId: string;
  readonly keys: ReadonlySet<string>;
  /** The prefix of all keys of the tenant. */
  readonly prefix: string;
  /** The regular expression they match. */
  readonly pattern: string;
}

/** Adds to `found` the keys that rows of the tenant name. Reads all its rows; yields after every few. */
export async function* findNamedImages(
  queries: Queries,
  sought: SoughtKeys,
  found: Set<string>,
): AsyncGenerator<void> {
  for (const table of allCollections) if (!table.isRecord) yield* findNamedIn(table, queries, sought, found);
}

interface NamedOnPage {
  readonly keys: string[] | null;
  /** The key of the last row; null at the end of the table. */
  readonly last: string[] | null;
}

async function* findNamedIn(
  table: Table,
  queries: Queries,
  { tenantId, keys, prefix, pattern }: SoughtKeys,
  found: Set<string>,
): AsyncGenerator<void> {
  const [first, next] = pagesOf(table);
  for (let last: string[] | null | undefined = []; last; ) {
    const [named]: NamedOnPage[] = await queries.query<NamedOnPage>(last.length === 0 ? first : next, [
      ...[tenantId, `(${pattern})`, [...keys], prefix],
      ...last,
    ]);
    for (const key of named?.keys ?? []) found.add(key);
    last = named?.last;
    yield;
  }
}

/** The statements that look for keys in the first rows of a table, and in those after a row. */
function pagesOf({ table, key, columns }: Table): [first: string, next: string] {
  const names = key.map(columnName);
  const order = names.join(", ");
  const cursor = key.map((name, i) => `$${i + 5}::${columns[name]}`).join(", ");
  const large = Object.keys(columns).filter((name) =>
    ["text", "json", "jsonb"].includes(columns[name] ?? ""),
  );
  const bytes = large.map((name) => `coalesce(pg_column_size(${columnName(name)}), 0)`).join(" + ");
  // Most rows name no image: looking for the key's prefix takes a fraction of the time.
  const page = (condition: string) => `
    WITH rows AS MATERIALIZED (
      SELECT t.* FROM ${table} t WHERE t.tenant_id = $1 ${condition} ORDER BY ${order} LIMIT ${rowsAtOnce}
    ), sized AS MATERIALIZED (
      SELECT r.*, row_number() OVER so_far AS number, sum(${bytes}) OVER so_far AS bytes
      FROM rows r WINDOW so_far AS (ORDER BY ${order})
    ), page AS MATERIALIZED (SELECT * FROM sized WHERE number = 1 OR bytes <= ${bytesAtOnce})
    SELECT (SELECT array_agg(DISTINCT m[1])
        FROM (SELECT page::text AS text FROM page) p CROSS JOIN LATERAL regexp_matches(p.text, $2, 'g') m
        WHERE strpos(p.text, $4) > 0 AND m[1] = ANY($3)) AS keys,
      (SELECT ARRAY[${names.map((name) => `${name}::text`).join(", ")}] FROM page
        WHERE number = (SELECT count(*) FROM page)
          AND (number = ${rowsAtOnce} OR number < (SELECT count(*) FROM rows))) AS last`;
  return [page(""), page(`AND (${order}) > (${cursor})`)];
}

/** Texts of before-images in their row. */
interface KeptRow extends CompressedBlock {
  readonly taskId: string;
  readonly first: number;
  readonly part: number;
}

/**
 * Records in a tenant's before-images which of the keys they could restore: these images are kept as long as they are.
 * Reads all of them; yields after every few.
 */
export async function* noteImagesToBringBack(
  queries: Queries,
  { tenantId, keys, pattern }: SoughtKeys,
): AsyncGenerator<void> {
  const regExp = new RegExp(pattern, "g");
  const keysIn = (text: string) => [...new Set(text.match(regExp))].filter((key) => keys.has(key));
  for (let cursor: Pick<KeptRow, "taskId" | "first" | "part"> = { taskId: "", first: 0, part: 0 }; ; ) {
    const rows = await queries.query<KeptRow>(
      `SELECT task_id AS "taskId", first_index AS first, part, raw_bytes AS "rawBytes", images AS entries
       FROM operation_before_images WHERE tenant_id = $1 AND (task_id, first_index, part) > ($2, $3, $4)
       ORDER BY task_id, first_index, part LIMIT ${imagesAtOnce}`,
      [tenantId, cursor.taskId, cursor.first, cursor.part],
    );
    for (const row of rows) {
      const texts = await imageTextsOf(row);
      const named = texts.flatMap((text) =>
        keysIn(text.text).length > 0 ? keysIn(earlierValuesIn(text)) : [],
      );
      if (named.length > 0) await noteKeys(queries, { tenantId, ...row }, named);
    }
    yield;
    if (rows.length < imagesAtOnce) return;
    cursor = rows.at(-1) ?? cursor;
  }
}

/** The values that before-images restore, as JSON: not the keys of rows they remove. */
const earlierValuesIn = (text: ImagesText): string =>
  JSON.stringify(imagesIn(text).map(({ before }) => before));

async function noteKeys(
  queries: Queries,
  { tenantId, taskId, first, part }: Pick<KeptRow, "taskId" | "first" | "part"> & { tenantId: string },
  keys: readonly string[],
): Promise<void> {
  await queries.execute(
    `UPDATE operation_before_images SET image_keys = ARRAY (
       SELECT DISTINCT unnest(coalesce(image_keys, '{}') || $5::text[]))
     WHERE tenant_id = $1 AND task_id = $2 AND first_index = $3 AND part = $4`,
    [tenantId, taskId, first, part, keys],
  );
}
