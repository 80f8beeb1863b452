import { existsSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { describe, expect, onTestFinished, test } from "vitest";
import { moveData } from "../../packages/service/src/index.ts";
import type { Database } from "../../packages/service/src/storage/database.ts";
import { openPostgres } from "../../packages/service/src/storage/engines/postgres.ts";
import { exclusiveLock } from "../../packages/service/src/storage/tenant-locks.ts";
import { tenantToWriteFor } from "../../packages/service/src/storage/tenants/find.ts";
import { deleteTenantRows } from "../../packages/service/src/storage/tenants/tenant-rows.ts";
import { deleteTenantRow } from "../../packages/service/src/storage/tenants/write.ts";
import { openFileStore } from "../../packages/service/src/uploads/file-store.ts";
import { eventually } from "../support/runner.ts";
import { between, filled, folderOfTest, refusal, serverLocation, sumsOf } from "./locations.ts";

describe("a tenant that is moved alone", () => {
  test("is refused by a target that has its id or its identifier, or while a task of it is executed", {
    tags: "release",
  }, async () => {
    const [from, to] = [await filled(await serverLocation(), "acme", "other"), await serverLocation()];
    const rename = (id: string, identifier: string) =>
      to.using((database) =>
        database.execute("UPDATE tenants SET id = $1, identifier = $2", [id, identifier]),
      );
    expect(await refusal(between(from, to, "nobody"))).toBe('The source has no tenant "nobody".');
    await filled(to, "shop");
    await rename("another", "acme");
    expect(await refusal(between(from, to, "acme"))).toMatch(/^The target has another tenant acme: .*delete/);
    await rename("id-acme", "renamed");
    expect(await refusal(between(from, to, "acme"))).toMatch(
      /the tenant with the id id-acme already \(renamed\)/,
    );
    await rename("id-shop", "shop");
    await from.using((database) =>
      database.execute(
        "UPDATE bulk_tasks SET status = 'started', start_order = 1 WHERE tenant_id = 'id-acme'",
      ),
    );
    const active = /^Tasks of acme are being executed, or start at a date \(t\), .* hold them/;
    expect(await refusal(between(from, to, "acme"))).toMatch(active);
    const dataDir = join(await folderOfTest(), "new");
    expect(await refusal({ ...between(from, to, "acme"), to: { dataDir } })).toMatch(active);
    expect(existsSync(dataDir)).toBe(false);
    await from.using((database) =>
      database.execute(
        `UPDATE bulk_tasks SET status = 'pending', start_order = NULL, started_at = NULL,
           start_at = now() + interval '1 day' WHERE tenant_id = 'id-acme'`,
      ),
    );
    expect(await refusal(between(from, to, "acme"))).toMatch(active);
  });

  test("moves with its rows, files and tokens to a server with others, without pending deliveries", async () => {
    const from = await filled(await serverLocation(), "acme", "other");
    const to = await filled(await serverLocation(), "shop");
    const [dataDir, folder] = [await folderOfTest(), await folderOfTest()];
    const store = await openFileStore(join(dataDir, "uploads"));
    for (const tenant of ["acme", "other"])
      await store.put(`id-${tenant}/media/k/a.png`, Readable.from([Buffer.from(tenant)]), { maxBytes: 10 });
    const [before, shop] = [await from.using(sumsOf), await to.using(sumsOf)];

    const options = between(from, to, "acme");
    const moved = await moveData({
      ...options,
      from: { ...from.location, dataDir },
      to: { ...to.location, dataDir: folder },
    });
    expect(moved.files).toEqual({ copied: 1, bytes: 4, present: 0 });
    expect(existsSync(join(folder, "uploads/objects/id-other~media~k~a.png"))).toBe(false);
    expect(moved.secrets).toEqual([]);
    expect(await from.using(sumsOf)).toEqual(before);
    const ids = (table: string) =>
      to.using((database) =>
        database.query<{ id: string }>(`SELECT DISTINCT tenant_id AS id FROM ${table} ORDER BY 1`),
      );
    for (const table of ["items", "access_tokens", "operation_log_blocks", "uploads", "audit_trail"])
      expect(await ids(table), table).toEqual([{ id: "id-acme" }, { id: "id-shop" }]);
    const events = await to.using((database) =>
      database.query("SELECT task_id AS id FROM webhook_events WHERE tenant_id = 'id-acme'"),
    );
    expect(events).toEqual([{ id: "t" }]);

    await to.using((database) => removeTenant(database, "id-acme"));
    expect(await to.using(sumsOf)).toMatchObject({ ...shop, audit_trail: expect.stringMatching(/^2 rows/) });
    // Its trail outlives it there, and is not added again.
    await moveData(options);
    expect((await to.using(sumsOf)).audit_trail).toMatch(/^2 rows/);
  });

  test("includes commits of writers that began before", { tags: "release" }, async () => {
    const [from, to] = [await filled(await serverLocation(), "acme"), await serverLocation()];
    const writer = openPostgres(from.location.databaseUrl!);
    onTestFinished(() => writer.close());
    let moving: Promise<unknown> | undefined;
    await writer.transaction(async (transaction) => {
      await tenantToWriteFor(transaction, "id-acme");
      await transaction.execute("UPDATE items SET external_reference = 'early' WHERE id = 'i1'");
      moving = moveData(between(from, to, "acme"));
      await somebodyWaits(writer);
    });
    await moving;
    const item = await to.using((database) =>
      database.query("SELECT external_reference AS reference FROM items WHERE id = 'i1'"),
    );
    expect(item).toEqual([{ reference: "early" }]);
  });

  test("blocks its writers until it is copied", async () => {
    const from = await filled(await serverLocation(), "acme");
    const database = openPostgres(from.location.databaseUrl!);
    onTestFinished(() => database.close());
    const steps: string[] = [];
    let late: Promise<unknown> | undefined;
    await database.copying(
      async () => {
        late = database
          .transaction((transaction) => tenantToWriteFor(transaction, "id-acme"))
          .then(() => steps.push("written"));
        await somebodyWaits(database);
        steps.push("copied");
      },
      { own: exclusiveLock("id-acme") },
    );
    await late;
    expect(steps).toEqual(["copied", "written"]);
  });
});

/** Deletes a tenant's rows as its service does, but for its audit trail. */
async function removeTenant(database: Database, id: string): Promise<void> {
  await database.execute("UPDATE tenants SET identifier = NULL WHERE id = $1", [id]);
  await deleteTenantRows(database, id, () => false);
  await deleteTenantRow(database, id);
}

/** Waits until a connection to the database waits for a lock of another. */
async function somebodyWaits(database: Database): Promise<void> {
  const blocked =
    "SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND database = " +
    "(SELECT oid FROM pg_database WHERE datname = current_database())";
  await eventually(
    () => database.query(blocked),
    (rows) => rows.length > 0,
  );
}
