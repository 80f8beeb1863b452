import type { Database, Queries } from "../../database.ts";
import { references, referringFirst } from "../../tenants/references.ts";
import { tablesOfTenants } from "../../tenants/tenants.ts";
import { addNames } from "../../tenants/write.ts";

/** The database cannot be distributed; the message says what is missing. */
class NotACluster extends Error {
  override name = "NotACluster";
}

/** The names of distributed tables. */
export const distributedTables =
  "SELECT logicalrelid::text AS name FROM pg_dist_partition WHERE partmethod = 'h'";

const clusterTables = "SELECT logicalrelid::text AS name FROM pg_dist_partition";

/** True once tenants are distributed, and their names are in a table of their own. */
export async function isDistributed(queries: Queries): Promise<boolean> {
  const [row] = await queries.query<{ is: boolean }>("SELECT to_regclass('tenant_names') IS NOT NULL AS is");
  return row?.is ?? false;
}

/**
 * Distributes the tables of a migrated database by tenant over the workers of its cluster, with the rows they have.
 * Tables that are distributed already stay as they are, so it can be interrupted and repeated, and follows a migration.
 * Returns the number of tables that it distributed.
 *
 * @throws NotACluster
 */
export async function distribute(database: Database): Promise<number> {
  await refuseWithoutWorkers(database);
  const isFirst = !(await isDistributed(database));
  if (isFirst) await database.script(distributeTenants);
  const known = new Set((await database.query<{ name: string }>(clusterTables)).map(({ name }) => name));
  if (!known.has("migrations")) await database.script(distributeRest);
  const all = [...(await tablesOfTenants(database)), "audit_trail"];
  const inOrder = referringFirst(all, await references(database)).reverse();
  const tables = inOrder.filter((table) => !known.has(table));
  for (const table of tables)
    await database
      .script(`SELECT create_distributed_table('${table}', 'tenant_id', colocate_with => 'tenants')`)
      .catch(async (error) => {
        // Another process may have been faster.
        const now = await database.query<{ name: string }>(clusterTables);
        if (!now.some(({ name }) => name === table)) throw error;
      });
  // Rows that were copied to the workers stay here otherwise, also those of tenants that are deleted later.
  const own = [...all, "tenants", "tenant_names", "migrations"];
  for (const { name } of await database.query<{ name: string }>(tablesWithRows, [own]))
    await database.script(`SELECT truncate_local_data_after_distributing_table('${name}')`);
  return tables.length + (isFirst ? 1 : 0);
}

const tablesWithRows = `${clusterTables} WHERE logicalrelid::text = ANY ($1) AND pg_relation_size(logicalrelid) > 0`;

/**
 * Names of tenants are unique in a table of their own, since those of two tenants may be on two servers. The identifier
 * stays part of a key, so that its change is a conflict for writers of the tenant.
 */
const distributeTenants = `
  ALTER TABLE tenants DROP CONSTRAINT tenants_identifier_key, ADD CONSTRAINT tenants_identifier UNIQUE (id, identifier);
  SELECT create_distributed_table('tenants', 'id');
  CREATE TABLE tenant_names (identifier text PRIMARY KEY, id text NOT NULL UNIQUE);
  SELECT create_reference_table('tenant_names');
  ${addNames} WHERE identifier IS NOT NULL`;

const distributeRest = `
  SELECT create_reference_table('migrations');
  SELECT create_distributed_function('check_keys(text)', 'tenant', colocate_with => 'tenants', force_delegation => true)`;

async function refuseWithoutWorkers(database: Database): Promise<void> {
  const [extension] = await database.query("SELECT FROM pg_extension WHERE extname = 'citus'");
  if (extension === undefined)
    throw new NotACluster(
      "The database has no extension citus: create it on the coordinator and on each worker.",
    );
  const [worker] = await database.query(
    "SELECT FROM pg_dist_node WHERE noderole = 'primary' AND isactive AND shouldhaveshards LIMIT 1",
  );
  if (worker === undefined)
    throw new NotACluster(
      "The cluster has no active worker: add each with citus_add_node on the coordinator that --database-url names.",
    );
}
