import { beforeEach, expect, test } from "vitest";
import type { Context } from "../../src/context.ts";
import { cleanEnvironment, lading } from "../support/lading.ts";
import { token } from "../support/runs.ts";
import { data, type Script, scriptedService } from "../support/scripted-service.ts";
import { basicError, entry, happyScript, scriptedTask } from "../support/scripted-task.ts";

beforeEach(async () => {
  await cleanEnvironment();
});

const undone = { id: "task-2", kind: "undo", ofTask: "task-1", status: "complete" } as const;
const kept = entry(1, {
  ...{ status: "failure", statusCode: 409, errorName: "ChangedSinceError", action: null },
  ...{ message: "The row y of customer groups was changed", errors: null },
});

function scriptOf(progress: object, log = [entry(0)], changes: object = {}): Script {
  const task = { ...undone, progress, ...changes };
  return {
    ...happyScript(() => "", { states: [task], log }),
    UndoTask: () => data({ undoBulkTask: scriptedTask(task) }),
    Changes: ({ action }) => data({ operationLogs: changedPage(action === "deleted") }),
  };
}

const changedPage = (any: boolean) => ({
  pageInfo: { endCursor: null, hasNextPage: false },
  edges: any ? [{ cursor: "0", node: changedOperation }] : [],
});
const changedOperation = {
  ...{ index: 0, intent: "customer/group/upsert", ref: null, action: "deleted", unknownUntilApplied: [] },
  changes: {
    entities: [
      {
        ...{ entity: "customerGroup", key: { identifier: "y" }, action: "deleted" },
        values: [{ pointer: "/name", before: "Y", after: null }],
      },
    ],
    ...{ more: 0, isComplete: true },
  },
};

async function undo(script: Script, args: string[], io: Partial<Context> = {}) {
  const service = await scriptedService(script);
  const words = ["mass-operation", "undo", "task-1", "--tenant", "acme", "--url", service.url, ...args];
  const sent = () => service.received.find(({ operation }) => operation === "UndoTask")?.variables;
  return { ...(await lading([...words, ...token], io)), sent };
}

const all = { total: 2, processed: 2, succeeded: 2, deleted: 2 };

test("nothing is undone without a confirmation", async () => {
  const { code, stderr, sent } = await undo(scriptOf(all), []);
  expect([code, sent()]).toEqual([1, undefined]);
  expect(stderr).toContain("to undo task task-1, add --yes to confirm");
});

test("a task that cannot be undone prints the service's reason", async () => {
  const refused = basicError("undoBulkTask", "it was pruned", "BulkTaskCannotBeUndoneError");
  const { code, stderr } = await undo({ UndoTask: () => refused }, ["--yes"]);
  expect(code).toBe(1);
  expect(stderr).toContain("it was pruned (BulkTaskCannotBeUndoneError)");
});

test("--first and --exit-code without --plan are usage errors", async () => {
  for (const args of [["--first", "3"], ["--exit-code"]]) {
    const { code, stderr, sent } = await undo(scriptOf(all), ["--yes", ...args]);
    expect([code, sent()]).toEqual([1, undefined]);
    expect(stderr).toContain("--first and --exit-code are for --plan");
  }
});

test("an undo names the undone task, and is followed to its end", async () => {
  const { code, stdout, sent } = await undo(scriptOf(all), ["--yes"]);
  expect(code).toBe(0);
  expect(stdout).toContain("Task task-2 undoes task task-1.");
  expect(stdout).toContain("complete, 2 operations: 2 succeeded, 0 partial, 0 failed; 2 deleted");
  expect(sent()).toMatchObject({ id: "task-1", plan: false, idempotencyKey: expect.any(String) });
});

test("operations that were not undone are shown, with exit code 4; a failed undo exits with 3", async () => {
  const progress = { total: 2, processed: 2, succeeded: 1, failed: 1 };
  const partly = await undo(scriptOf(progress, [entry(0), kept]), ["--yes"]);
  expect(partly.code).toBe(4);
  // An undo has no file, so its operations have no position in one.
  expect(partly.stdout).toContain("The row y of customer groups was changed (409 ChangedSinceError)\n");
  const info = { error: "it ran before an upgrade", errorName: "BulkTaskCannotBeUndoneError", stack: null };
  const failed = await undo(scriptOf({ total: 2 }, [], { status: "error", info }), ["--yes"]);
  expect(failed.code).toBe(3);
  expect(failed.stdout).toContain("BulkTaskCannotBeUndoneError: it ran before an upgrade");
});

test("--json prints only the task and the operations that were not undone on standard output", async () => {
  const progress = { total: 2, processed: 2, succeeded: 1, failed: 1 };
  const { code, stdout, stderr } = await undo(scriptOf(progress, [entry(0), kept]), ["--yes", "--json"]);
  expect(code).toBe(4);
  expect(JSON.parse(stdout)).toMatchObject({
    task: { id: "task-2", kind: "undo" },
    problems: [{ index: 1 }],
  });
  expect(stderr).toContain("Task task-2 undoes task task-1.");
});

test("Ctrl-C exits with 130, and says that the undo continues and how to follow it", async () => {
  const interrupt = new AbortController();
  const script = scriptOf({ total: 2 }, [], { status: "running" });
  const { FollowTask } = script;
  script.FollowTask = (variables, nth) => {
    interrupt.abort();
    return FollowTask!(variables, nth);
  };
  const { code, stderr } = await undo(script, ["--yes"], { interrupted: interrupt.signal });
  expect(code).toBe(130);
  expect(stderr).toContain("interrupted. Task task-2 continues in the service.");
  expect(stderr).toContain("to cancel it: lading mass-operation cancel task-2 --tenant acme");
});

test("Ctrl-C while the undo is created says that it may have been", async () => {
  const interrupt = new AbortController();
  const never = () => {
    interrupt.abort();
    return new Promise(() => {}) as never;
  };
  const { code, stderr } = await undo({ UndoTask: never }, ["--yes"], { interrupted: interrupt.signal });
  expect(code).toBe(130);
  expect(stderr).toContain("interrupted; the undo may have been created");
});

const planned = {
  kind: "plan",
  destructive: { deleted: { "customer/group/upsert": 2 }, removed: {}, orphaned: {}, orphanedMore: false },
};

test("--plan asks nothing, and shows removals first, then the changes and a summary", async () => {
  const { code, stdout, stderr, sent } = await undo(scriptOf(all, [entry(0)], planned), [
    "--plan",
    "--first",
    "1",
  ]);
  expect([code, sent()]).toEqual([0, expect.objectContaining({ id: "task-1", plan: true })]);
  expect(stderr).toContain("To undo it: lading mass-operation undo task-1 --tenant acme");
  expect(stdout).toContain(
    [
      "This would remove:",
      "  2 operations of customer/group/upsert",
      "operation 0, customer/group/upsert: deleted",
      '  - customerGroup identifier "y"',
      '      /name: "Y"',
      "Plan of 2 operations: 2 would be deleted",
    ].join("\n"),
  );
});

test("--plan exits with 4 when operations would be kept, and with --exit-code 5 when there are changes", async () => {
  const progress = { total: 2, processed: 2, succeeded: 1, failed: 1, deleted: 1 };
  const script = scriptOf(progress, [entry(0), kept], planned);
  const { code, stdout } = await undo(script, ["--plan", "--json"]);
  expect(code).toBe(4);
  expect(JSON.parse(stdout)).toMatchObject({
    ...{ task: { kind: "plan", ofTask: "task-1" }, changes: [{ action: "deleted" }] },
    problems: [{ errorName: "ChangedSinceError" }],
  });
  expect((await undo(scriptOf(all, [], planned), ["--plan", "--exit-code"])).code).toBe(5);
});
