import { expect, test } from "vitest";
import { Interrupted, TaskStop } from "../../src/runner/task-stop.ts";
import { LostClaim } from "../../src/storage/bulk-tasks/claims/claimed-task.ts";

const lost = new LostClaim({ tenantId: "t", taskId: "1", owner: "r", epoch: 1 });
const runnerStops = new Interrupted("the runner is stopping");

test("a turn that has passed stops the work only once something was committed in it, in either order", () => {
  const turnFirst = new TaskStop(new AbortController().signal);
  turnFirst.turnHasPassed();
  expect(turnFirst.signal.aborted).toBe(false);
  turnFirst.hasCommitted();
  expect(turnFirst.signal.reason).toEqual(new Interrupted("the time slice has passed"));

  const commitFirst = new TaskStop(new AbortController().signal);
  commitFirst.hasCommitted();
  expect(commitFirst.signal.aborted).toBe(false);
  commitFirst.turnHasPassed();
  expect(commitFirst.signal.reason).toEqual(new Interrupted("the time slice has passed"));
});

test("a lost claim and a stopping runner stop the work immediately, and the first reason remains", () => {
  const runner = new AbortController();
  const lostFirst = new TaskStop(runner.signal);
  lostFirst.stop(lost);
  expect(lostFirst.signal.reason).toBe(lost);
  runner.abort(runnerStops);
  expect(lostFirst.signal.reason).toBe(lost);

  const stoppedFirst = new TaskStop(runner.signal);
  stoppedFirst.stop(lost);
  expect(stoppedFirst.signal.reason).toBe(runnerStops);
});
