import pg from "pg";

export interface FreshDatabase {
  url: string;
  name: string;
  /** Ends the connections that are left and drops the database. */
  drop(): Promise<void>;
}

/** Creates a database on a server, as a copy of the template: `template0` is empty. Nobody may be connected to that. */
export async function createDatabase(
  server: string,
  purpose: string,
  template = "template0",
  options = "",
): Promise<FreshDatabase> {
  const name = `${purpose}_${crypto.randomUUID().replaceAll("-", "")}`;
  await execute(server, `CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY ${options}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, name, drop: () => execute(server, `DROP DATABASE ${name} WITH (FORCE)`) };
}

async function execute(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
