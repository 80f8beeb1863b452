import { pino } from "pino";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { watchTurn } from "../../src/runner/schedule/keep-claim.ts";
import type { ClaimedTask } from "../../src/storage/bulk-tasks/claims/claimed-task.ts";
import type { Database } from "../../src/storage/database.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("a runner looks for waiting tasks only after its turn, and stops looking once there is one", async () => {
  const waiting: object[] = [];
  const query = vi.fn(async () => waiting);
  const onPassed = vi.fn();
  // Only `query` is called.
  const services = {
    database: { query } as unknown as Database,
    turn: 5_000,
    logger: pino({ level: "silent" }),
  };
  const stopWatching = watchTurn(services, { status: "running" } as ClaimedTask, onPassed);

  await vi.advanceTimersByTimeAsync(4_999);
  expect(query).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1_000);
  expect(query.mock.calls.length).toBeGreaterThan(1);
  expect(onPassed).not.toHaveBeenCalled();
  waiting.push({});
  await vi.advanceTimersByTimeAsync(500);
  const { length } = query.mock.calls;
  await vi.advanceTimersByTimeAsync(10_000);
  expect(query.mock.calls).toHaveLength(length);
  expect(onPassed).toHaveBeenCalledOnce();
  stopWatching();
});
