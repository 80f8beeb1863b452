import { beforeEach, expect, test } from "vitest";
import { cleanEnvironment, lading } from "../support/lading.ts";
import { data, type Script, scriptedService } from "../support/scripted-service.ts";
import { basicError, scriptedTask } from "../support/scripted-task.ts";

beforeEach(async () => {
  await cleanEnvironment();
});

const token = ["--token-id", "i", "--token-secret", "s"];

async function command(script: Script, ...args: string[]) {
  const service = await scriptedService(script);
  return { ...(await lading([...args, "--url", service.url, ...token])), service };
}

/** Serves a list of tasks by pages; cursors are positions. */
const listing = (total: number): Script => ({
  ListTasks: ({ first, after }) => {
    const start = Number(after);
    const end = Math.min(start + Number(first), total);
    const tasks = Array.from({ length: end - start }, (_, index) =>
      scriptedTask({ id: `task-${start + index}`, status: "running" }),
    );
    const pageInfo = { endCursor: String(end), hasNextPage: end < total };
    return data({ bulkTasks: { pageInfo, edges: tasks.map((node) => ({ node })) } });
  },
});

test.each(["0", "10001", "many", "-1"])("list refuses the limit %s", async (limit) => {
  const { code, stderr, service } = await command({}, "mass-operation", "list", "acme", `--limit=${limit}`);
  expect([code, service.received]).toEqual([1, []]);
  expect(stderr).toContain("it must be a whole number from 1 to 10000");
});

test("list asks for as many tasks as are wanted, page by page, with the filter", async () => {
  const flags = ["--limit", "130", "--status", "running", "--json"];
  const { stdout, service } = await command(listing(500), "mass-operation", "list", "acme", ...flags);
  expect(JSON.parse(stdout)).toHaveLength(130);
  expect(service.received.map(({ variables }) => variables)).toEqual([
    { status: "running", held: false, first: 100, after: "" },
    { status: "running", held: false, first: 30, after: "100" },
  ]);
  const held = await command(listing(1), "mass-operation", "list", "acme", "--status", "held");
  expect(held.service.received[0]?.variables).toEqual({ held: true, first: 20, after: "" });
});

test("list shows a held task as held, and distinguishes failed from partial by colour", async () => {
  const progress = { total: 72, processed: 10 };
  const tasks = [
    scriptedTask({ heldAt: "2030-01-31T12:00:05.000Z", progress }),
    scriptedTask({ status: "complete", progress: { ...progress, partial: 1 } }),
    scriptedTask({ status: "complete", progress: { ...progress, failed: 2 } }),
  ];
  const pageInfo = { endCursor: "3", hasNextPage: false };
  const service = await scriptedService({
    ListTasks: () => data({ bulkTasks: { pageInfo, edges: tasks.map((node) => ({ node })) } }),
  });
  const args = ["mass-operation", "list", "acme", "--url", service.url, ...token];
  const { stdout } = await lading(args, { stdout: { isTTY: true } as never });
  expect(stdout.replaceAll("\u001b", "ESC").split("\n").slice(1)).toEqual([
    "task-1  run   held      2030-01-31T12:00:00.000Z       10/72        0       0",
    "task-1  run   complete  2030-01-31T12:00:00.000Z       10/72        ESC[33m1ESC[39m       0",
    "task-1  run   complete  2030-01-31T12:00:00.000Z       10/72        0       ESC[31m2ESC[39m",
    "",
  ]);
});

test("list prints a task a line, and says that there may be more", async () => {
  const ended = {
    status: "complete",
    startedAt: "2030-01-31T12:00:00.000Z",
    endedAt: "2030-01-31T12:00:07.500Z",
    progress: { total: 3_000, processed: 3_000, failed: 1 },
  } as const;
  const tasks = [scriptedTask({ progress: { processed: 40 } }), scriptedTask(ended)];
  const pageInfo = { endCursor: "2", hasNextPage: true };
  const script = {
    ListTasks: () => data({ bulkTasks: { pageInfo, edges: tasks.map((node) => ({ node })) } }),
  };
  const { stdout, stderr } = await command(script, "mass-operation", "list", "acme", "--limit", "2");
  expect(stdout.split("\n").map((row) => row.replaceAll(/ +/g, " "))).toEqual([
    "task kind status created operations partial failed took",
    "task-1 run running 2030-01-31T12:00:00.000Z 40/? 0 0",
    "task-1 run complete 2030-01-31T12:00:00.000Z 3,000 0 1 7.5 s",
    "",
  ]);
  expect(stderr).toBe("These are the newest 2; --limit lists more.\n");
});

const details = {
  ...scriptedTask({
    status: "complete",
    startedAt: "2030-01-31T12:00:02.000Z",
    endedAt: "2030-01-31T12:00:12.000Z",
    warningCount: 1,
    progress: { total: 80, processed: 80, succeeded: 80 },
  }),
  ...{
    type: "massOperation",
    key: "uploads/k1",
    sha256: null,
    strict: false,
    maxFailures: null,
    holdAfter: null,
    holdOnFailures: null,
  },
  prunedAt: null,
  execution: {
    startedAt: "2030-01-31T12:00:04.000Z",
    updatedAt: "2030-01-31T12:00:12.000Z",
    finishedAt: "2030-01-31T12:00:12.000Z",
    operationsPerSecond: 10,
    secondsLeft: null,
  },
};

test("task show of an unknown task is the service's named error", async () => {
  const script = { ShowTask: () => basicError("bulkTask", "no such task", "BulkTaskNotFoundError") };
  const { code, stdout } = await command(script, "task", "show", "t", "--tenant", "acme", "--json");
  expect(code).toBe(1);
  expect(JSON.parse(stdout)).toMatchObject({ errorName: "BulkTaskNotFoundError", exitCode: 1 });
});

test("task show prints progress, timings, settings and the number of issues", async () => {
  const script = { ShowTask: () => data({ bulkTask: details }) };
  const { stdout } = await command(script, "task", "show", "task-1", "--tenant", "acme");
  expect(stdout.split("\n")).toEqual([
    "task             task-1",
    "tenant           acme",
    "type             massOperation",
    "kind             run",
    "status           complete",
    "progress         80 of 80 operations",
    "speed            10 operations/s",
    "created          2030-01-31T12:00:00.000Z",
    "started          2030-01-31T12:00:02.000Z (2 s after its creation)",
    "first operation  2030-01-31T12:00:04.000Z (2 s of checking the file and waiting for its turn)",
    "last commit      2030-01-31T12:00:12.000Z (8 s of execution)",
    "ended            2030-01-31T12:00:12.000Z (10 s in total)",
    "file             uploads/k1",
    "issues           0 errors, 1 warning",
    "strict           no",
    "max failures     no limit",
    "",
  ]);
});
