import { beforeEach, expect, test, vi } from "vitest";
import { cleanEnvironment, lading, writeInto } from "./support/lading.ts";
import { complete, operations, serviceWith, token } from "./support/runs.ts";
import { entry, happyScript, type ScriptedTask } from "./support/scripted-task.ts";

let folder: string;
let file: string;

beforeEach(async () => {
  folder = await cleanEnvironment();
  file = await writeInto(folder, "shop.json", { version: "1.0.0", operations });
});

function run(service: { url: string }, ...more: string[]) {
  return lading(["mass-operation", "run", "acme", file, "--url", service.url, ...token, ...more]);
}

test("the outcome counts operations by action, where the service has the counts", async () => {
  const counts = { created: 0, updated: 1_000, unchanged: 2, deleted: 0, published: 0, unpublished: 0 };
  const progress = { total: 1_002, processed: 1_002, succeeded: 1_002, ...counts };
  const { stdout } = await run(await serviceWith({ states: [{ status: "complete", progress }] }));
  expect(stdout).toContain("1,002 succeeded, 0 partial, 0 failed; 1,000 updated, 2 unchanged\n");
});

test("operations that did not succeed are shown with number, intent, _ref and message, and end with code 4", async () => {
  const log = [
    entry(0),
    entry(1, {
      status: "failure",
      statusCode: 404,
      errorName: "ItemNotFoundError",
      ref: "shoe",
      message: "no\u001b[31m item",
    }),
    entry(2, { status: "partial", statusCode: 206, intent: "item/publish", message: "1 of 2" }),
  ];
  const progress = { total: 3, processed: 3, succeeded: 1, partial: 1, failed: 1 };
  const { code, stdout } = await run(await serviceWith({ states: [{ status: "complete", progress }], log }));
  expect(code).toBe(4);
  expect(stdout).toContain(
    "failure operation 1, customer/upsert, _ref shoe: no [31m item (404 ItemNotFoundError) at /operations/1\n",
  );
  expect(stdout).toContain("partial operation 2, item/publish: 1 of 2 (206) at /operations/2\n");
  expect(stdout).toContain("complete, 3 operations: 1 succeeded, 1 partial, 1 failed\n");
  expect(stdout).toMatch(/customer\/upsert +1 +0 +1\nitem\/publish +0 +1 +0\n/);
});

const noItem = (index: number) =>
  entry(index, { status: "failure", statusCode: 404, message: `no item "${index}"` });

const manyFailures = {
  states: [{ status: "complete", progress: { total: 9, processed: 9, failed: 8, partial: 1 } }],
  log: [...[0, 1, 2, 3, 4, 5, 6, 7].map(noItem), entry(8, { status: "partial", message: "1 of 2" })],
} satisfies ScriptedTask;

test("the first three failures of a cause are shown as they arrive, their number at the end", async () => {
  const { stdout, stderr } = await run(await serviceWith(manyFailures));
  expect(stdout.match(/^failure operation \d.*/gm)).toEqual(
    [0, 1, 2].map((i) => `failure operation ${i}, customer/upsert: no item "${i}" (404) at ${pointer(i)}`),
  );
  expect(stdout).toMatch(
    /^partial operation 8.*\n8 failures: no item "…" \(such as operations 0, 1, 2\)\nintent /m,
  );
  expect(stderr).toContain("logs task-1 --tenant acme");
  expect(stderr).toContain("--status failure --all\n");
});

const pointer = (index: number) => (index === 0 ? `${file}:1:34 /operations/0` : `/operations/${index}`);

test("--all shows each failure as it arrives", async () => {
  const { stdout } = await run(await serviceWith(manyFailures), "--all");
  expect(stdout.match(/^(failure|partial) operation \d/gm)).toHaveLength(9);
  expect(stdout).not.toContain("such as operations");
});

test("--json lists each failure", async () => {
  const { stdout } = await run(await serviceWith(manyFailures), "--json");
  expect(JSON.parse(stdout).problems).toHaveLength(9);
});

test("Ctrl-C prints the failures so far by cause", async () => {
  const controller = new AbortController();
  const { states, log } = { ...manyFailures, states: [{}] };
  const script = happyScript(() => "", { states, log }).FollowTask;
  const FollowTask = (variables: Record<string, unknown>, nth: number) => {
    if (nth === Math.ceil(log.length / 2)) controller.abort();
    return script?.(variables, nth) ?? "hang up";
  };
  const service = await serviceWith({ states: [] }, { FollowTask });
  const args = ["mass-operation", "run", "acme", file, "--url", service.url, ...token];
  const { code, stdout } = await lading(args, { interrupted: controller.signal });
  expect(code).toBe(130);
  expect(stdout).toContain('8 failures: no item "…" (such as operations 0, 1, 2)\n');
});

test("run --quiet of a task that is held prints the command that resumes it", async () => {
  const states = [{ heldAt: "2030-01-31T12:00:00.000Z", progress: { total: 2, processed: 1, succeeded: 1 } }];
  const { code, stdout, stderr } = await run(await serviceWith({ states }), "--hold-after", "1", "--quiet");
  expect([code, stderr]).toEqual([6, ""]);
  expect(stdout).toMatch(/^To resume: (npx )?lading mass-operation resume task-1 --tenant acme/m);
});

test("run exits with 6 when the task is held, and says how to resume it", async () => {
  const progress = { total: 200, processed: 100, succeeded: 100 };
  const states = [
    { progress },
    { heldAt: "2030-01-31T12:00:00.000Z", progress },
  ] satisfies ScriptedTask["states"];
  const service = await serviceWith({ states, log: [entry(0)] });
  const { code, stdout, stderr } = await run(service, "--hold-after", "100", "--hold-on-failures", "3");
  expect(code).toBe(6);
  expect(stdout).toContain("held, 100 operations: 100 succeeded, 0 partial, 0 failed\n");
  expect(stderr).toMatch(/To resume: (npx )?lading mass-operation resume task-1 --tenant acme/);
  const create = service.received.find(({ operation }) => operation === "CreateTask");
  expect(create?.variables).toMatchObject({ holdAfter: 100, holdOnFailures: 3 });
});

test.each(["--hold-after", "--hold-on-failures"])("%s of 0 is a usage error", async (flag) => {
  const { code, stderr } = await run({ url: "http://127.0.0.1:1" }, flag, "0");
  expect(code).toBe(1);
  expect(stderr).toContain("It must be 1 or more.");
});

test("a task that waits for a held one prints the command that resumes that one, once", async () => {
  const progress = { waitingFor: "bulk task task-0, which was started earlier and is held" };
  const states = [{ status: "started", progress }, { status: "started", progress }, complete] as const;
  const { stdout } = await run(await serviceWith({ states: [...states] }));
  expect(stdout.match(/^To resume that one: .*$/gm)).toEqual([
    expect.stringMatching(/lading mass-operation resume task-0 --tenant acme/),
  ]);
});

test.each(["--quiet", "--json"])(
  "with %s, the command that resumes a held task ahead is on stderr",
  async (flag) => {
    const progress = { waitingFor: "bulk task task-0, which was started earlier and is held" };
    const states = [{ status: "started", progress }, complete] as const;
    const { stderr } = await run(await serviceWith({ states: [...states] }), flag);
    expect(stderr).toMatch(
      /^A held task is ahead\. To resume that one: .*lading mass-operation resume task-0/m,
    );
  },
);

test("a task about to be held says why, and shows no remaining time", async () => {
  const waitingFor = "a call of resumeBulkTask: it is held after 100 operations were executed";
  const heldAt = "2030-01-31T12:00:00.000Z";
  const states = [
    { progress: { total: 200, processed: 1 } },
    { heldAt, progress: { total: 200, processed: 100, waitingFor } },
  ];
  const { stdout } = await run(await serviceWith({ states }), "--hold-after", "100");
  expect(stdout).toContain("held: it is held after 100 operations were executed\n100 of 200 operations\n");
  expect(stdout).not.toMatch(/resumeBulkTask| left/);
});

test("run prints the states of a task and its progress as lines", async () => {
  const states = [
    { status: "started", progress: { waitingFor: "a runner" } },
    { progress: { total: 200, processed: 100, failed: 1 } },
    { status: "complete", progress: { total: 200, processed: 200, succeeded: 199, failed: 1 } },
  ] satisfies ScriptedTask["states"];
  const { stdout } = await run(await serviceWith({ states }));
  expect(stdout).toContain("started, waiting for a runner\nrunning\n100 of 200 operations, 1 failed");
});

test("--json prints one document with the task, the counts by intent and what did not succeed", async () => {
  const failure = entry(1, { status: "failure", statusCode: 400, message: "no" });
  const progress = { total: 2, processed: 2, succeeded: 1, failed: 1 };
  const service = await serviceWith({ states: [{ status: "complete", progress }], log: [entry(0), failure] });
  const { code, stdout } = await run(service, "--json");
  expect(code).toBe(4);
  expect(JSON.parse(stdout)).toMatchObject({
    task: { id: "task-1", status: "complete", progress },
    intents: { "customer/upsert": { success: 1, partial: 0, failure: 1 } },
    problems: [failure],
  });
});

test("--json prints one document for an invalid file too", async () => {
  file = await writeInto(folder, "bad.json", "{");
  const { code, stdout } = await run(await serviceWith({ states: [] }), "--json");
  expect(code).toBe(2);
  expect(JSON.parse(stdout)).toMatchObject({ task: null, file: { errorCount: 1 } });
});

test.each([
  ["a terminal gets a bar that failures do not garble", [], true],
  ["--no-interactive gets lines on a terminal too", ["--no-interactive"], false],
])("progress on a terminal: %s", async (_what, flags, hasBar) => {
  const log = [entry(0, { status: "failure", message: "no" })];
  const states = [{ progress: { total: 2, processed: 1, failed: 1 } }, complete];
  const service = await serviceWith({ states, log });
  const args = ["mass-operation", "run", "acme", file, "--url", service.url, ...token, ...flags];
  const stdout = { isTTY: true, columns: 60 } as never;
  const outcome = await lading(args, { stdout });
  expect(outcome.stdout.includes("████████████░░░░░░░░░░░░ 1 of 2 operations, 1 failed")).toBe(hasBar);
  expect(outcome.stdout).toContain("operation 0, customer/upsert: no (200) at");
  expect(outcome.stdout).toContain("\u001b[31mfailure\u001b[39m");
});

test("with --quiet a successful run prints nothing, any other its failures and the outcome", async () => {
  const service = await serviceWith({ states: [{}, complete], log: [entry(0)] });
  expect(await run(service, "--quiet")).toEqual({ code: 0, stdout: "", stderr: "" });
  const progress = { total: 2, processed: 2, succeeded: 1, failed: 1 };
  const log = [entry(0), entry(1, { status: "failure", message: "no" })];
  const failing = await serviceWith({ states: [{}, { status: "complete", progress }], log });
  expect(await run(failing, "-q")).toMatchObject({
    code: 4,
    stdout: expect.stringMatching(/^failure operation 1.*\nintent .*\n.*\ncomplete, 2 operations: 1 .*\n$/),
    stderr: expect.stringMatching(
      /^For more: .*mass-operation logs task-1 --tenant acme .*--status failure --json\n$/,
    ),
  });
});

test("an outage of the service is reported with its reason, and so is its end", async () => {
  const states = [{}, { progress: { total: 10, processed: 1 } }, {}, complete];
  const happy = happyScript(() => "", { states }).FollowTask;
  const away = (variables: Record<string, unknown>, nth: number) =>
    nth === 1 ? ("hang up" as const) : (happy?.(variables, nth) ?? "hang up");
  const { code, stdout } = await run(await serviceWith({ states: [] }, { FollowTask: away }));
  expect(code).toBe(0);
  expect(stdout).toMatch(/Service unreachable; retrying: .+\n(.*\n)?Service reachable again after 1 s\./);
});

test("NO_COLOR keeps colours off a terminal", async () => {
  vi.stubEnv("NO_COLOR", "1");
  const service = await serviceWith({ states: [complete] });
  const args = ["mass-operation", "run", "acme", file, "--url", service.url, ...token, "--no-interactive"];
  const { stdout } = await lading(args, { stdout: { isTTY: true } as never });
  expect(stdout).not.toContain("\u001b");
});
