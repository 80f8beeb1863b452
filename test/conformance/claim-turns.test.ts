import { beforeEach, describe, expect, test } from "vitest";
import {
  type Claimable,
  claimTask,
  TenantRotation,
} from "../../packages/service/src/storage/bulk-tasks/claims/claim.ts";
import type { Claim } from "../../packages/service/src/storage/bulk-tasks/claims/claimed-task.ts";
import { failTask } from "../../packages/service/src/storage/bulk-tasks/end.ts";
import { endTasks, lease, newTenantId, startedTask, validatedTask } from "../support/claims.ts";
import { bothEngines } from "../support/engines.ts";
import { opened } from "../support/opened.ts";

describe.each(bothEngines)("turns of tenants on $name", ({ open }) => {
  let tenantId: string;
  const database = opened(open);
  beforeEach(async () => {
    await endTasks(database);
    tenantId = await newTenantId(database);
  });

  const claimed = async (count: number, wanted: Claimable) => {
    const tasks: (string | undefined)[] = [];
    const rotation = new TenantRotation();
    for (let i = 0; i < count; i++)
      tasks.push((await claimTask(database, "a", lease, wanted, rotation))?.taskId);
    return tasks;
  };
  const validateOnly = { execute: "none", plan: "none", validate: true } as const;

  test("tenants take turns with their files", async () => {
    const mine = [
      await startedTask(database, tenantId),
      await startedTask(database, tenantId),
      await startedTask(database, tenantId),
    ];
    const other = await newTenantId(database);
    const theirs = [await startedTask(database, other), await startedTask(database, other)];
    const expected = [mine[0], theirs[0], mine[1], theirs[1], mine[2], undefined];
    expect(await claimed(6, validateOnly)).toEqual(expected);
  });

  test("tenants take turns with their tasks, whatever the number or age of the tasks", async () => {
    const mine = [await validatedTask(database, tenantId), await validatedTask(database, tenantId)];
    const other = await newTenantId(database);
    const theirs = await validatedTask(database, other);
    const rotation = new TenantRotation();
    const end = async () => {
      const claim = (await claimTask(database, "a", lease, undefined, rotation)) as Claim;
      await failTask(database, claim, { error: "x", errorName: "x" });
      return claim.taskId;
    };
    expect([await end(), await end(), await end()]).toEqual([mine[0], theirs, mine[1]]);
  });

  test("a short task that jumps the queue costs no tenant its turn", async () => {
    await validatedTask(database, tenantId);
    const other = await newTenantId(database);
    const theirs = await validatedTask(database, other);
    const last = await newTenantId(database);
    const short = await validatedTask(database, last);
    await database.execute("UPDATE bulk_tasks SET total = 5000 WHERE id <> $1", [short]);
    const rotation = new TenantRotation();
    const claim = async (execute: "any" | "short") =>
      (await claimTask(database, "a", lease, { execute, plan: "none", validate: false }, rotation))?.taskId;
    await claim("any");
    expect([await claim("short"), await claim("any"), await claim("any")]).toEqual([
      short,
      theirs,
      undefined,
    ]);
  });

  test("at most four files of one tenant are validated at a time, which leaves slots to others", async () => {
    const tasks = [];
    for (let i = 0; i < 6; i++) tasks.push(await startedTask(database, tenantId));
    expect(await claimed(5, validateOnly)).toEqual([...tasks.slice(0, 4), undefined]);
    await database.execute("UPDATE bulk_tasks SET validated_at = now(), total = 1 WHERE id = $1", [
      tasks[1] as string,
    ]);
    expect(await claimed(2, validateOnly)).toEqual([tasks[4], undefined]);
  });

  test("a plan waits only for other plans of its tenant", async () => {
    const run = await validatedTask(database, tenantId);
    const plans = [await validatedTask(database, tenantId), await validatedTask(database, tenantId)];
    await database.execute("UPDATE bulk_tasks SET kind = 'plan' WHERE id = ANY ($1::text[])", [plans]);
    const claim = async (wanted: Partial<Claimable>) =>
      await claimTask(database, "a", lease, { execute: "none", plan: "none", validate: false, ...wanted });
    const planning = await claim({ plan: "any" });
    expect(planning).toMatchObject({ taskId: plans[0], kind: "plan", status: "running" });
    expect(await claim({ plan: "any" })).toBeUndefined();
    expect((await claim({ execute: "any" }))?.taskId).toBe(run);
    expect(await claim({ execute: "any" })).toBeUndefined();
    await failTask(database, planning as Claim, { error: "x", errorName: "x" });
    expect((await claim({ plan: "short" }))?.taskId).toBe(plans[1]);
  });

  test("only a short plan is claimed while another one runs", async () => {
    const plan = await validatedTask(database, tenantId);
    await database.execute("UPDATE bulk_tasks SET kind = 'plan', total = 1001 WHERE id = $1", [plan]);
    const shortOnly = { execute: "none", plan: "short", validate: false } as const;
    expect(await claimTask(database, "a", lease, shortOnly)).toBeUndefined();
    await database.execute("UPDATE bulk_tasks SET total = 1000 WHERE id = $1", [plan]);
    expect((await claimTask(database, "a", lease, shortOnly))?.taskId).toBe(plan);
  });
});
