import pg from "pg";

export interface FreshDatabase {
  url: string;
  name: string;
  /** Ends the connections that are left and drops the database. */
  drop(): Promise<void>;
}

/** The coordinator of a Citus cluster, on which tests run instead of on one server, as a superuser. */
export const clusterUrl = process.env.LADING_TEST_CITUS_URL;

/** Creates a database on a server, as a copy of the template: `template0` is empty. Nobody may be connected to that. */
export async function createDatabase(
  server: string,
  purpose: string,
  template = "template0",
  options = "",
): Promise<FreshDatabase> {
  const name = `${purpose}_${crypto.randomUUID().replaceAll("-", "")}`;
  const servers = clusterUrl === undefined ? [server] : await nodesOf(clusterUrl);
  for (const each of servers) {
    if (clusterUrl !== undefined) await execute(each, endSessions(template));
    await execute(each, `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY ${options}`);
  }
  const drop = async () => {
    for (const each of servers) await execute(each, `DROP DATABASE ${name} WITH (FORCE)`);
  };
  return { url: urlOf(clusterUrl ?? server, name), name, drop };
}

export const urlOf = (server: string, database: string): string =>
  Object.assign(new URL(server), { pathname: `/${database}` }).href;

export async function execute<Row>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(sql)).rows;
  } finally {
    await client.end();
  }
}

/** The URLs of a cluster's nodes, the coordinator's first. */
export async function nodesOf(url: string): Promise<string[]> {
  const nodes = await execute<{ host: string; port: number }>(
    url,
    "SELECT nodename AS host, nodeport AS port FROM pg_dist_node WHERE noderole = 'primary' ORDER BY groupid",
  );
  return nodes.map(({ host, port }) => Object.assign(new URL(url), { hostname: host, port }).href);
}

/** Citus itself is connected to each database that has it, which then cannot be copied. */
const endSessions = (database: string) =>
  `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '${database}'`;
