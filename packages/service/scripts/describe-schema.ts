import type { Queries } from "../src/storage/database.ts";

/** Queries of the system's catalogue that answer one line for each part of a schema. */
const queries = [
  "SELECT 'migration ' || name AS line FROM migrations",
  `SELECT concat_ws(' ', 'relation', c.relkind, c.relname, c.reloptions) AS line FROM pg_class c
   WHERE c.relnamespace = 'public'::regnamespace`,
  `SELECT concat_ws(' ', 'column', a.attrelid::regclass, a.attnum, a.attname, format_type(a.atttypid, a.atttypmod),
     'not null ' || a.attnotnull, 'generated ' || a.attgenerated::text, 'identity ' || a.attidentity::text,
     'statistics ' || a.attstattarget, 'storage ' || a.attstorage::text, 'compression ' || a.attcompression::text,
     'collation ' || a.attcollation::regcollation, pg_get_expr(d.adbin, d.adrelid)) AS line
   FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
   LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
   WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p', 'v', 'm') AND NOT a.attisdropped
     AND a.attnum > 0`,
  `SELECT concat_ws(' ', 'constraint', conrelid::regclass, conname, convalidated, pg_get_constraintdef(oid)) AS line
   FROM pg_constraint WHERE connamespace = 'public'::regnamespace`,
  `SELECT concat_ws(' ', 'index', indisvalid, pg_get_indexdef(indexrelid)) AS line FROM pg_index
   JOIN pg_class c ON c.oid = indexrelid WHERE c.relnamespace = 'public'::regnamespace`,
  `SELECT 'function ' || pg_get_functiondef(oid) AS line FROM pg_proc
   WHERE pronamespace = 'public'::regnamespace AND prokind IN ('f', 'p')`,
  "SELECT 'trigger ' || pg_get_triggerdef(oid) AS line FROM pg_trigger WHERE NOT tgisinternal",
  `SELECT concat_ws(' ', 'type', typtype, typname, format_type(typbasetype, typtypmod)) AS line FROM pg_type
   WHERE typnamespace = 'public'::regnamespace AND typtype IN ('d', 'e', 'r')`,
  "SELECT concat_ws(' ', 'extension', extname, extversion) AS line FROM pg_extension",
  "SELECT concat_ws(' ', 'setting', setdatabase, setconfig) AS line FROM pg_db_role_setting",
];

/** Describes the schema of a database and how many rows its tables have: equal texts mean equal schemas. */
export async function describeSchema(database: Queries): Promise<string> {
  const lines: string[] = [];
  for (const sql of [...queries, await rowCounts(database)]) {
    const rows = await database.query<{ line: string }>(sql);
    lines.push(...rows.map(({ line }) => line).sort());
  }
  return lines.join("\n");
}

async function rowCounts(database: Queries): Promise<string> {
  const tables = await database.query<{ name: string }>(
    "SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1",
  );
  return tables
    .map(({ name }) => `SELECT 'rows of ${name} ' || count(*) AS line FROM ${name}`)
    .join(" UNION ALL ");
}
