import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { FaultPoint } from "../../packages/service/src/app/fault-injection.ts";
import { comparable, finishedTasks, repeated } from "../fixtures/halfway-tasks.ts";
import { copyFixture, type FixtureCopy, fixtures, openFixture } from "../fixtures/open.ts";
import { logFaults } from "../support/logs/operation-log.ts";
import { bothServiceEngines } from "../support/service.ts";

const kills: readonly [FaultPoint, number][] = [
  ["before commit", 1],
  ["after commit", 1],
  ["before commit", 2],
];

describe.each(bothServiceEngines)("an upgrade that is killed while the log is moved, on %s,", (engine) => {
  let copy: FixtureCopy;
  beforeAll(async () => {
    copy = await copyFixture(fixtures.at(-1)!, engine);
  });
  afterAll(() => copy?.remove());

  async function moveUntilKilled(point: FaultPoint, number: number): Promise<void> {
    const where = copy.databaseUrl ?? join(copy.dataDir, "database");
    const program = join(import.meta.dirname, "../support/programs/dying-mover.ts");
    const child = fork(program, [where, point, String(number)]);
    expect((await once(child, "exit"))[1]).toBe("SIGKILL");
  }

  async function counts() {
    const database = await copy.database();
    const [row] = await database.query<{ old: number; moved: number }>(
      `SELECT (SELECT count(*) FROM operation_logs)::int AS old,
         (SELECT coalesce(sum(end_index - first_index), 0)::int FROM operation_log_blocks) AS moved`,
    );
    await database.close();
    return row!;
  }

  test("loses and repeats no entry, and its tasks go on", async () => {
    let moved = 0;
    let all: number | undefined;
    for (const [point, number] of kills) {
      await moveUntilKilled(point, number);
      moved += point === "after commit" ? number : number - 1;
      const now = await counts();
      all ??= now.old;
      expect(now).toEqual({ old: all - now.moved, moved: moved === 0 ? 0 : expect.any(Number) });
      if (moved > 0) expect(now.moved).toBeGreaterThan(0);
    }
    const fixture = await openFixture(copy);
    const [before, ...tasks] = await finishedTasks(fixture.halfway);
    const another = await fixture.newTenant("undisturbed");
    await repeated([before!], another);
    expect(comparable(tasks)).toEqual(comparable(await repeated(tasks, another)));
    for (const { name, query, variables, data } of fixture.recording.reads)
      if (name.startsWith("operationLogs"))
        expect(await fixture.shop.graphql(query, variables)).toEqual(data);
    await fixture.logIsMoved();
    await fixture.close();
    const database = await copy.database();
    const tenants = await database.query<{ id: string }>("SELECT id FROM tenants");
    for (const { id } of tenants) expect(await logFaults(database, id)).toEqual([]);
    await database.close();
  });
});
