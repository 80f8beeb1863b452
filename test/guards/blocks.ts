import type { Database } from "../../packages/service/src/storage/database.ts";

/** Blocks by the table or index that they are of; those of catalogues don't count. */
export type Blocks = ReadonlyMap<string, number>;

/**
 * Counts the blocks that `work` reads, wherever they are read from. The database must have one connection, and nobody
 * else may use it.
 */
export async function blocksOf(database: Database, work: () => Promise<unknown>): Promise<Blocks> {
  const before = await fetched(database);
  await work();
  const after = await fetched(database);
  return new Map(
    [...after]
      .map(([name, blocks]): [string, number] => [name, blocks - (before.get(name) ?? 0)])
      .filter(([, blocks]) => blocks > 0),
  );
}

async function fetched(database: Database): Promise<Map<string, number>> {
  await database.query("SELECT pg_stat_force_next_flush()");
  const rows = await database.query<{ name: string; blocks: number }>(
    `SELECT relname AS name, pg_stat_get_blocks_fetched(oid) AS blocks FROM pg_class
     WHERE relnamespace = current_schema()::regnamespace AND relkind IN ('r', 'i')`,
  );
  return new Map(rows.map(({ name, blocks }) => [name, blocks]));
}

export const sum = (blocks: Blocks): number => blocks.values().reduce((total, each) => total + each, 0);
