import { type Intent, type Payload, parsePayload } from "@lading/schema";
import { beforeEach, describe, expect } from "vitest";
import type { Writer } from "../../../../test/support/concurrency/overlapping.ts";
import { engines } from "../../../../test/support/engines.ts";
import { opened } from "../../../../test/support/opened.ts";
import { executeCommand } from "../../src/commands/execute.ts";
import { commandOf } from "../../src/commands/registry.ts";
import type { CommandContext, CommandResult } from "../../src/domain/command.ts";
import { Rejection } from "../../src/errors.ts";
import { storedImages } from "../../src/media/stored-images.ts";
import type { Database, Queries } from "../../src/storage/database.ts";
import { tenantById } from "../../src/storage/tenants/find.ts";
import type { Tenant, TenantSettings } from "../../src/storage/tenants/tenant.ts";
import { type Collection, columnName } from "../../src/storage/unit-of-work/collection.ts";
import { UnitOfWork } from "../../src/storage/unit-of-work/unit-of-work.ts";
import { operator } from "../../src/tenants/audit.ts";
import { createTenant } from "../../src/tenants/create.ts";
import { type MemoryStore, openMemoryStore } from "../../src/uploads/memory-store.ts";
import { storeSettings } from "./settings.ts";

/** A payload as a mass operation file has it, without templates. */
export type WrittenPayload = Record<string, unknown>;
export type WrittenOperation = [intent: Intent, payload: WrittenPayload];

/** Statements of the last batch: to load the declared keys, to execute, and to write. */
export interface StatementCounts {
  prefetch: number;
  execute: number;
  flush: number;
}

export interface Shop {
  readonly tenant: Tenant;
  readonly database: Database;
  readonly store: MemoryStore;
  /** Executes one command in a transaction of its own and commits. A failure is returned, not thrown. */
  run(intent: Intent, payload: WrittenPayload): Promise<CommandResult | Rejection>;
  /** As `run`, for a command that must succeed. */
  done(intent: Intent, payload: WrittenPayload): Promise<CommandResult>;
  /** As `run`, for a command that must fail. */
  refused(intent: Intent, payload: WrittenPayload): Promise<Rejection>;
  /** Executes several in one transaction, as the runner does: a failed one is rolled back alone. */
  batch(operations: readonly WrittenOperation[]): Promise<(CommandResult | Rejection)[]>;
  /** Of the last `run`, `done`, `refused` or `batch`. */
  readonly statements: StatementCounts;
  get<Row extends object>(collection: Collection<Row>, ...key: string[]): Promise<Row | undefined>;
  all<Row extends object>(collection: Collection<Row>): Promise<Row[]>;
  neighbour(): Promise<Shop>;
  set(settings: Partial<TenantSettings>): Promise<void>;
}

/** Runs tests over every engine. Each test has a new tenant, in the database that the suites share. */
export function describeOnEngines(name: string, tests: (shop: () => Shop) => void): void {
  describe.each(engines)(`${name} on $name`, ({ shared }) => {
    let shop: Shop;
    const database = opened(shared);
    beforeEach(async () => {
      shop = await openShop(database);
    });
    tests(() => shop);
  });
}

let shops = 0;

export async function openShop(database: Database, store: MemoryStore = openMemoryStore()): Promise<Shop> {
  shops += 1;
  const { tenant } = await createTenant(database, { identifier: `shop-${shops}` });
  const statements: StatementCounts = { prefetch: 0, execute: 0, flush: 0 };
  const batch: Shop["batch"] = (operations) =>
    runBatch({ database, store }, tenant.id, statements, operations);
  const run: Shop["run"] = async (intent, payload) => only(await batch([[intent, payload]]));
  return {
    tenant,
    database,
    store,
    statements,
    batch,
    run,
    done: async (intent, payload) => succeeded(await run(intent, payload)),
    refused: async (intent, payload) => failed(await run(intent, payload)),
    get: async (collection, ...key) => only(await rows(database, tenant.id, collection, key)),
    all: (collection) => rows(database, tenant.id, collection, []),
    neighbour: () => openShop(database, store),
    set: async (settings) => {
      Object.assign(tenant.settings, settings);
      await storeSettings({ database, tenant }, settings);
    },
  };
}

/** Executes an operation as a mutation does: in its own transaction that is retried on a conflict. */
export const executing =
  ({ tenant, store }: Shop, [intent, payload]: readonly [Intent, WrittenPayload]): Writer<string> =>
  async (database) => {
    const caller = { tenant, actor: operator };
    const done = await executeCommand({ database, store }, caller, intent, payload as Payload<Intent>);
    return outcomesOf([done]);
  };

/** The operations that are made for a number. */
export type Operations = (i: number) => WrittenOperation[];

/** Executes those of `count` numbers in a batch, and all must succeed. */
export async function executeMany(shop: Shop, operations: Operations, from: number, count: number) {
  const outcomes = await shop.batch(Array.from({ length: count }, (_, i) => operations(from + i)).flat());
  outcomes.forEach(succeeded);
  return { ...shop.statements };
}

/** Two hundred operations must need as many statements as ten, and none beyond those of the batch. */
export async function expectFewStatements(shop: Shop, operations: Operations): Promise<void> {
  const few = await executeMany(shop, operations, 0, 10);
  expect(few.execute).toBe(0);
  expect(await executeMany(shop, operations, 10, 200)).toEqual(few);
}

/** The action, or the error's name, of each operation, in one text. */
export const outcomesOf = (outcomes: readonly (CommandResult | Rejection)[]): string =>
  outcomes.map((outcome) => (outcome instanceof Rejection ? outcome.name : outcome.action)).join(" ");

export function succeeded(outcome: CommandResult | Rejection | undefined): CommandResult {
  if (outcome === undefined) throw new Error("no such operation in the batch");
  if (outcome instanceof Rejection)
    throw new Error(
      `expected success, got ${outcome.name}: ${outcome.message} ${JSON.stringify(outcome.errors)}`,
    );
  return outcome;
}

export function failed(outcome: CommandResult | Rejection | undefined): Rejection {
  if (outcome instanceof Rejection) return outcome;
  throw new Error(`expected a failure, got ${JSON.stringify(outcome)}`);
}

const only = <Value>(values: readonly Value[]): Value => values[0] as Value;

async function runBatch(
  { database, store }: Pick<Shop, "database" | "store">,
  tenantId: string,
  counts: StatementCounts,
  operations: readonly WrittenOperation[],
): Promise<(CommandResult | Rejection)[]> {
  return database.transaction(async (transaction) => {
    const tenant = await tenantById(transaction, tenantId);
    const counting = countStatements(transaction);
    const unit = new UnitOfWork(counting, tenantId);
    const media = storedImages(store, tenantId);
    const counted = async <Result>(part: keyof StatementCounts, work: () => Promise<Result>) => {
      const before = counting.statements.length;
      const result = await work();
      counts[part] = counting.statements.length - before;
      return result;
    };
    await counted("prefetch", () =>
      unit.prefetch((prefetch) => {
        for (const [intent, payload] of operations) commandOf(intent).keys?.(payload, prefetch, tenant);
      }),
    );
    const results = await counted("execute", async () => {
      const outcomes: (CommandResult | Rejection)[] = [];
      for (const operation of operations)
        outcomes.push(await runOne({ unit, tenant, actor: operator, media }, operation));
      return outcomes;
    });
    await counted("flush", () => unit.flush());
    return results;
  });
}

async function runOne(
  context: Omit<CommandContext, "now">,
  [intent, written]: WrittenOperation,
): Promise<CommandResult | Rejection> {
  const parsed = parsePayload(intent, written);
  if ("errors" in parsed) throw new Error(`the test's payload is invalid: ${JSON.stringify(parsed.errors)}`);
  const { unit } = context;
  const mark = unit.mark();
  try {
    const now = new Date().toISOString();
    return await commandOf(intent).execute({ ...context, now }, parsed.payload);
  } catch (error) {
    if (!(error instanceof Rejection)) throw error;
    unit.rollback(mark);
    return error;
  }
}

export function countStatements(queries: Queries): Queries & { readonly statements: string[] } {
  const statements: string[] = [];
  return {
    ...queries,
    statements,
    query: (sql, parameters) => {
      statements.push(sql);
      return queries.query(sql, parameters);
    },
    execute: (sql, parameters) => {
      statements.push(sql);
      return queries.execute(sql, parameters);
    },
  };
}

async function rows<Row extends object>(
  database: Database,
  tenantId: string,
  collection: Collection<Row>,
  key: readonly string[],
): Promise<Row[]> {
  const condition = key
    .map((_, i) => ` AND t.${columnName(collection.key[i] as string)} = $${i + 2}`)
    .join("");
  return database.query<Row>(
    `SELECT ${collection.sql.columnList} FROM ${collection.table} t WHERE t.tenant_id = $1${condition}`,
    [tenantId, ...key],
  );
}
