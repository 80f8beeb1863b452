import type { Queries } from "./database.ts";

/** Checks unique and foreign keys of what was written to a tenant's rows now, instead of at the commit. */
export const checkKeys = (transaction: Queries, tenantId: string) =>
  transaction.query("SELECT check_keys($1)", [tenantId]);

export const ping = (queries: Queries) => queries.query("SELECT 1");

export async function mayMakeTemporaryTables(queries: Queries): Promise<boolean> {
  const [row] = await queries.query<{ may: boolean }>(
    "SELECT has_database_privilege(current_database(), 'TEMP') AS may",
  );
  return row?.may ?? false;
}

/** The version of the server, such as `18.4`. */
export async function serverVersion(queries: Queries): Promise<string> {
  const [row] = await queries.query<{ version: string }>(
    "SELECT split_part(current_setting('server_version'), ' ', 1) AS version",
  );
  return row?.version ?? "";
}
