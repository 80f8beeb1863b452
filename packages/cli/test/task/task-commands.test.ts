import { beforeEach, expect, test } from "vitest";
import { pace } from "../../src/task/pace.ts";
import type { Task } from "../../src/task/task.ts";
import { cleanEnvironment, lading, writeInto } from "../support/lading.ts";
import { data, type Script, scriptedService } from "../support/scripted-service.ts";
import { basicError, entry, happyScript, scriptedTask } from "../support/scripted-task.ts";

let folder: string;

beforeEach(async () => {
  folder = await cleanEnvironment();
});

const token = ["--token-id", "i", "--token-secret", "s"];
const found = (changes = {}) => data({ bulkTask: scriptedTask(changes) });

async function command(script: Script, name: string, ...args: string[]) {
  const service = await scriptedService(script);
  const words = ["mass-operation", name, "task-1", "--url", service.url, ...args];
  return { ...(await lading(words)), service };
}

async function keep(url: string, ...tenants: string[]) {
  const tokens = tenants.map((name) => [name, { accessTokenId: name, accessTokenSecret: "s" }]);
  await writeInto(folder, "credentials.json", { [url]: Object.fromEntries(tokens) });
}

test.each(["status", "logs", "start", "cancel", "hold", "resume", "retry", "failures"])(
  "%s without a tenant and without a saved token asks for one",
  async (name) => {
    const { code, stderr, service } = await command({}, name);
    expect(code).toBe(1);
    expect(stderr).toContain("--tenant");
    expect(service.received).toEqual([]);
  },
);

test.each([["FindTask"], ["Health"]])(
  "a redirect of %s is not followed, so the secret is not sent elsewhere",
  async (answer) => {
    const other = await scriptedService({ Health: () => data({}), FindTask: () => found() });
    const redirect = () => ({ status: 307, headers: { location: `${other.url}/@acme` }, body: {} });
    const script =
      answer === "Health" ? { FindTask: () => found(), Health: redirect } : { [answer]: redirect };
    const name = answer === "Health" ? "failures" : "status";
    const { code, stderr } = await command(script, name, "--tenant", "acme", ...token);
    expect([code, other.received]).toEqual([1, []]);
    expect(stderr).toContain(`redirects to ${other.url}/@acme, where the token was not sent`);
  },
);

test("a task is looked for with every saved token of the service", async () => {
  const missing = basicError("bulkTask", "no task has the id task-1", "BulkTaskNotFoundError");
  const service = await scriptedService({
    FindTask: () => (service.received.at(-1)?.path === "/@second" ? found() : missing),
  });
  await keep(service.url, "first", "second", "third");
  const { code, stdout } = await lading(["mass-operation", "status", "task-1", "--url", service.url]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^tenant +second$/m);
});

test("a task that no saved token can see is an error that names the tenants with a saved token", async () => {
  const missing = basicError("bulkTask", "no task has the id task-1", "BulkTaskNotFoundError");
  const service = await scriptedService({ FindTask: () => missing });
  await keep(service.url, "first", "second");
  const { code, stderr } = await lading(["mass-operation", "status", "task-1", "--url", service.url]);
  expect(code).toBe(1);
  expect(stderr).toContain("none of the tenants first, second has a task task-1");
});

test.each([["status"], ["status", "--watch"], ["cancel"]])(
  "Ctrl-C ends %s %s of a service that never answers",
  async (name, ...flags) => {
    const interrupt = new AbortController();
    const never = () => {
      interrupt.abort();
      return new Promise(() => {}) as never;
    };
    const service = await scriptedService({ FindTask: never, FollowTask: never, CancelTask: never });
    const args = ["mass-operation", name, "task-1", ...flags, "--tenant", "acme", "--url", service.url];
    const { code, stderr } = await lading([...args, ...token], { interrupted: interrupt.signal });
    expect(code).toBe(130);
    expect(stderr).toContain("interrupted");
  },
);

test("status says why a task failed", async () => {
  const info = { error: "cancelled", errorName: "TaskCancelled", stack: null };
  const script = { FindTask: () => found({ status: "error", info }) };
  const { code, stdout } = await command(script, "status", "--tenant", "acme", ...token);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^status +error$/m);
  expect(stdout).toContain("TaskCancelled: cancelled");
});

test("cancel of a task that has ended prints the service's reason", async () => {
  const ended = basicError("task", "it has ended", "InvalidTaskStateError");
  const { code, stderr } = await command({ CancelTask: () => ended }, "cancel", "--tenant", "acme", ...token);
  expect(code).toBe(1);
  expect(stderr).toContain("it has ended (InvalidTaskStateError)");
});

test.each([
  ["cancel", "CancelTask", "is cancelled"],
  ["hold", "HoldTask", "is held"],
  ["resume", "ResumeTask", "is resumed"],
])("%s prints the progress of the task", async (name, request, done) => {
  const progress = { total: 10, processed: 4, failed: 1 };
  const changed = () => data({ task: scriptedTask({ progress }) });
  const { code, stdout } = await command({ [request]: changed }, name, "--tenant", "acme", ...token);
  expect(code).toBe(0);
  expect(stdout).toBe(`Task task-1 ${done}: 4 of 10 operations, 1 failed.\n`);
});

test("retry of a task that has nothing to retry prints the service's reason", async () => {
  const refused = basicError("retryBulkTask", "it has nothing to retry", "InvalidTaskStateError");
  const { code, stderr } = await command({ RetryTask: () => refused }, "retry", "--tenant", "acme", ...token);
  expect(code).toBe(1);
  expect(stderr).toContain("it has nothing to retry (InvalidTaskStateError)");
});

test("retry says how many operations it executes, and follows them as run does", async () => {
  const progress = { total: 1_000, toExecute: 12, processed: 1_000, skipped: 988, succeeded: 12 };
  const task = { id: "task-2", status: "complete", progress } as const;
  const script = {
    ...happyScript(() => "", { states: [task], log: [entry(3)] }),
    RetryTask: () => data({ retryBulkTask: scriptedTask(task) }),
  };
  const args = ["--include", "failed", "not-attempted", "--max-failures", "3", "--tenant", "acme", ...token];
  const { code, stdout, service } = await command(script, "retry", ...args);
  expect(code).toBe(0);
  expect(stdout).toContain("Task task-2 retries 12 of 1,000 operations of task-1.");
  expect(stdout).toContain("complete, 12 operations: 12 succeeded");
  const sent = service.received.find(({ operation }) => operation === "RetryTask");
  expect(sent?.variables).toMatchObject({
    id: "task-1",
    include: ["FAILED", "NOT_ATTEMPTED"],
    maxFailures: 3,
  });
});

test("status says how many failures a retry has repaired", async () => {
  const progress = { total: 20, processed: 20, failed: 12, repaired: 12 };
  const script = { FindTask: () => found({ status: "complete", progress }) };
  const { stdout } = await command(script, "status", "--tenant", "acme", ...token);
  expect(stdout).toContain("20 of 20 operations, 12 failed, 12 repaired");
});

const log = [
  entry(0),
  entry(1, {
    status: "failure",
    statusCode: 404,
    errorName: "ItemNotFoundError",
    message: "no item",
    errors: [{ code: "X", message: "no item", path: ["a/b", 0] }],
  }),
  entry(2, { ref: "shoe" }),
];

test("logs prints an entry a line, failures with their JSON pointer, and stops at the log's end", async () => {
  const script = happyScript(() => "", { states: [{}], log });
  const { code, stdout } = await command(script, "logs", "--tenant", "acme", ...token);
  expect(code).toBe(0);
  expect(stdout.split("\n")).toEqual([
    "success operation 0, customer/upsert: created (200)",
    "failure operation 1, customer/upsert: no item (404 ItemNotFoundError) at /operations/1/a~1b/0",
    "success operation 2, customer/upsert, _ref shoe: created (200)",
    "",
  ]);
});

test("logs prints the first three failures of a cause, then how many it has, and with --all each", async () => {
  const failures = [0, 1, 2, 3, 4].map((i) => entry(i, { status: "failure", message: `no item "${i}"` }));
  const script = happyScript(() => "", { states: [{}], log: failures });
  const { stdout, stderr } = await command(script, "logs", "--tenant", "acme", ...token);
  expect(stdout.match(/^failure operation/gm)).toHaveLength(3);
  expect(stdout).toMatch(/\n5 failures: no item "…" \(such as operations 0, 1, 2\)\n$/);
  expect(stderr).toBe("--all prints each.\n");
  const all = await command(script, "logs", "--all", "--tenant", "acme", ...token);
  expect(all.stdout.match(/^failure operation/gm)).toHaveLength(5);
});

test("logs asks for smaller pages when the entries are too large for one answer", async () => {
  const usual = happyScript(() => "", { states: [{ status: "complete" }], log: [entry(0)] });
  const refused = {
    message: "too large",
    errors: [{ message: "too large", extensions: { code: "GRAPHQL_TOO_COSTLY" } }],
  };
  const script: Script = {
    FollowTask: (variables, nth) =>
      Number(variables.first) > 100
        ? { status: 400, body: refused }
        : (usual.FollowTask?.(variables, nth) ?? "hang up"),
  };
  const { code, service } = await command(script, "logs", "--tenant", "acme", ...token);
  expect([code, service.received.map(({ variables }) => variables.first)]).toEqual([0, [1_000, 250, 63]]);
});

test("logs --follow continues until the task has ended", async () => {
  const script = happyScript(() => "", { states: [{}, {}, { status: "complete" }], log });
  const { service } = await command(script, "logs", "--follow", "--tenant", "acme", ...token);
  expect(service.received.length).toBeGreaterThan(3);
});

test("logs sends its filter to the service, and prints a JSON list", async () => {
  const script = happyScript(() => "", { states: [{}], log });
  const filter = ["--status", "failure", "--intent", "customer/", "--action", "updated"];
  const flags = [...filter, "--json", "--tenant", "acme"];
  const { stdout, service } = await command(script, "logs", ...flags, ...token);
  expect(service.received[0]?.variables).toMatchObject({
    id: "task-1",
    filter: {
      ...{ operationId: "task-1", status: "failure" },
      ...{ operationTypeStartsWith: "customer/", action: "updated" },
    },
  });
  expect(JSON.parse(stdout)).toEqual(log);
  const failures = [
    "--error-name",
    "E",
    "--status-code",
    "409",
    "--cause",
    "c",
    "--text",
    "t",
    "--unrepaired",
  ];
  const asked = await command(script, "logs", ...failures, "--tenant", "acme", ...token);
  expect(asked.service.received[0]?.variables.filter).toEqual({
    ...{ operationId: "task-1", errorName: "E", statusCode: 409, cause: "c", text: "t", unrepaired: true },
  });
});

test("logs refuses a status code that does not exist, and sends nothing", async () => {
  const script = happyScript(() => "", { states: [{}], log });
  const { code, stderr, service } = await command(script, "logs", "--status-code", "many", ...token);
  expect([code, service.received]).toEqual([1, []]);
  expect(stderr).toContain('"many" is not a status code, such as 404.');
});

test("logs says that no entry matches a filter, with the nearest error that the task has", async () => {
  const edges = [{ node: { errorName: "ShapeNotFoundError" } }];
  const script = {
    ...happyScript(() => "", { states: [{}] }),
    FailureNames: () => data({ bulkTask: { failureGroups: { edges } } }),
  };
  const logs = (...flags: string[]) => command(script, "logs", "--tenant", "acme", ...token, ...flags);
  const misspelt = await logs("--error-name", "ShapeNotFoundErro");
  expect([misspelt.code, misspelt.stdout]).toEqual([0, ""]);
  expect(misspelt.stderr).toBe('No entry matches; did you mean "ShapeNotFoundError"?\n');
  expect((await logs("--intent", "order/", "--json")).stderr).toBe("No entry matches.\n");
  expect((await logs()).stderr).toBe("");
});

test("logs says that the log was pruned", async () => {
  const script = happyScript(() => "", { states: [{ prunedAt: "2030-03-01T12:00:00.000Z" }] });
  const { code, stdout, stderr } = await command(script, "logs", "--tenant", "acme", ...token);
  expect([code, stdout, stderr]).toEqual([0, "", "The log was pruned at 2030-03-01T12:00:00.000Z.\n"]);
});

test("logs prints an empty JSON list for an empty log", async () => {
  const script = happyScript(() => "", { states: [{}] });
  expect((await command(script, "logs", "--json", "--tenant", "acme", ...token)).stdout).toBe("[]\n");
});

test("run shows where in the file an operation failed: line, column, pointer", async () => {
  const text = `{ "version": "1.0.0", "operations": [
    { "intent": "customer/upsert", "identifier": "ada" },
    { "intent": "customer/upsert",
      "identifier": "eve" }
  ] }`;
  const file = await writeInto(folder, "shop.json", text);
  const errors = [{ code: "X", message: "no", path: ["identifier"] }];
  const failures = [entry(0), entry(1, { status: "failure", statusCode: 400, message: "no", errors })];
  const service = await scriptedService({
    ...happyScript(() => service.url, { states: [{ status: "complete" }], log: failures }),
  });
  const args = ["mass-operation", "run", "acme", file, "--url", service.url, ...token, "--json"];
  const { stdout } = await lading(args);
  expect(JSON.parse(stdout).problems).toMatchObject([
    { index: 1, place: `${file}:4:21 /operations/1/identifier` },
  ]);
});

test("--max-failures is sent to the service, invalid values are not", async () => {
  const file = await writeInto(folder, "shop.json", { version: "1.0.0", operations: [] });
  const service = await scriptedService({
    ...happyScript(() => service.url, { states: [{ status: "complete" }] }),
  });
  const run = (number: string) =>
    lading(["mass-operation", "run", "acme", file, "--url", service.url, ...token, "--max-failures", number]);
  expect((await run("many")).stderr).toContain('"many" is not a whole number');
  expect((await run("-1")).stderr).toContain("It must be 0 or more");
  expect(service.received).toEqual([]);
  await run("0");
  const created = service.received.find(({ operation }) => operation === "CreateTask");
  expect(created?.variables).toMatchObject({ key: "the key", maxFailures: 0 });
});

const tooMany = (...waits: readonly (string | undefined)[]): Script => ({
  FindTask: (_, nth) => {
    const wait = waits[nth];
    const headers: Record<string, string> = wait === undefined ? {} : { "retry-after": wait };
    return nth < waits.length ? { status: 429, headers, body: { message: "too many requests" } } : found();
  },
});

test.each([
  ["without a time to wait", 1, [undefined]],
  ["for more than two minutes", 2, ["0", "120"]],
])("a service that answers 429 %s is an error", async (_, requests, waits) => {
  const { code, stderr, service } = await command(tooMany(...waits), "status", "--tenant", "acme", ...token);
  expect([code, stderr]).toEqual([1, expect.stringContaining("answered 429: too many requests")]);
  expect(service.received).toHaveLength(requests);
});

test("a request that the service answers with 429 is sent again after the time it names, but at least a second", async () => {
  const begin = performance.now();
  const { code, service } = await command(tooMany("0"), "status", "--tenant", "acme", ...token);
  expect(code).toBe(0);
  expect(service.received).toHaveLength(2);
  expect(performance.now() - begin).toBeGreaterThan(990);
});

test("Ctrl-C ends the wait after an answer with 429", async () => {
  const interrupt = new AbortController();
  const limited = () => {
    setTimeout(() => interrupt.abort(), 200); // by then the command has the answer, and waits
    return { status: 429, headers: { "retry-after": "60" }, body: { message: "too many requests" } };
  };
  const service = await scriptedService({ FindTask: limited });
  const args = ["mass-operation", "status", "task-1", "--tenant", "acme", "--url", service.url, ...token];
  const { code, stderr } = await lading(args, { interrupted: interrupt.signal });
  expect([code, stderr]).toEqual([130, "error: interrupted\n"]);
});

test("the pace is that of the last seconds, with an estimate of the remaining time", () => {
  let now = 0;
  const speed = pace(() => now);
  const task = (processed: number) => scriptedTask({ progress: { total: 1_000_000, processed } }) as Task;
  speed.note(task(0));
  expect(speed.text(task(0))).toBe("");
  for (const processed of [0, 50_000, 150_000, 250_000]) {
    now += 10_000;
    speed.note(task(processed));
  }
  expect(speed.text(task(250_000))).toBe("10,000/s, 75 s left");
  speed.forget(); // an outage of a minute, in which the task continued
  now += 60_000;
  speed.note(task(800_000));
  expect(speed.text(task(800_000))).toBe("");
  now += 1_000;
  speed.note(task(805_000));
  expect(speed.text(task(805_000))).toBe("5,000/s, 39 s left");
});
