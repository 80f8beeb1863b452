import type { Database } from "../../packages/service/src/storage/database.ts";

/** Blocks by the table or index that they are of; those of catalogues don't count. */
export type Blocks = ReadonlyMap<string, number>;

/**
 * Counts the blocks that have been read since the last count, wherever they were read from. The database must have one
 * connection, and nobody else may use it.
 */
export function countBlocks(database: Database): () => Promise<Blocks> {
  let before: Blocks = new Map();
  return async () => {
    const now = await fetched(database);
    const read = [...now]
      .map(([name, blocks]): [string, number] => [name, blocks - (before.get(name) ?? 0)])
      .filter(([, blocks]) => blocks > 0);
    before = now;
    return new Map(read);
  };
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
