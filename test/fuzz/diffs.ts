import fc from "fast-check";
import { openPostgres } from "../../packages/service/src/storage/engines/postgres.ts";
import { migrate } from "../../packages/service/src/storage/migrate.ts";
import type { Tenant } from "../../packages/service/src/storage/tenants/tenant.ts";
import { newTenant, run, sourceFile, wholeDumpOf } from "../dump/bench-tenants.ts";
import { contentOf, differenceOf } from "../dump/differing.ts";
import { changes } from "../dump/generated-tenants.ts";
import { smallTenants } from "../dump/small-tenants.ts";
import { startPostgres } from "../support/postgres/postgres.ts";
import { openRunnerBench, type RunnerBench } from "../support/runner.ts";
import type { Finding } from "./fuzz.ts";

interface Rounds {
  readonly seed: number;
  readonly rounds: number;
  /** Called with progress from time to time. */
  onProgress?(text: string): void;
}

/** Compares random tenants on its own PostgreSQL; returns the rounds with defects. */
export async function diffRounds(choice: Rounds): Promise<Finding[]> {
  const server = await startPostgres();
  try {
    const bench = await openRunnerBench(async () => {
      const database = openPostgres(server.url);
      await migrate(database);
      return database;
    });
    try {
      await bench.runner();
      return await diffRoundsOn(bench, choice);
    } finally {
      await bench.close();
    }
  } finally {
    await server.stop();
  }
}

/** The same on a bench whose runner works already. */
export async function diffRoundsOn(
  bench: RunnerBench,
  { seed, rounds, onProgress }: Rounds,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (let round = 0; round < rounds; round++) {
    const input = `--seed ${seed + round}`;
    const found = await diffRound(bench, seed + round).catch((error: Error) => [String(error.stack)]);
    findings.push(...found.map((what) => ({ what: `${input}: ${what}`, input })));
    if (round % 50 === 49) onProgress?.(`${round + 1} comparisons, ${findings.length} findings`);
  }
  return findings;
}

/** Makes two random tenants, and one like the other: in every second round without deletions first. */
async function diffRound(bench: RunnerBench, seed: number): Promise<string[]> {
  const [both = [], before = [], after = []] = sampled(seed);
  const from = await tenantOf(bench, [...both, ...before]);
  const target = await wholeDumpOf(bench, await tenantOf(bench, [...both, ...after]));
  for (const deletes of seed % 2 === 0 ? [false, true] : [true]) {
    const found = await madeLike(bench, from, target, deletes);
    if (found.length > 0) return found;
  }
  return [];
}

/** The operations that both tenants have in common, and those of each: every third time whole small tenants. */
function sampled(seed: number): (readonly object[] | undefined)[] {
  const sample = (from: fc.Arbitrary<readonly object[]>, part: number) =>
    fc.sample(from, { seed: seed * 3 + part, numRuns: 1 })[0];
  if (seed % 3 === 0) return [[], sample(smallTenants(), 1), sample(smallTenants(seed % 4 === 0), 2)];
  return [0, 1, 2].map((part) => sample(changes(40), part));
}

async function tenantOf(bench: RunnerBench, operations: readonly object[]): Promise<Tenant> {
  const tenant = await newTenant(bench);
  await run(bench, tenant, sourceFile(tenant, operations));
  return tenant;
}

/**
 * Makes a tenant like that of a dump. Answers what is wrong: operations that fail, a second difference, other dumps.
 */
async function madeLike(
  bench: RunnerBench,
  tenant: Tenant,
  target: string,
  deletes: boolean,
): Promise<string[]> {
  const way = deletes ? "with deletions" : "without deletions";
  const { operations } = await differenceOf(await wholeDumpOf(bench, tenant), target, deletes);
  const file = JSON.stringify({ version: "1.0.0", operations });
  const failures = await run(bench, tenant, file);
  const made = await wholeDumpOf(bench, tenant);
  const rest = await differenceOf(made, target, deletes);
  const left = rest.operations.map((operation) => JSON.stringify(operation));
  const found = [
    ...failures.map((failure) => `${way} an operation fails: ${failure}`),
    ...left.map((operation) => `${way} is left: ${operation}`),
  ];
  const canBeEqual = deletes && rest.remainders.every((what) => what.startsWith("settings"));
  if (found.length > 0 || !canBeEqual) return found;
  return firstDifference(contentOf(made), contentOf(target));
}

function firstDifference(made: readonly string[], wanted: readonly string[]): string[] {
  const at = wanted.findIndex((line, i) => line !== made[i]);
  if (at === -1 && made.length === wanted.length) return [];
  const line = at === -1 ? wanted.length : at;
  return [`the dumps differ: ${made[line]} in place of ${wanted[line]}`];
}
