import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { eventLoopYield } from "../../src/runner/execute/event-loop-yield.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["performance"] });
});
afterEach(() => {
  vi.useRealTimers();
});

test("yields to the event loop once operations have kept the thread for three milliseconds, not before", async () => {
  const eventLoop = eventLoopYield();
  vi.advanceTimersByTime(2);
  expect(eventLoop.isDue()).toBe(false);
  vi.advanceTimersByTime(1);
  expect(eventLoop.isDue()).toBe(true);
  let served = false;
  setImmediate(() => {
    served = true;
  });
  await eventLoop.yield();
  expect(served).toBe(true);
  expect(eventLoop.isDue()).toBe(false);
});
