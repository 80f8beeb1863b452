import { afterEach, describe, expect, test } from "vitest";
import { keepLease } from "../../packages/service/src/runner/schedule/keep-claim.ts";
import { openScheduler } from "../../packages/service/src/runner/schedule/scheduler.ts";
import { planLimits } from "../../packages/service/src/runner/services.ts";
import { silentTelemetry } from "../../packages/service/src/runner/telemetry.ts";
import {
  DeadlyPosition,
  readingAttempts,
  readingPosition,
} from "../../packages/service/src/runner/validate/reading-position.ts";
import { validateTask } from "../../packages/service/src/runner/validate/validate-task.ts";
import { claimTask } from "../../packages/service/src/storage/bulk-tasks/claims/claim.ts";
import type { ClaimedTask } from "../../packages/service/src/storage/bulk-tasks/claims/claimed-task.ts";
import { renewLease } from "../../packages/service/src/storage/bulk-tasks/claims/renew-lease.ts";
import { engines } from "../support/engines.ts";
import { imageFetcher } from "../support/images/fetcher.ts";
import { opened } from "../support/opened.ts";
import { eventually, openRunnerBench, type RunnerBench, silent } from "../support/runner.ts";

const lease = 60_000;
const group = (identifier: string) => ({ intent: "customer/group/upsert", identifier, name: "n" });

/** Some 1.5 MiB, most of it white space. */
const file = `{"version": "1.0.0", "operations": [${Array.from(
  { length: 24 },
  (_, i) => " ".repeat(64 * 1024) + JSON.stringify(group(`g${i}`)),
).join()}]}`;

class Killed extends Error {}

describe.each(engines)("a validation whose process is killed on $name", ({ open }) => {
  const bench = opened(() => openRunnerBench(open));
  afterEach(() => bench.stopRunners());

  const claim = async () => (await claimTask(bench.database, "r", lease)) as ClaimedTask;
  const expire = () =>
    bench.database.execute(
      "UPDATE bulk_tasks SET lease_until = now() - interval '1 second' WHERE owner IS NOT NULL",
    );

  const services = (store: RunnerBench["store"]) => ({
    database: bench.database,
    store,
    lease,
    logger: silent,
    images: imageFetcher(store),
    turn: lease,
    planLimits,
    scheduler: openScheduler({ oneAtATime: false, busy: () => false }),
    telemetry: silentTelemetry,
    onRowsWritten: async () => {},
  });

  /** Claims the task, reads its file up to a byte and then abandons the claim. Returns the error. */
  async function killedAt(byte: number): Promise<unknown> {
    const store = {
      ...bench.store,
      async *read(key: string, options?: object) {
        let left = byte;
        for await (const chunk of bench.store.read(key, options)) {
          for (let at = 0; at < chunk.length; at += 10_000) {
            const part = chunk.subarray(at, Math.min(at + 10_000, chunk.length));
            if (part.length > left) throw new Killed();
            left -= part.length;
            yield part;
          }
        }
      },
    };
    const task = await claim();
    const parts = services(store);
    const never = new AbortController().signal;
    const error = await validateTask(parts, task, readingPosition(parts, task), never).catch(
      (error) => error,
    );
    await expire();
    return error;
  }

  test("a task whose validation is killed at a different position each time is executed in the end", async () => {
    const id = await bench.start(file);
    const locations = [300, 200, 100, 280, 90, 280, 1_200, 500, 0].map((kilobytes) => kilobytes * 1_000);
    for (const location of locations) expect(await killedAt(location)).toBeInstanceOf(Killed);
    await bench.runner();
    expect(await bench.ended(id)).toMatchObject({ status: "complete", progress: { succeeded: 24 } });
  });

  test("a task whose validation is killed too often at one known position ends in error there", async () => {
    const id = await bench.start(file);
    for (let kills = 0; kills <= readingAttempts; kills++)
      expect(await killedAt(700_000)).toBeInstanceOf(Killed);
    expect(await killedAt(800_000)).toBeInstanceOf(DeadlyPosition);
    await bench.runner();
    const { status, info } = await bench.ended(id);
    expect({ status, name: info?.errorName }).toEqual({ status: "error", name: "InternalError" });
    expect(info?.error).toContain(`ended ${readingAttempts} times at the same position while reading it`);
  });

  test("a task whose validation is killed too often before its first known position ends in error", async () => {
    const id = await bench.start(file);
    for (let kills = 0; kills < readingAttempts; kills++)
      expect(await killedAt(20_000)).toBeInstanceOf(Killed);
    await bench.runner();
    expect((await bench.ended(id)).info?.errorName).toBe("InternalError");
  });

  test("a runner records its position whenever it renews the lease", async () => {
    const id = await bench.start(file);
    const task = await claim();
    const stop = keepLease({ ...services(bench.store), lease: 150 }, task, { offset: 1_000_000 }, () => {});
    const offset = async () =>
      (
        await bench.database.query<{ at: number }>("SELECT read_offset AS at FROM bulk_tasks WHERE id = $1", [
          id,
        ])
      )[0]?.at;
    expect(await eventually(offset, (at) => at !== 0)).toBe(1_000_000);
    stop();
    await expire();
    await bench.runner();
    await bench.ended(id);
  });

  test("the recorded position of a validation never decreases", async () => {
    const id = await bench.start(file, { autoStart: true });
    const state = async () =>
      (await bench.database.query("SELECT attempts, read_offset FROM bulk_tasks WHERE id = $1", [id]))[0];
    expect(await killedAt(20_000)).toBeInstanceOf(Killed);
    const task = await claim();
    expect(task.attempts).toBe(2);
    await renewLease(bench.database, task, lease, 0);
    expect(await state()).toEqual({ attempts: 2, read_offset: 0 });
    await renewLease(bench.database, task, lease, 1_000_000);
    await renewLease(bench.database, task, lease, 500_000);
    expect(await state()).toEqual({ attempts: 1, read_offset: 1_000_000 });
    await expire();
    expect(await claim()).toMatchObject({ attempts: 1, readOffset: 1_000_000 });
  });
});
