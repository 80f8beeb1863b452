import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Database } from "../../packages/service/src/storage/database.ts";
import { listAccessTokens } from "../../packages/service/src/storage/tenants/access-tokens.ts";
import type { Tenant } from "../../packages/service/src/storage/tenants/tenant.ts";
import { createTask } from "../../packages/service/src/tasks/create.ts";
import { startTask } from "../../packages/service/src/tasks/start.ts";
import { issueAccessToken } from "../../packages/service/src/tenants/access-tokens.ts";
import { operator } from "../../packages/service/src/tenants/audit.ts";
import { createTenant } from "../../packages/service/src/tenants/create.ts";
import { deleteTenant } from "../../packages/service/src/tenants/delete.ts";
import { updateTenant } from "../../packages/service/src/tenants/update.ts";
import { openFileStore } from "../../packages/service/src/uploads/file-store.ts";
import { newUploadKey } from "../../packages/service/src/uploads/keys.ts";
import type { ObjectStore } from "../../packages/service/src/uploads/object-store.ts";
import { openTestPostgres } from "../support/engines.ts";
import { eventually } from "../support/runner.ts";

/** A database that ends the first transaction just before its commit, because the session was idle in it. */
function frozenOnce(database: Database): Database & { frozen(): boolean } {
  let frozen = false;
  return {
    ...database,
    frozen: () => frozen,
    transaction: (work, turn) =>
      database.transaction(async (inner) => {
        const result = await work(inner);
        if (frozen) return result;
        frozen = true;
        const [session] = await inner.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");
        await inner.query("SET LOCAL idle_in_transaction_session_timeout = 1");
        const ask = () =>
          database.query("SELECT FROM pg_stat_activity WHERE pid = $1", [session?.pid as number]);
        await eventually(ask, (sessions) => sessions.length === 0);
        return result;
      }, turn),
  };
}

describe("a process that stalled until the database ended its transaction", () => {
  let database: Database;
  let folder: string;
  let store: ObjectStore;
  let tenant: Tenant;
  let file: string;
  beforeAll(async () => {
    database = await openTestPostgres();
    folder = await mkdtemp(join(tmpdir(), "lading-frozen-"));
    store = await openFileStore(folder);
    tenant = (await createTenant(database, { identifier: "acme" })).tenant;
    file = newUploadKey(tenant.id, "file.json", "MASS_OPERATIONS");
    await store.put(file, [Buffer.from("{}")] as never, { maxBytes: 10 });
  });
  afterAll(async () => {
    await database.close();
    await rm(folder, { recursive: true, force: true });
  });

  test("still issues an access token, and only one", async () => {
    const frozen = frozenOnce(database);
    await issueAccessToken(frozen, tenant, { name: "second", role: "reader" }, operator);
    expect(frozen.frozen()).toBe(true);
    const names = (await listAccessTokens(database, tenant.id)).map(({ name }) => name);
    expect(names).toEqual(["first token", "second"]);
  });

  test("still starts a task", async () => {
    const frozen = frozenOnce(database);
    const { id } = await createTask({ database, store }, tenant, { key: file });
    expect(await startTask(frozen, tenant.id, id)).toMatchObject({ status: "started" });
    expect(frozen.frozen()).toBe(true);
  });

  test("still creates a task", async () => {
    const frozen = frozenOnce(database);
    const created = await createTask({ database: frozen, store }, tenant, { key: file, autoStart: true });
    expect(created).toMatchObject({ status: "started" });
    expect(frozen.frozen()).toBe(true);
  });

  test("still creates, changes and deletes a tenant", async () => {
    const creating = frozenOnce(database);
    const { tenant: other } = await createTenant(creating, { identifier: "other" });
    const changing = frozenOnce(database);
    expect(await updateTenant(changing, "other", { name: "Changed" }, operator)).toMatchObject({
      name: "Changed",
    });
    const deleting = frozenOnce(database);
    const logger = pino({ level: "silent" });
    const services = { database: deleting, logger, deleteFiles: async () => {} };
    expect(await deleteTenant(services, "other", operator)).toMatchObject({ id: other.id });
    expect([creating, changing, deleting].map(({ frozen }) => frozen())).toEqual([true, true, true]);
  });
});
