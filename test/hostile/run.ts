import { parseArgs } from "node:util";
import pg from "pg";
import { startPostgres } from "../support/postgres/postgres.ts";
import { attacks } from "./attacks/index.ts";
import { besiege, type Engine, type Figures } from "./siege.ts";
import { line, table } from "./table.ts";

/**
 * `npm run hostile [-- --engine pglite|postgresql --only name,… --seconds N --profile folder]`: all attacks on both
 * engines unless some are named. Ends with the figures as a Markdown table. `--profile` leaves a CPU profile of each
 * service in a folder.
 */
const { values } = parseArgs({
  options: {
    engine: { type: "string", multiple: true, default: ["postgresql", "pglite"] },
    only: { type: "string", default: "" },
    seconds: { type: "string", default: "25" },
    profile: { type: "string" },
  },
});
const names = values.only === "" ? attacks.map(({ name }) => name) : values.only.split(",");
const chosen = names.map((name) => attacks.find((attack) => attack.name === name) ?? unknown(name));

function unknown(name: string): never {
  throw new Error(`There is no attack "${name}"; there is ${attacks.map(({ name }) => name).join(", ")}`);
}

const all: Figures[] = [];
for (const engine of values.engine) {
  if (engine !== "pglite" && engine !== "postgresql")
    throw new Error(`--engine is "${engine}"; it must be pglite or postgresql`);
  await attackOn(engine);
}
console.log(`\n${table(all)}`);
if (all.some(({ wrong }) => wrong.length > 0)) process.exitCode = 1;

async function attackOn(engine: Engine): Promise<void> {
  const server = engine === "postgresql" ? await startPostgres() : undefined;
  try {
    for (const [i, attack] of chosen.entries()) {
      const databaseUrl = server && (await createDatabase(server.url, `hostile_${i}`));
      const options = { engine, databaseUrl, seconds: Number(values.seconds), profile: values.profile };
      const figures = await besiege(attack, options).catch(notMeasured);
      if (figures === undefined) continue;
      all.push(figures);
      console.log(line(figures));
    }
  } finally {
    await server?.stop();
  }
}

/** The other attacks are measured nevertheless. */
function notMeasured(error: Error): undefined {
  console.error(error);
  process.exitCode = 1;
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
