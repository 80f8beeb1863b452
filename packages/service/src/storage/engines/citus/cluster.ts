import { type DatabaseAddress, databaseAddress } from "../../../settings/database-url.ts";
import type { Database, DatabaseSession, Parameter, Queries, TenantPage } from "../../database.ts";
import { isOutage, sqlStateOf, sqlStates } from "../../sql-states.ts";
import { byCtid } from "../../unit-of-work/collection.ts";
import { openPostgres, openPostgresAt } from "../postgres.ts";
import { distributedTables, isDistributed } from "./distribute.ts";

/** Opens a PostgreSQL server by its URL, also one whose tenants are distributed with Citus: its coordinator. */
export async function openServerOrCluster(url: string): Promise<Database> {
  const database = openPostgres(url);
  try {
    // By the connection for copies: a move has no other, and takes those of the pool for a service's.
    return (await database.copying(isDistributed)) ? distributed(database, databaseAddress(url)) : database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** A database whose statements run where a tenant's rows are, and whose sessions are on that worker. */
function distributed(database: Database, address: DatabaseAddress): Database {
  const workers = new Map<string, Database>();
  const worker = (placement: Placement) => {
    const name = `${placement.host}:${placement.port}`;
    const opened =
      workers.get(name) ?? openPostgresAt({ ...address, hosts: [{ name, url: urlAt(address, placement) }] });
    workers.set(name, opened);
    return opened;
  };
  return {
    ...database,
    ...ofTenants(database),
    // A kept plan would have to be one for all tenants, which are on different workers.
    transaction: (work, options) =>
      database.transaction((queries) => work(ofTenants(queries)), { ...options, keepPlans: false }),
    snapshot: (work) => database.snapshot((queries) => work(ofTenants(queries))),
    copying: (work, locks) => database.copying((copy) => work({ ...copy, ...ofTenants(copy) }), locks),
    session: async (tenantId, work) => {
      const placement = await placementOf(database, tenantId);
      return worker(placement).session(tenantId, async (session) => {
        await showShards(session, placement);
        return work({ ...session, relationOf: (table) => placement.shards[table] ?? table });
      });
    },
    script: async (sql) => {
      await database.copying(async (transaction) => {
        // One connection to each worker: others would not see what the transaction has changed.
        await transaction.execute("SET LOCAL citus.multi_shard_modify_mode = 'sequential'");
        for (const statement of statementsOf(sql)) await transaction.execute(statement);
      });
    },
    close: async () => {
      await Promise.all([database, ...workers.values()].map((each) => each.close()));
    },
  };
}

/** On a cluster, a condition on the tenant finds the shard; and no plan is kept that it could mislead. */
const ofTenant = (sql: string) => sql.replace(byCtid, `${byCtid} AND u.tenant_id = $1`);

const ofTenants = (queries: Queries): Queries => ({
  cluster: {
    tenantsWith: (table, condition, page) => tenantsWith(queries, table, condition, page),
    async onWorkers(sql) {
      await queries.query("SELECT run_command_on_workers($1)", [sql]);
    },
  },
  query: <Row>(sql: string, parameters?: readonly Parameter[]) =>
    queries.query<Row>(ofTenant(sql), parameters).catch(withState),
  execute: (sql, parameters) => queries.execute(ofTenant(sql), parameters).catch(withState),
});

/** Asks all shards by one statement, which fails if a worker is unreachable; then each by its own connection. */
async function tenantsWith(
  queries: Queries,
  table: string,
  condition: (relation: string) => string,
  { after, most }: TenantPage,
): Promise<string[]> {
  const all = `SELECT DISTINCT b.tenant_id AS ids FROM ${table} b
    WHERE ${condition(table)} AND b.tenant_id > $1 ORDER BY 1 LIMIT $2`;
  const inShard = `SELECT string_agg(DISTINCT b.tenant_id, ' ') FROM %1$s b WHERE ${condition("%1$s")}`;
  const reachable = `SELECT result AS ids FROM run_command_on_shards($1::text::regclass, $2) WHERE success AND result <> ''`;
  const found = await queries.query<{ ids: string }>(all, [after, most]).catch((error) => {
    if (!isOutage(error)) throw error;
    return queries.query<{ ids: string }>(reachable, [table, inShard]);
  });
  const ids = found.flatMap((row) => row.ids.split(" ")).sort();
  return ids.filter((id) => id > after).slice(0, most);
}

const states = [
  [/violates unique constraint/, sqlStates.uniqueViolation],
  [/violates foreign key constraint/, sqlStates.foreignKeyViolation],
  [/violates check constraint/, sqlStates.checkViolation],
  [/violates not-null constraint/, sqlStates.notNullViolation],
  [/^could not serialize access/, sqlStates.serializationFailure],
  [/^deadlock detected/, sqlStates.deadlockDetected],
] as const;

/** Rethrows an error with its SQLSTATE: that of rows which are copied to a shard comes as an internal error. */
function withState(error: Error): never {
  const [, code] = states.find(([message]) => message.test(error.message)) ?? [];
  throw sqlStateOf(error) === "XX000" && code !== undefined ? Object.assign(error, { code }) : error;
}

/** The statements of a script: a worker is sent the whole text of a constraint, and takes one statement of it. */
function statementsOf(script: string): string[] {
  const statements: string[] = [];
  let open = "";
  for (const part of script.split(/(?<=;)\s*$/m)) {
    open += part;
    // A function's body is in $$.
    if (open.split("$$").length % 2 === 0) continue;
    statements.push(open);
    open = "";
  }
  return [...statements, open].filter((statement) => statement.trim() !== "");
}

/** The worker that has a tenant's rows, and its shards by their tables. */
interface Placement {
  readonly host: string;
  readonly port: number;
  readonly shards: Readonly<Record<string, string>>;
}

/** The database's URL with another host. */
function urlAt({ hosts: [{ url }] }: DatabaseAddress, { host, port }: Placement): string {
  const changed = new URL(url);
  changed.searchParams.set("host", host);
  changed.searchParams.set("port", `${port}`);
  return changed.href;
}

async function placementOf(queries: Queries, tenantId: string): Promise<Placement> {
  const [placement] = await queries.query<Placement>(
    `SELECT n.nodename AS host, n.nodeport AS port, json_object_agg(s.name, shard_name(s.name, s.shard)) AS shards
     FROM (SELECT name, get_shard_id_for_distribution_column(name, $1::text) AS shard
       FROM (${distributedTables}) t) s
     JOIN pg_dist_placement p ON p.shardid = s.shard
     JOIN pg_dist_node n ON n.groupid = p.groupid AND n.noderole = 'primary'
     GROUP BY n.nodename, n.nodeport`,
    [tenantId],
  );
  if (placement === undefined) throw new Error("no worker has the tenant's shards");
  return placement;
}

/** Makes the names of tables in a session mean a tenant's shards. It keeps those of the tenant that it had last. */
async function showShards(session: DatabaseSession, { shards }: Placement): Promise<void> {
  const marked = String(shards.tenants);
  const [shown] = await session.query<{ shard: string | null }>(
    "SELECT current_setting('lading.shard', true) AS shard",
  );
  if (shown?.shard === marked) return;
  const views = Object.entries(shards).map(
    ([table, shard]) => `CREATE TEMP VIEW ${table} AS SELECT * FROM ${shard}`,
  );
  await session.script(["SET citus.enable_ddl_propagation = off", "DISCARD TEMP", ...views].join(";\n"));
  await session.query("SELECT set_config('lading.shard', $1, false)", [marked]);
}
