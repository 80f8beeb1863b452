import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startWorker } from "../../packages/service/src/runner/schedule/worker.ts";
import type { Database, Queries } from "../../packages/service/src/storage/database.ts";
import { openPostgres } from "../../packages/service/src/storage/engines/postgres.ts";
import { sessionName } from "../../packages/service/src/storage/engines/postgres-session.ts";
import { openFileStore } from "../../packages/service/src/uploads/file-store.ts";
import type { TenantClient } from "../support/client.ts";
import { imageFetcher } from "../support/images/fetcher.ts";
import { eventually, silent } from "../support/runner.ts";
import { finished, openService, runFile } from "../support/service.ts";

/** Stops the next transaction that writes customers, or the overlay's, before its commit. */
class Gate {
  #reached = Promise.withResolvers<void>();
  #opened = Promise.withResolvers<void>();
  isArmed = false;

  arm() {
    [this.#reached, this.#opened] = [Promise.withResolvers(), Promise.withResolvers()];
    this.isArmed = true;
  }

  /** Resolves when a transaction waits at the gate. */
  get reached(): Promise<void> {
    return this.#reached.promise;
  }

  open() {
    this.#opened.resolve();
  }

  hold<Result>(work: (transaction: Queries) => Promise<Result>) {
    return async (transaction: Queries): Promise<Result> => {
      let hasWritten = false;
      const execute: Queries["execute"] = (sql, parameters) => {
        hasWritten ||= /\b(?:o_)?customers\b/.test(sql);
        return transaction.execute(sql, parameters);
      };
      const result = await work({ ...transaction, execute });
      if (hasWritten && this.isArmed) {
        this.isArmed = false;
        this.#reached.resolve();
        await this.#opened.promise;
      }
      return result;
    };
  }
}

const withGate = (database: Database, gate: Gate): Database => ({
  ...database,
  transaction: (work, locks) => database.transaction(gate.hold(work), locks),
  session: (tenantId, work) =>
    database.session(tenantId, (session) =>
      work({ ...session, transaction: (inner) => session.transaction(gate.hold(inner)) }),
    ),
});

const customer = (lastName: string) => ({ intent: "customer/upsert", identifier: "ann", lastName });

const rename = (client: TenantClient, firstName: string) =>
  client.graphql(
    `mutation ($firstName: String) { updateCustomer(identifier: "ann", input: { firstName: $firstName }) {
       ... on Customer { firstName } ... on BasicError { error } } }`,
    { firstName },
  );

async function start(client: TenantClient, kind: string, ...operations: object[]): Promise<string> {
  const key = await client.upload(new Blob([JSON.stringify({ version: "1.0.0", operations })]));
  const { created } = await client.graphql<{ created: { id: string } }>(
    `mutation ($key: String!, $kind: BulkTaskKind) {
       created: createMassOperationBulkTask(input: { key: $key, kind: $kind, autoStart: true }) {
         ... on BulkTaskMassOperation { id } ... on BasicError { error } } }`,
    { key, kind },
  );
  return created.id;
}

test("a mutation waits for the lock of a run's open batch on its row, but not for a plan's", async () => {
  const service = await openService("postgresql", { rateLimit: 0, role: "api" });
  onTestFinished(() => service.close());
  const gate = new Gate();
  const database = openPostgres(service.databaseUrl as string);
  const store = await openFileStore(join(service.dataDir, "uploads"));
  const images = imageFetcher(store);
  const runner = { database: withGate(database, gate), store, images, logger: silent };
  const stop = await startWorker({ ...runner, lease: 60_000, slots: 1 });
  onTestFinished(async () => {
    gate.open();
    await stop();
    images.close();
    await database.close();
  });
  const shop = await service.tenant("shop");
  await runFile(shop, { version: "1.0.0", operations: [customer("Lee")] });
  expect(await rename(shop, "Ann")).toEqual({ updateCustomer: { firstName: "Ann" } });

  gate.arm();
  const plan = await start(shop, "plan", customer("planned"));
  await gate.reached;
  expect(await rename(shop, "Annabel")).toEqual({ updateCustomer: { firstName: "Annabel" } });
  // The plan's locks outside its temporary tables do not block writers of rows.
  const locks = await database.query<{ mode: string }>(
    `SELECT DISTINCT l.mode FROM pg_locks l JOIN pg_stat_activity a USING (pid) LEFT JOIN pg_class c ON c.oid = l.relation
     WHERE a.application_name = $1 AND (l.locktype = 'advisory' OR c.relpersistence <> 't')`,
    [sessionName],
  );
  expect(locks).toEqual([{ mode: "AccessShareLock" }]);
  gate.open();
  expect(await finished(shop, plan)).toMatchObject({ status: "complete", progress: { updated: 1 } });

  gate.arm();
  const run = await start(shop, "run", customer("run"));
  await gate.reached;
  let isAnswered = false;
  const renamed = rename(shop, "Anna").finally(() => {
    isAnswered = true;
  });
  const waiting =
    "SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()";
  await eventually(
    () => database.query(waiting),
    ({ length }) => length > 0,
  );
  expect(isAnswered).toBe(false);
  gate.open();
  expect(await renamed).toEqual({ updateCustomer: { firstName: "Anna" } });
  expect(await finished(shop, run)).toMatchObject({ status: "complete", progress: { updated: 1 } });
});
