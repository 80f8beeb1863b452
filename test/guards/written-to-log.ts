import type { Database } from "../../packages/service/src/storage/database.ts";

/** The first version that counts for each connection. */
const counting = 18_00_00;

/**
 * Bytes of write-ahead log so far: of this connection, where others write to the server too, so the database must have
 * one connection only; null on a server that does not count for each.
 */
export async function writtenToLog(database: Database): Promise<number | null> {
  if (database.engine === "pglite") return bytes(database, "pg_current_wal_insert_lsn() - '0/0'");
  const version = await database.query<{ version: number }>(
    "SELECT current_setting('server_version_num')::int AS version",
  );
  if ((version[0]?.version ?? 0) < counting) return null;
  await database.query("SELECT pg_stat_force_next_flush()");
  return bytes(database, "(SELECT wal_bytes FROM pg_stat_get_backend_wal(pg_backend_pid()))");
}

async function bytes(database: Database, expression: string): Promise<number> {
  const [row] = await database.query<{ bytes: string }>(`SELECT ${expression} AS bytes`);
  return Number(row?.bytes);
}
