import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import type { Database } from "../../packages/service/src/storage/database.ts";
import { openPgliteInMemory } from "../../packages/service/src/storage/engines/pglite.ts";
import { openPostgres } from "../../packages/service/src/storage/engines/postgres.ts";
import { newId } from "../../packages/service/src/storage/ids.ts";
import { migrate } from "../../packages/service/src/storage/migrate.ts";
import type { Tenant } from "../../packages/service/src/storage/tenants/tenant.ts";
import type { OperationLog } from "../../packages/service/src/tasks/logs.ts";
import { newTenant, sourceFile } from "../dump/bench-tenants.ts";
import { changes, foundation } from "../dump/generated-tenants.ts";

import { tenantRows } from "../support/parity/tenant-rows.ts";
import { openUndoBench, type UndoBench } from "../support/parity/undos.ts";
import { ids } from "../support/parity/words.ts";
import { startPostgres } from "../support/postgres/postgres.ts";
import type { Finding } from "./fuzz.ts";

export interface UndoRounds {
  seed: number;
  rounds: number;
  /** Operations of each task. Default: 40. */
  operations?: number;
  /** Called with progress from time to time. */
  onProgress?(text: string): void;
}

type Operation = Readonly<Record<string, unknown>>;

const locations = ["default", "backorder"];

/** Operations whose undo was refused with no other writer: stock below a later minimum, and published copies. */
const rulesThatChange: fc.Arbitrary<Operation> = fc.oneof(
  fc
    .record({
      identifier: fc.constantFrom(...locations),
      settings: fc.oneof(
        fc.record({ minimum: fc.constantFrom(-10, -3, 0, 2) }),
        fc.constant({ unlimited: true }),
      ),
    })
    .map(({ identifier, settings }) => ({
      ...{ intent: "stockLocation/upsert", identifier, name: identifier, settings },
    })),
  fc
    .record({
      sku: fc.constantFrom("shoe", "hat"),
      stockLocationIdentifier: fc.constantFrom(...locations),
      operation: fc.constantFrom("overwrite", "decrease", "decrease"),
      quantity: fc.integer({ min: 1, max: 8 }),
    })
    .map((change) => ({ intent: "product/variant/stock/modify", ...change })),
  fc
    .record({
      intent: fc.constantFrom("item/publish", "item/unpublish"),
      itemId: fc.constantFrom(...ids.products),
    })
    .map((change) => ({ language: "en", ...change })),
);

const tasks = (operations: number) =>
  fc.array(
    fc
      .tuple(changes(operations - 10), fc.array(rulesThatChange, { minLength: 10, maxLength: 10 }), fc.nat())
      .map(([generated, others, seed]) => mixed(generated, others, seed)),
    { minLength: 2, maxLength: 2 },
  );

function mixed(some: readonly Operation[], others: readonly Operation[], seed: number): Operation[] {
  const all = [...some];
  for (const [i, operation] of others.entries())
    all.splice((seed * (i + 7) * 31) % (all.length + 1), 0, operation);
  return all;
}

/**
 * Rounds on tenants that nobody else writes to, of PostgreSQL and of PGlite by turns. Answers the rounds in which
 * something was wrong.
 */
export async function undoRounds(choice: UndoRounds): Promise<Finding[]> {
  const server = await startPostgres();
  const half = Math.floor(choice.rounds / 2);
  try {
    const onServer = await roundsOn(async () => openPostgres(server.url), {
      ...choice,
      rounds: choice.rounds - half,
    });
    return [
      ...onServer,
      ...(await roundsOn(openPgliteInMemory, { ...choice, rounds: half, from: choice.rounds - half })),
    ];
  } finally {
    await server.stop();
  }
}

async function roundsOn(
  open: () => Promise<Database>,
  choice: UndoRounds & { from?: number },
): Promise<Finding[]> {
  const bench = await openUndoBench(async () => {
    const database = await open();
    await migrate(database);
    return database;
  });
  try {
    return await undoRoundsOn(bench, choice);
  } finally {
    await bench.close();
  }
}

/**
 * The same on a bench. Of each round two random tasks are planned and run, then undone from the last to the first. It
 * is wrong when a plan says something else than the run or the undo, when an undo keeps an operation, and when it
 * leaves another state than before the task.
 */
export async function undoRoundsOn(
  bench: UndoBench,
  { seed, rounds, from = 0, operations = 40, onProgress }: UndoRounds & { from?: number },
): Promise<Finding[]> {
  const findings: Finding[] = [];
  let shop: Tenant | undefined;
  for (let round = from; round < from + rounds; round++) {
    const [files = []] = fc.sample(tasks(operations), { seed: seed * 1_000 + round, numRuns: 1 });
    shop ??= await newShop(bench);
    const found = await oneRound(bench, shop, files).catch((error: Error) => [String(error.stack)]);
    const input = JSON.stringify(files);
    findings.push(...found.map((what) => ({ what: `round ${round} of seed ${seed}: ${what}`, input })));
    // The next round begins with what all do, unless this one has left something.
    if (found.length > 0) shop = undefined;
    if (round % 50 === 49) onProgress?.(`${round + 1} rounds of undos, ${findings.length} findings`);
  }
  return findings;
}

async function oneRound(bench: UndoBench, tenant: Tenant, files: readonly Operation[][]): Promise<string[]> {
  const findings: string[] = [];
  const done: { id: string; before: Rows }[] = [];
  for (const file of files) {
    const before = await tenantRows(bench.database, tenant.id);
    const { id, differences } = await planAndRun(bench, tenant, file);
    done.push({ id, before });
    findings.push(...differences);
  }
  for (const { id, before } of done.toReversed()) findings.push(...(await undo(bench, tenant, id, before)));
  return findings;
}

type Rows = Awaited<ReturnType<typeof tenantRows>>;

/** Plans a file, then runs it: answers the run, and what the plan has said otherwise. */
async function planAndRun(bench: UndoBench, tenant: Tenant, operations: readonly Operation[]) {
  const file = sourceFile(tenant, operations).slice(foundation.length);
  const plan = await bench.start(file, { tenant, kind: "plan" });
  await bench.ended(plan, tenant);
  const { id } = await bench.run(tenant, file);
  const end = newId();
  const [planned, run] = [await bench.log(plan, tenant), await bench.log(id, tenant)];
  const differences = run.flatMap((entry, i) => {
    const [expected, actual] = [planned[i], entry].map((each) => outcomeIn(each, { from: plan, to: end }));
    return expected === actual ? [] : [`${entry.intent}: planned ${expected}, run ${actual}`];
  });
  return { id, differences };
}

/** The outcome of an operation, in which `new` stands for ids that were made meanwhile. */
function outcomeIn(entry: OperationLog | undefined, made: { from: string; to: string }): string {
  const { status, statusCode, errorName, action, message, errors } = entry ?? {};
  return JSON.stringify({ status, statusCode, errorName, action, message, errors }).replaceAll(
    /[0-9a-f]{24}/g,
    (id) => (id > made.from && id < made.to ? "new" : id),
  );
}

/** Undoes a task, as planned; answers what it has kept, and the tables that are not as they were before the task. */
async function undo(bench: UndoBench, tenant: Tenant, id: string, before: Rows): Promise<string[]> {
  const log = await bench.planAndUndo(tenant, id);
  const kept = log
    .filter(({ status }) => status !== "success")
    .map(({ intent, errorName, message }) => `undo of ${intent}: ${errorName} ${message}`);
  const after = await tenantRows(bench.database, tenant.id);
  const changed = Object.keys(before).filter((table) => !isDeepStrictEqual(after[table], before[table]));
  return [...kept, ...(kept.length > 0 ? [] : changed.map((table) => `${table} is not as before the task`))];
}

async function newShop(bench: UndoBench): Promise<Tenant> {
  const tenant = await newTenant(bench);
  const file = sourceFile(tenant, []);
  const { progress } = await bench.run(tenant, file);
  if (progress.failed > 0) throw new Error(`${progress.failed} operations of the foundation failed`);
  return tenant;
}
