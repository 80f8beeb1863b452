import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { eventLoopTurns } from "../../src/runner/execute/event-loop-turns.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

test("the event loop gets a turn when operations have kept the thread for three milliseconds, not before", async () => {
  const turns = eventLoopTurns();
  vi.advanceTimersByTime(2);
  expect(turns.isDue()).toBe(false);
  vi.advanceTimersByTime(1);
  expect(turns.isDue()).toBe(true);
  let served = false;
  setImmediate(() => {
    served = true;
  });
  await turns.take();
  expect(served).toBe(true);
  expect(turns.isDue()).toBe(false);
});
