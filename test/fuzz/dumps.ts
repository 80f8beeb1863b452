import fc from "fast-check";
import { openPgliteInMemory } from "../../packages/service/src/storage/engines/pglite.ts";
import { openPostgres } from "../../packages/service/src/storage/engines/postgres.ts";
import { migrate } from "../../packages/service/src/storage/migrate.ts";
import type { Tenant } from "../../packages/service/src/storage/tenants/tenant.ts";
import { dumpOf, failuresIn, imageKey, logOf, newTenant, run, sourceFile } from "../dump/bench-tenants.ts";
import { changes } from "../dump/generated-tenants.ts";
import { startPostgres } from "../support/postgres/postgres.ts";
import { openRunnerBench, type RunnerBench } from "../support/runner.ts";
import type { Finding } from "./fuzz.ts";

interface Rounds {
  readonly seed: number;
  /** Tenants that are made at random. */
  readonly rounds: number;
  /** Told from time to time how far it is. */
  onProgress?(text: string): void;
}

/** Groups of operations that make each tenant what it is. */
const changesEach = 150;

/** Dumps random tenants on both engines; answers the rounds in which a dump did not make the same tenant. */
export async function dumpRounds(choice: Rounds): Promise<Finding[]> {
  const server = await startPostgres();
  const postgres = async () => {
    const database = openPostgres(server.url);
    await migrate(database);
    return database;
  };
  const findings: Finding[] = [];
  try {
    for (const open of [openPgliteInMemory, postgres]) {
      const bench = await openRunnerBench(() => open());
      await bench.runner();
      findings.push(...(await dumpRoundsOn(bench, choice).finally(() => bench.close())));
    }
  } finally {
    await server.stop();
  }
  return findings;
}

/** The same on a bench whose runner works already. */
export async function dumpRoundsOn(
  bench: RunnerBench,
  { seed, rounds, onProgress }: Rounds,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (let i = 0; i < rounds; i++) {
    for (const what of await dumpRound(bench, seed + i))
      findings.push({ what, input: `a tenant of seed ${seed + i}, on ${bench.database.engine}` });
    if (i % 10 === 9) onProgress?.(`${i + 1} tenants dumped, ${findings.length} findings`);
  }
  return findings;
}

async function dumpRound(bench: RunnerBench, seed: number): Promise<string[]> {
  const [operations = []] = fc.sample(changes(changesEach), { seed, numRuns: 1 });
  const source = await newTenant(bench);
  await run(bench, source, sourceFile(source, operations));
  const natural = await dumpOf(bench, source, { ids: "natural" });
  const dump = await dumpOf(bench, source);
  const target = await newTenant(bench);
  return [
    ...(await madeAgain(bench, { dump, source, target })),
    ...(await madeAgain(bench, { dump, source, target: source })),
    ...(await madeByNaturalKeys(bench, natural, source)),
  ];
}

interface Making {
  readonly dump: string;
  readonly source: Tenant;
  readonly target: Tenant;
}

/** Runs a dump in a tenant, and compares it with the dump of that. */
async function madeAgain(bench: RunnerBench, { dump, source, target }: Making): Promise<string[]> {
  const where = source === target ? "its own tenant" : "an empty tenant";
  const failures = await run(bench, target, withImage(dump, target));
  const again = (await dumpOf(bench, target)).replaceAll(target.id, source.id);
  return [
    ...failures.map((failure) => `run in ${where}: ${failure}`),
    ...differences(again, dump).map((line) => `dumped again in ${where}: ${line}`),
  ];
}

/** Runs a dump by natural keys in an empty tenant, twice. */
async function madeByNaturalKeys(bench: RunnerBench, dump: string, source: Tenant): Promise<string[]> {
  const target = await newTenant(bench);
  const found: string[] = [];
  for (const time of ["first", "second"]) {
    const log = await logOf(bench, target, withImage(dump, target));
    const again = (await dumpOf(bench, target, { ids: "natural" })).replaceAll(target.id, source.id);
    const created = time === "first" ? [] : log.filter(({ action }) => action === "created");
    found.push(
      ...failuresIn(log).map((failure) => `by natural keys, the ${time} time: ${failure}`),
      ...created.map(({ input }) => `by natural keys, the second time, created: ${JSON.stringify(input)}`),
      ...differences(again, dump).map((line) => `by natural keys, dumped the ${time} time: ${line}`),
    );
  }
  return found;
}

const withImage = (dump: string, tenant: Tenant) =>
  dump.replaceAll(/\{\{ upload \\"[^"]*\\" \}\}/g, imageKey(tenant));

/** The lines that only one of two dumps has; or that the order of lines differs. */
function differences(after: string, before: string): string[] {
  if (after === before) return [];
  const lines = (text: string) => text.split("\n").map((line) => line.replace(/,$/, ""));
  const only = (text: string, other: string) => {
    const known = new Set(lines(other));
    return lines(text).filter((line) => !known.has(line));
  };
  const found = [
    ...only(before, after).map((line) => `- ${line}`),
    ...only(after, before).map((line) => `+ ${line}`),
  ];
  return found.length === 0 ? ["lines are in another order"] : found;
}
