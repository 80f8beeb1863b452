import { describe, expect, test } from "vitest";
import { startHousekeeping } from "../../packages/service/src/runner/schedule/housekeeping.ts";
import type { Tenant } from "../../packages/service/src/storage/tenants/tenant.ts";
import { createTask } from "../../packages/service/src/tasks/create.ts";
import { noteUpload, sweepUploads } from "../../packages/service/src/tasks/uploads.ts";
import { type ObjectStore, StoreUnavailable } from "../../packages/service/src/uploads/object-store.ts";
import { engines } from "../support/engines.ts";
import { opened } from "../support/opened.ts";
import { eventually, openRunnerBench, silent } from "../support/runner.ts";
import { webhookServices } from "../support/servers/webhooks/services.ts";

const hour = 3_600;
const unavailable = () => Promise.reject(new StoreUnavailable("the store is unreachable"));

describe.each(engines)("uploads that no task names, on $name", ({ open }) => {
  const bench = opened(() => openRunnerBench(open));

  /** Uploads a file whose form expires in some seconds: by default, it expired 25 hours ago. */
  async function upload({ lifetimeSeconds = -25 * hour, tenant = bench.tenant } = {}) {
    const key = await bench.upload([], tenant);
    await noteUpload(bench.database, { tenantId: tenant.id, key, lifetimeSeconds });
    return key;
  }
  const isStored = async (key: string) => (await bench.store.stat(key)) !== undefined;
  const recorded = async (tenant = bench.tenant) => {
    const rows = await bench.database.query<{ key: string }>(
      "SELECT key FROM uploads WHERE tenant_id = $1 ORDER BY key",
      [tenant.id],
    );
    return rows.map(({ key }) => key);
  };
  const sweep = (store: ObjectStore = bench.store) => sweepUploads({ ...bench, store }, () => false);
  const create = (key: string, { store = bench.store, tenant = bench.tenant } = {}) =>
    createTask({ ...bench, store }, tenant, { key });
  const notFound = { name: "UploadNotFoundError" };

  test("a file that the store does not delete is removed by the next sweep, and the others by this one", async () => {
    const [kept, ...others] = [await upload(), await upload(), await upload()];
    const failing: ObjectStore = {
      ...bench.store,
      delete: (key) => (key === kept ? unavailable() : bench.store.delete(key)),
    };
    await expect(sweep(failing)).rejects.toThrow("the store is unreachable");
    expect(await recorded()).toEqual([kept]);
    expect(await Promise.all([kept!, ...others].map(isStored))).toEqual([true, false, false]);
    expect(await sweep()).toBe(1);
    expect(await recorded()).toEqual([]);
    expect(await isStored(kept!)).toBe(false);
  });

  test("files that the store never deletes do not keep a sweep from later ones", async () => {
    const stuck = await Promise.all(
      Array.from({ length: 100 }, () => upload({ lifetimeSeconds: -30 * hour })),
    );
    const failing: ObjectStore = {
      ...bench.store,
      delete: (key) => (stuck.includes(key) ? unavailable() : bench.store.delete(key)),
    };
    await expect(sweep(failing)).rejects.toThrow();
    const later = await upload();
    await expect(sweep(failing)).rejects.toThrow();
    expect(await isStored(later)).toBe(false);
    expect(await sweep()).toBe(100);
  });

  test("a task that is created while its file is removed is refused, before the deletion and after it", async () => {
    const key = await upload();
    const refused: unknown[] = [];
    const beforeAndAfter: ObjectStore = {
      ...bench.store,
      async delete(each) {
        refused.push(await create(each).catch((error: unknown) => error));
        await bench.store.delete(each);
        refused.push(await create(each).catch((error: unknown) => error));
      },
    };
    expect(await sweep(beforeAndAfter)).toBe(1);
    expect(refused).toMatchObject([notFound, notFound]);
    await expect(create(key)).rejects.toMatchObject(notFound);
  });

  test("a task whose file is removed after it was looked up is refused", async () => {
    const key = await upload();
    let lookUps = 0;
    const sweptAfterLookUp: ObjectStore = {
      ...bench.store,
      async stat(each) {
        const found = await bench.store.stat(each);
        if (++lookUps === 1) await sweep();
        return found;
      },
    };
    await expect(create(key, { store: sweptAfterLookUp })).rejects.toMatchObject(notFound);
    expect(await bench.database.query("SELECT FROM bulk_tasks WHERE key = $1", [key])).toEqual([]);
  });

  test("tasks that are created during sweeps of two processes have their file, or are refused", async () => {
    const keys = await Promise.all(Array.from({ length: 40 }, () => upload()));
    const [first, second, ...created] = await Promise.all([
      sweep(),
      sweep(),
      ...keys.map((key) => create(key).catch((error: unknown) => error)),
    ]);
    const tasks = await bench.database.query<{ key: string }>(
      "SELECT key FROM bulk_tasks WHERE key = ANY ($1::text[])",
      [keys],
    );
    const named = new Set(tasks.map(({ key }) => key));
    for (const [at, key] of keys.entries()) {
      expect(await isStored(key), key).toBe(named.has(key));
      if (!named.has(key)) expect(created[at]).toMatchObject(notFound);
    }
    expect(first + second).toBeGreaterThanOrEqual(keys.length - named.size);
    expect(await recorded()).toEqual([]);
  });

  test("a file stays for 24 hours after its form has expired", async () => {
    const young = [await upload({ lifetimeSeconds: 900 }), await upload({ lifetimeSeconds: -23 * hour })];
    expect(await sweep()).toBe(0);
    expect(await Promise.all(young.map(isStored))).toEqual([true, true]);
    expect((await recorded()).sort()).toEqual(young.sort());
  });

  test("a file that a task names stays; a second task of it and one of an earlier version's upload are created", async () => {
    const [key, unrecorded] = [await upload(), await bench.upload([])];
    await create(key);
    await create(key);
    await create(unrecorded);
    expect(await recorded()).not.toContain(key);
    await sweep();
    expect(await Promise.all([key, unrecorded].map(isStored))).toEqual([true, true]);
  });

  test("a request that is refused does not keep the file", async () => {
    const key = await upload();
    await expect(createTask(bench, bench.tenant, { key, appliedAs: "a", kind: "plan" })).rejects.toThrow();
    await expect(
      createTask(bench, bench.tenant, { key, startAt: "2000-01-01T00:00:00Z" }),
    ).rejects.toMatchObject({ name: "ValidationError" });
    expect(await sweep()).toBe(1);
    expect(await isStored(key)).toBe(false);
  });

  test("a task does not keep the upload of another tenant, and a form that was never used leaves no record", async () => {
    const other = await bench.newTenant();
    const key = await upload();
    await noteUpload(bench.database, { tenantId: other.id, key, lifetimeSeconds: 900 });
    const unused = `${other.id}/mass-operations/${"0".repeat(32)}/a.json`;
    await noteUpload(bench.database, { tenantId: other.id, key: unused, lifetimeSeconds: -25 * hour });
    await create(key);
    await sweep();
    expect(await recorded(other)).toEqual([key]);
    await expect(create(key, { tenant: other })).rejects.toMatchObject(notFound);
  });

  test("housekeeping removes them, of every tenant", async () => {
    const tenants: Tenant[] = [await bench.newTenant(), await bench.newTenant()];
    const keys = await Promise.all(tenants.map((tenant) => upload({ tenant })));
    const stop = startHousekeeping(
      { ...bench, logger: silent, sealing: webhookServices().sealing },
      { retentionDays: undefined, planRetentionDays: 1, approvalRetentionDays: 14 },
    );
    await eventually(
      () => Promise.all(keys.map(isStored)),
      (stored) => !stored.includes(true),
    );
    await stop();
    expect(await Promise.all(tenants.map(recorded))).toEqual([[], []]);
  });
});
