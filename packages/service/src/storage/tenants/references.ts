import type { Queries } from "../database.ts";

/** A foreign key between tables of tenants, with its pairs of columns after the tenant. */
export interface Reference {
  from: string;
  to: string;
  columns: string[];
  targets: string[];
}

/** Sorts tables: each comes before those it references. */
export function referringFirst(tables: readonly string[], references: readonly Reference[]): string[] {
  const remaining = new Set(tables);
  const order: string[] = [];
  while (remaining.size > 0) {
    const free = [...remaining].filter(
      (table) => !references.some(({ from, to }) => to === table && from !== table && remaining.has(from)),
    );
    if (free.length === 0)
      throw new Error(`the tables ${[...remaining].join(", ")} refer to each other in a circle`);
    for (const table of free) remaining.delete(table);
    order.push(...free);
  }
  return order;
}

export async function references(queries: Queries): Promise<Reference[]> {
  const names = (key: string, table: string) => `(
    SELECT json_agg(a.attname ORDER BY k.position) FROM unnest(c.${key}) WITH ORDINALITY AS k(number, position)
    JOIN pg_attribute a ON a.attrelid = c.${table} AND a.attnum = k.number WHERE a.attname <> 'tenant_id')`;
  return queries.query<Reference>(
    `SELECT f.relname AS "from", t.relname AS "to", ${names("conkey", "conrelid")} AS columns,
       ${names("confkey", "confrelid")} AS targets
     FROM pg_constraint c JOIN pg_class f ON f.oid = c.conrelid JOIN pg_class t ON t.oid = c.confrelid
     WHERE c.contype = 'f' AND c.connamespace = current_schema()::regnamespace`,
  );
}
