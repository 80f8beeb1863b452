import pg from "pg";
import { startPostgres } from "../support/postgres/postgres.ts";
import type { Attack } from "./attack.ts";
import { besiege, type Engine, type Figures, type SiegeOptions } from "./siege.ts";

/** Attacks services of one engine, each by one attack. Yields figures also of an attack that was not measured. */
export async function* attackOn(
  engine: Engine,
  attacks: readonly Attack[],
  choice: Pick<SiegeOptions, "seconds" | "profile">,
): AsyncGenerator<Figures> {
  const server = engine === "postgresql" ? await startPostgres() : undefined;
  try {
    for (const [i, attack] of attacks.entries()) {
      const databaseUrl = server && (await createDatabase(server.url, `hostile_${i}`));
      const options = { engine, databaseUrl, ...choice };
      yield await besiege(attack, options).catch((error: Error) => notMeasured(attack, engine, error));
    }
  } finally {
    await server?.stop();
  }
}

/** The other attacks are measured nevertheless. */
function notMeasured({ name: attack }: Attack, engine: Engine, error: Error): Figures {
  console.error(error);
  const none = { slowestQuery: 0, queries: 0, slowestTask: 0, tasks: 0, stall: 0, peak: 0, seconds: 0 };
  const wrong = [`not measured: ${error.cause ?? error.message}`];
  return { attack, engine, ...none, outcome: "", beyond: [], wrong };
}

async function createDatabase(server: string, name: string): Promise<string> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  await client.query(`CREATE DATABASE ${name} TEMPLATE template0`);
  await client.end();
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}
