import type pg from "pg";
import { errorMessage } from "../../system/thrown.ts";
import { sqlStateOf, sqlStates } from "../sql-states.ts";

/** A pooler gives a connection another server process for each transaction or statement. */
export class SharedServerProcesses extends Error {
  override name = "SharedServerProcesses";

  constructor() {
    super("connections share server processes");
  }
}

/** A pooler refuses the settings that a connection asks for when it starts. */
export class SettingsRefused extends Error {
  override name = "SettingsRefused";
}

/** A setting of a connection that is not in effect. Times are in milliseconds. */
export interface IgnoredSetting {
  name: string;
  value: string;
  wanted: string | number;
}

type Settings = Readonly<Record<string, string | number>>;

/** Opens a connection, with changes to its configuration; closes it later. */
type Connect = (changes?: pg.ClientConfig) => Promise<pg.Client>;

/**
 * In each round a connection begins a transaction while the other is idle, by turns: a pooler that hands out the last
 * or the next free server process then confuses them, also while it serves others.
 */
const rounds = 8;

/**
 * Checks that a connection keeps its server process, to which session locks, `LISTEN` and temporary tables belong.
 * @param settings the wanted values, in the units of `pg_settings`; of a time limit, the longest
 * @returns those that are not in effect
 * @throws SharedServerProcesses, SettingsRefused, or what `connect` throws
 */
export async function checkConnections(connect: Connect, settings: Settings): Promise<IgnoredSetting[]> {
  const one = await connect().catch((error) => explain(error, connect));
  const other = await connect();
  await checkProcesses(one, other);
  return ignoredSettings(one, settings);
}

/** PgBouncer answers each failure with 08P01: only a connection without settings shows that they were the reason. */
async function explain(error: unknown, connect: Connect): Promise<never> {
  if (sqlStateOf(error) !== sqlStates.protocolViolation) throw error;
  await connect({ options: "" }).catch(() => {
    throw error;
  });
  throw new SettingsRefused(errorMessage(error));
}

async function checkProcesses(one: pg.Client, other: pg.Client): Promise<void> {
  const [own, others] = [await processOf(one), await processOf(other)];
  if (own === others) throw new SharedServerProcesses();
  for (let round = 0; round < rounds; round++) {
    const busy = round % 2 === 0 ? other : one;
    await begin(busy);
    const kept = (await processOf(one)) === own && (await processOf(other)) === others;
    await busy.query("COMMIT");
    if (!kept) throw new SharedServerProcesses();
  }
}

/** PgBouncer refuses transactions in statement mode. */
async function begin(client: pg.Client): Promise<void> {
  await client.query("BEGIN").catch((error) => {
    throw sqlStateOf(error) === sqlStates.protocolViolation ? new SharedServerProcesses() : error;
  });
}

async function processOf(client: pg.Client): Promise<number | undefined> {
  const { rows } = await client.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
  return rows[0]?.pid;
}

async function ignoredSettings(client: pg.Client, settings: Settings): Promise<IgnoredSetting[]> {
  const { rows } = await client.query<{ name: string; value: string }>(
    "SELECT lower(name) AS name, setting AS value FROM pg_settings WHERE lower(name) = ANY($1)",
    [Object.keys(settings)],
  );
  return rows.flatMap(({ name, value }) => {
    const wanted = settings[name]!;
    const isLimited = typeof wanted === "number" && Number(value) > 0 && Number(value) <= wanted;
    return isLimited || value === wanted ? [] : [{ name, value, wanted }];
  });
}
