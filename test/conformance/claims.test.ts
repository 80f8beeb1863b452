import { beforeEach, describe, expect, test } from "vitest";
import { advanceCursor } from "../../packages/service/src/storage/bulk-tasks/advance-cursor.ts";
import { claimTask, TenantRotation } from "../../packages/service/src/storage/bulk-tasks/claims/claim.ts";
import {
  type Claim,
  changeClaimed,
  claimIsHeld,
  LostClaim,
  releaseClaim,
} from "../../packages/service/src/storage/bulk-tasks/claims/claimed-task.ts";
import { renewLease } from "../../packages/service/src/storage/bulk-tasks/claims/renew-lease.ts";
import { insertRetry } from "../../packages/service/src/storage/bulk-tasks/create.ts";
import { failTask } from "../../packages/service/src/storage/bulk-tasks/end.ts";
import type { Parameter, Queries } from "../../packages/service/src/storage/database.ts";
import { newId } from "../../packages/service/src/storage/ids.ts";
import { sqlStateOf } from "../../packages/service/src/storage/sql-states.ts";
import { findTask } from "../../packages/service/src/tasks/find.ts";
import { createTenant } from "../../packages/service/src/tenants/create.ts";
import { endTasks, lease, newTenantId, pendingTask, startedTask, validatedTask } from "../support/claims.ts";
import { overlapping } from "../support/concurrency/overlapping.ts";
import { bothEngines } from "../support/engines.ts";
import { opened } from "../support/opened.ts";
import { clusterUrl } from "../support/postgres/create-database.ts";

describe.each(bothEngines)("claims on $name", ({ open }) => {
  let tenantId: string;
  const database = opened(open);
  beforeEach(async () => {
    await endTasks(database);
    tenantId = await newTenantId(database);
  });

  const expire = (id: string) =>
    database.execute("UPDATE bulk_tasks SET lease_until = now() - interval '1 second' WHERE id = $1", [id]);

  test("a pending task cannot be claimed", async () => {
    await pendingTask(database, tenantId);
    expect(await claimTask(database, "a", lease)).toBeUndefined();
  });

  test("a started task is claimed once, to be validated", async () => {
    const id = await startedTask(database, tenantId);
    expect(await claimTask(database, "a", lease)).toMatchObject({
      taskId: id,
      status: "started",
      attempts: 1,
    });
    expect(await claimTask(database, "b", lease)).toBeUndefined();
  });

  test("a validated task is running from the moment it is claimed", async () => {
    const id = await validatedTask(database, tenantId);
    expect(await claimTask(database, "a", lease)).toMatchObject({ taskId: id, status: "running" });
    expect((await findTask(database, tenantId, id))?.status).toBe("running");
  });

  test("of eight concurrent claims one succeeds, for the tenant's oldest task", async () => {
    const first = await validatedTask(database, tenantId);
    for (let i = 0; i < 4; i++) await validatedTask(database, tenantId);
    const claims = await Promise.all(
      Array.from({ length: 8 }, (_, i) => claimTask(database, `r${i}`, lease)),
    );
    expect(claims.filter((claim) => claim !== undefined).map((claim) => claim.taskId)).toEqual([first]);
  });

  test("a task whose start commits late waits for a running later one, and delays no other task", async () => {
    const early = await validatedTask(database, tenantId);
    const late = await validatedTask(database, tenantId);
    const other = (await createTenant(database, { identifier: `t-${newId()}` })).tenant;
    const theirs = await validatedTask(database, other.id);
    const hide = (hidden: boolean) =>
      database.execute(
        `UPDATE bulk_tasks SET status = ${hidden ? "'error', ended_at = now(), error_name = 'x'" : "'started', ended_at = NULL"} WHERE id = $1`,
        [early],
      );
    await hide(true);
    expect((await claimTask(database, "a", lease))?.taskId).toBe(late);
    await hide(false);
    expect((await findTask(database, tenantId, early))?.progress.waitingFor).toContain(late);
    expect((await claimTask(database, "b", lease))?.taskId).toBe(theirs);
    await expire(late);
    expect((await claimTask(database, "b", lease))?.taskId).toBe(late);
  });

  test("a task waits for an earlier one that is still being validated, and names it", async () => {
    const first = await startedTask(database, tenantId);
    const second = await validatedTask(database, tenantId);
    expect((await claimTask(database, "a", lease))?.taskId).toBe(first);
    expect(await claimTask(database, "b", lease)).toBeUndefined();
    const waiting = await findTask(database, tenantId, second);
    expect(waiting?.progress.waitingFor).toContain(first);
  });

  test("tasks of different tenants run concurrently", async () => {
    const other = await newTenantId(database);
    await validatedTask(database, tenantId);
    await validatedTask(database, other);
    const claims = [await claimTask(database, "a", lease), await claimTask(database, "b", lease)];
    expect(claims.map((claim) => claim?.tenantId)).toEqual([tenantId, other]);
  });

  /** Maximum number of rows that one step of a claim reads, after some claims. */
  async function mostRows(): Promise<number> {
    await database.execute("ANALYZE bulk_tasks");
    const asked: { sql: string; parameters: readonly Parameter[] }[] = [];
    const watched: Queries = {
      ...database,
      query: (sql, parameters = []) => {
        asked.push({ sql, parameters });
        return database.query(sql, parameters);
      },
    };
    const rotation = new TenantRotation();
    for (let i = 0; i < 3; i++)
      expect(await claimTask(watched, "a", lease, undefined, rotation)).toBeDefined();
    expect(asked).toHaveLength(3);
    const { sql, parameters } = asked[2] as (typeof asked)[0];
    const plan = await database.query<{ "QUERY PLAN": string }>(
      `EXPLAIN (ANALYZE, COSTS false, TIMING false) ${sql}`,
      parameters,
    );
    const rows = plan.flatMap((line) =>
      [...line["QUERY PLAN"].matchAll(/rows=([\d.]+)|Removed by .*: (\d+)/g)].map((m) =>
        Number(m[1] ?? m[2]),
      ),
    );
    expect(rows.length).toBeGreaterThan(10);
    return Math.max(...rows);
  }
  const fewRows = 20;

  // A cluster is asked for the tenants first, and then for the tasks of one.
  const onOneServer = test.skipIf(clusterUrl !== undefined);

  onOneServer("a claim reads few rows, however many tasks wait or have ended", async () => {
    const insert = (status: string, validated: string) =>
      database.execute(
        `INSERT INTO bulk_tasks (tenant_id, id, type, status, key, etag, start_order, total, validated_at, ended_at, error_name)
         SELECT $1, '${status}${validated === "NULL"}' || n, 'massOperation', '${status}', 'k', 'e',
           nextval('bulk_task_start_order'), 1, ${validated}, ${status === "error" ? "now(), 'x'" : "NULL, NULL"}
         FROM generate_series(1, 2000) n`,
        [tenantId],
      );
    await insert("error", "now()");
    await insert("started", "now()");
    await insert("started", "NULL");
    expect(await mostRows()).toBeLessThan(fewRows);
  });

  onOneServer.each(["NULL", "now()"])(
    "a claim reads few rows, however many tenants wait (validated: %s)",
    async (validated) => {
      await database.execute(
        `INSERT INTO tenants (id, identifier, name, root_item_id, limits)
       SELECT id || n, id || n, name, root_item_id, limits FROM tenants, generate_series(1, 2000) n WHERE id = $1`,
        [tenantId],
      );
      await database.execute(
        `INSERT INTO bulk_tasks (tenant_id, id, type, status, key, etag, start_order, total, validated_at)
       SELECT $1 || n, 'x' || n, 'massOperation', 'started', 'k', 'e', nextval('bulk_task_start_order'), 1, ${validated}
       FROM generate_series(1, 2000) n`,
        [tenantId],
      );
      expect(await mostRows()).toBeLessThan(fewRows);
    },
  );

  test("the database refuses a second running task of a tenant", async () => {
    await validatedTask(database, tenantId);
    const second = await validatedTask(database, tenantId);
    await claimTask(database, "a", lease);
    const force = database.execute("UPDATE bulk_tasks SET status = 'running' WHERE id = $1", [second]);
    await expect(force).rejects.toSatisfy((error) => sqlStateOf(error) === "23505");
  });

  test("a dead runner's task resumes at its cursor, and the dead runner can no longer commit", async () => {
    const id = await validatedTask(database, tenantId);
    const dead = (await claimTask(database, "dead", lease)) as Claim;
    const executed = [1, 2].map(() => ({ status: "success", action: "created" }) as const);
    await advanceCursor(database, dead, { found: 0, index: 2, offset: 50, lease, executed });
    await expire(id);
    const taken = await claimTask(database, "alive", lease);
    expect(taken).toMatchObject({ taskId: id, cursorIndex: 2, cursorOffset: 50, epoch: dead.epoch + 1 });
    await expect(
      advanceCursor(database, dead, { found: 2, index: 3, offset: 75, lease, executed: executed.slice(1) }),
    ).rejects.toThrow(LostClaim);
    await expect(renewLease(database, dead, lease)).rejects.toThrow(LostClaim);
    await expect(releaseClaim(database, dead)).rejects.toThrow(LostClaim);
  });

  test("a renewal that waited for a batch does not shorten the lease that the batch has extended", async () => {
    const id = await validatedTask(database, tenantId);
    const claim = (await claimTask(database, "a", lease)) as Claim;
    await database.execute(
      "UPDATE bulk_tasks SET lease_until = '2100-01-01' WHERE tenant_id = $1 AND id = $2",
      [tenantId, id],
    );
    await renewLease(database, claim, lease);
    const left = "SELECT lease_until = '2100-01-01' AS kept FROM bulk_tasks WHERE tenant_id = $1 AND id = $2";
    expect(await database.query(left, [tenantId, id])).toEqual([{ kept: true }]);
  });

  test("after two claims without a commit in between, operations are executed one at a time", async () => {
    const id = await validatedTask(database, tenantId);
    for (const attempts of [1, 2, 2]) {
      expect((await claimTask(database, "a", lease))?.attempts).toBe(attempts);
      await expire(id);
    }
  });

  /** A plan, and a claimed run that follows it. */
  async function claimedRun() {
    const [plan, run] = [await pendingTask(database, tenantId), await validatedTask(database, tenantId)];
    await database.execute("UPDATE bulk_tasks SET kind = 'plan', last_run = $2 WHERE id = $1", [plan, run]);
    await database.execute("UPDATE bulk_tasks SET of_task = $2 WHERE id = $1", [run, plan]);
    const followedBy = async () => (await findTask(database, tenantId, plan))?.followedBy;
    return { plan, run, claim: (await claimTask(database, "a", lease)) as Claim, followedBy };
  }

  test("a run that its runner loses while it fails keeps its plan", async () => {
    const { run, claim, followedBy } = await claimedRun();
    const failing = overlapping(
      database,
      ({ transaction }) =>
        transaction((queries) =>
          queries.execute("UPDATE bulk_tasks SET epoch = epoch + 1 WHERE id = $1", [run]),
        ),
      (other) => failTask(other, claim, { error: "gone", errorName: "ObjectMissing" }),
    );
    await expect(failing).rejects.toThrow(LostClaim);
    expect(await followedBy()).toBe(run);
  });

  test.each([null, "UNDO"] as const)(
    "a run that fails gives its plan to another whose retry is created meanwhile (onFailure: %s)",
    async (onFailure) => {
      const { plan, claim, followedBy } = await claimedRun();
      const earlier = await validatedTask(database, tenantId);
      const ended = "status = 'error', ended_at = now(), error_name = 'x'";
      await database.execute(`UPDATE bulk_tasks SET ${ended}, of_task = $2 WHERE id = $1`, [earlier, plan]);
      const limits = { maxFailures: null, holdAfter: null, holdOnFailures: null };
      const retry = { tenantId, id: newId(), ofTask: earlier, include: ["FAILED"], toExecute: 1 } as const;
      const rest = { ...limits, autoStart: false, idempotencyKey: null, createdBy: "operator" };
      await overlapping(
        database,
        ({ transaction }) => transaction((queries) => insertRetry(queries, { ...retry, ...rest }, [earlier])),
        (other) => failTask(other, { ...claim, onFailure }, { error: "gone", errorName: "ObjectMissing" }),
      );
      expect(await followedBy()).toBe(earlier);
    },
  );

  test("the next task begins after a failed one", async () => {
    const first = await validatedTask(database, tenantId);
    const second = await validatedTask(database, tenantId);
    const claim = (await claimTask(database, "a", lease)) as Claim;
    await failTask(database, claim, { error: "gone", errorName: "ObjectMissing", details: "It was there." });
    expect((await findTask(database, tenantId, first))?.info).toEqual({
      error: "gone",
      errorName: "ObjectMissing",
      stack: expect.stringMatching(
        /^It was there\.\nEnded at 20[-\d]{8}T[:.\d]{12}Z before \/operations\/0: 0 of \d+ operations had been executed$/,
      ),
    });
    expect((await claimTask(database, "a", lease))?.taskId).toBe(second);
  });

  test.each([
    ["a task that completes before its last operation", "status = 'complete', ended_at = now()"],
    ["counters that do not add up to the cursor", "cursor_index = 2, succeeded = 1, created = 1"],
    [
      "actions that do not add up to what succeeded",
      "cursor_index = 2, succeeded = 1, partial = 1, updated = 1",
    ],
    ["an error without a name", "status = 'error', ended_at = now(), owner = NULL, lease_until = NULL"],
    ["an unknown status", "status = 'paused'"],
  ])("the database refuses %s", async (_, assignments) => {
    await validatedTask(database, tenantId);
    const claim = (await claimTask(database, "a", lease)) as Claim;
    const statement = `UPDATE bulk_tasks SET ${assignments} WHERE ${claimIsHeld}`;
    await expect(changeClaimed(database, claim, statement)).rejects.toSatisfy(
      (e) => sqlStateOf(e) === "23514",
    );
  });
});
