import type { Collection } from "../packages/service/src/storage/collection.ts";
import { itemContents } from "../packages/service/src/storage/collections/item-contents.ts";
import { items } from "../packages/service/src/storage/collections/items.ts";
import { productVariants } from "../packages/service/src/storage/collections/product-variants.ts";
import type { Database, Queries } from "../packages/service/src/storage/database.ts";

type Verb = "insert" | "update";

/** Rows of a statement. */
const sizes = [500, 1_000, 5_000];

type Rows = Record<string, unknown>[];
/** One table of the floor: its rows as the service left them, and the statements that write them. */
interface Table {
  name: string;
  key: string[];
  types: Record<string, string>;
  rows: Rows;
}

export interface Floor {
  /** Operations a second of the fastest way, and which it was. */
  rate: number;
  way: string;
}

/**
 * The floors of creates and updates: the rows that the service wrote for the tenant's products (items, contents,
 * variants, log of a task) are read, then written again durably by set-based SQL that knows them, each in the fastest
 * of the ways that are tried.
 */
export async function measureFloors(
  database: Database,
  tenantId: string,
  taskId: string,
): Promise<Record<Verb, Floor>> {
  const tables = await readTables(database, tenantId, taskId);
  const insert = await fastest(database, tenantId, tables, "insert");
  return { insert, update: await fastest(database, tenantId, tables, "update") };
}

async function fastest(database: Database, tenantId: string, tables: Table[], verb: Verb): Promise<Floor> {
  let best: Floor = { rate: 0, way: "" };
  for (const style of ["recordset", "unnest"] as const)
    for (const size of sizes) {
      if (verb === "insert") await clear(database, tenantId);
      await database.execute("DELETE FROM operation_logs WHERE tenant_id = $1", [tenantId]);
      await each("VACUUM ANALYZE", database);
      const started = performance.now();
      await writeAll(database, tables, { style, size, verb });
      const rate = (tables[0] as Table).rows.length / ((performance.now() - started) / 1000);
      if (rate > best.rate) best = { rate, way: `${style}, ${size} a statement` };
    }
  return best;
}

async function readTables(database: Database, tenantId: string, taskId: string): Promise<Table[]> {
  // In the order of the products, so that the rows that belong together are written together.
  const products = "AND type = 'product' ORDER BY id";
  const ofProducts =
    "AND item_id IN (SELECT id FROM items WHERE tenant_id = $1 AND type = 'product') ORDER BY item_id";
  const collections: [Collection, string, string[]][] = [
    [items as unknown as Collection, products, []],
    [itemContents as unknown as Collection, ofProducts, []],
    [productVariants as unknown as Collection, "ORDER BY product_id", []],
  ];
  const tables = await Promise.all(
    collections.map(([collection, condition]) =>
      readTable(database, collection.table, tenantId, condition, collection.key.map(snake)),
    ),
  );
  const log = `AND task_id = '${taskId}' AND intent = 'product/upsert' ORDER BY index`;
  return [...tables, await readTable(database, "operation_logs", tenantId, log, [])];
}

const snake = (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

async function readTable(
  database: Database,
  name: string,
  tenantId: string,
  condition: string,
  key: string[],
): Promise<Table> {
  const columns = await database.query<{ name: string; type: string }>(
    "SELECT column_name AS name, data_type AS type FROM information_schema.columns WHERE table_name = $1",
    [name],
  );
  const types = Object.fromEntries(columns.map((column) => [column.name, column.type]));
  // Texts as they are stored: json columns as their text, so that unnest and recordset write the same bytes.
  const list = columns.map(({ name: column, type }) =>
    type.startsWith("json") ? `${column}::text` : column,
  );
  const rows = await database.query<Rows[number]>(
    `SELECT ${list} FROM ${name} WHERE tenant_id = $1 ${condition}`,
    [tenantId],
  );
  return { name, key, types, rows };
}

async function clear(database: Database, tenantId: string): Promise<void> {
  const products = "(SELECT id FROM items WHERE tenant_id = $1 AND type = 'product')";
  // With statistics, the foreign keys of what is deleted are checked by the right index.
  await each("VACUUM ANALYZE", database);
  await database.execute("DELETE FROM product_variants WHERE tenant_id = $1", [tenantId]);
  await database.execute(`DELETE FROM item_contents WHERE tenant_id = $1 AND item_id IN ${products}`, [
    tenantId,
  ]);
  await database.execute("DELETE FROM items WHERE tenant_id = $1 AND type = 'product'", [tenantId]);
}

async function each(statement: string, database: Database): Promise<void> {
  for (const table of ["product_variants", "item_contents", "items", "operation_logs"])
    await database.execute(`${statement} ${table}`);
}

interface Way {
  style: "recordset" | "unnest";
  size: number;
  verb: Verb;
}

async function writeAll(database: Database, tables: Table[], way: Way): Promise<void> {
  const total = (tables[0] as Table).rows.length;
  for (let start = 0; start < total; start += way.size) {
    await database.transaction(async (transaction) => {
      for (const table of tables)
        await write(transaction, table, table.rows.slice(start, start + way.size), way);
    });
    // As the service does: the plans by which foreign keys are checked were made for tables of no rows.
    if (start === 0 && way.verb === "insert") await each("ANALYZE", database);
  }
}

async function write(
  queries: Queries,
  { name, types, key }: Table,
  rows: Rows,
  { style, verb }: Way,
): Promise<void> {
  const columns = Object.keys(types);
  const typed = columns.map((column) => `${column} ${types[column]}`);
  const source =
    style === "recordset"
      ? `json_to_recordset($1::json) AS r(${typed.join(", ")})`
      : `unnest(${columns.map((column, i) => `$${i + 1}::${types[column]}[]`).join(", ")}) AS r(${columns.join(", ")})`;
  const parameters =
    style === "recordset"
      ? [recordsetJson(rows, types)]
      : columns.map((column) => rows.map((row) => row[column]));
  const changing = columns.filter((column) => column !== "tenant_id" && !key.includes(column));
  const update =
    `UPDATE ${name} t SET ${changing.map((column) => `${column} = r.${column}`).join(", ")} FROM ${source} ` +
    `WHERE t.tenant_id = r.tenant_id AND ${key.map((column) => `t.${column} = r.${column}`).join(" AND ")}`;
  const insert = `INSERT INTO ${name} (${columns.join(", ")}) SELECT ${columns.map((column) => `r.${column}`).join(", ")} FROM ${source}`;
  await queries.execute(verb === "update" && key.length > 0 ? update : insert, parameters as never);
}

/** Rows as a JSON array; json columns, held as text, go in as they are. */
function recordsetJson(rows: Rows, types: Record<string, string>): string {
  const fields = Object.entries(types);
  const objects = rows.map((row) => {
    const members = fields
      .filter(([column]) => row[column] !== null)
      .map(
        ([column, type]) =>
          `"${column}":${type.startsWith("json") ? row[column] : JSON.stringify(row[column])}`,
      );
    return `{${members.join(",")}}`;
  });
  return `[${objects.join(",")}]`;
}
