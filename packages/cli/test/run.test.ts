import { readFile } from "node:fs/promises";
import { beforeEach, expect, test, vi } from "vitest";
import { cleanEnvironment, lading, writeInto } from "./support/lading.ts";
import {
  data,
  type Script,
  type ScriptedService,
  scriptedService,
  unusedUrl,
} from "./support/scripted-service.ts";
import { basicError, entry, happyScript, presigned, type ScriptedTask } from "./support/scripted-task.ts";

const operations = [{ intent: "customer/upsert", identifier: "ada", firstName: "Ada", type: "individual" }];
const token = ["--token-id", "id-1", "--token-secret", "secret-1"];
let folder: string;
let file: string;

beforeEach(async () => {
  folder = await cleanEnvironment();
  file = await writeInto(folder, "shop.json", { version: "1.0.0", operations });
});

async function serviceWith(task: ScriptedTask, changes: Script = {}): Promise<ScriptedService> {
  const service: ScriptedService = await scriptedService({
    ...happyScript(() => service.url, task),
    ...changes,
  });
  return service;
}

function run(service: { url: string }, ...more: string[]) {
  return lading(["mass-operation", "run", "acme", file, "--url", service.url, ...token, ...more]);
}

const complete = {
  status: "complete",
  progress: { total: 3, processed: 3, succeeded: 3 },
} as const;

test("a file with errors is refused with code 2 before anything is sent", async () => {
  const service = await serviceWith({ states: [complete] });
  file = await writeInto(folder, "bad.json", {
    version: "1.0.0",
    operations: [{ intent: "customer/upsrt" }],
  });
  const { code, stdout } = await run(service);
  expect(code).toBe(2);
  expect(stdout).toContain("customer/upsert");
  expect(stdout).toContain("Nothing was sent.");
  expect(service.received).toEqual([]);
});

test("with --strict a warning is an error, and the service is told to see it so", async () => {
  const service = await serviceWith({ states: [complete] });
  expect(await run(service, "--strict")).toMatchObject({ code: 0 });
  expect(service.received.find(({ operation }) => operation === "CreateTask")?.variables).toMatchObject({
    strict: true,
  });
  const refusing = await serviceWith({ states: [complete] });
  file = await writeInto(folder, "warned.json", {
    version: "1.0.0",
    operations: [{ ...operations[0], fristName: "Ada" }],
  });
  const { code, stdout } = await run(refusing, "--strict");
  expect({ code, received: refusing.received }).toEqual({ code: 2, received: [] });
  expect(stdout).toContain("1 error, 0 warnings");
  expect((await run(await serviceWith({ states: [complete] }))).code).toBe(0);
});

test("where no service listens, the message says how to start one", async () => {
  const { code, stderr } = await run({ url: await unusedUrl() });
  expect(code).toBe(1);
  expect(stderr).toContain("is `lading serve` running?");
});

test("without a token the message lists the ways to give one", async () => {
  const service = await serviceWith({ states: [complete] });
  const { code, stderr } = await lading(["mass-operation", "run", "acme", file, "--url", service.url]);
  expect(code).toBe(1);
  expect(stderr).toContain("LADING_ACCESS_TOKEN_ID");
  expect(stderr).toContain("lading tenant create");
});

test("a token id without a secret is refused, and says what is missing", async () => {
  const service = await serviceWith({ states: [complete] });
  const { code, stderr } = await lading([
    ...["mass-operation", "run", "acme", file, "--url", service.url],
    ...["--token-id", "id-1"],
  ]);
  expect(code).toBe(1);
  expect(stderr).toContain("--token-secret");
});

test("an answer that is not JSON is told with its status and type", async () => {
  const html = { status: 404, type: "text/html", body: "<h1>Welcome</h1>" };
  const { code, stderr } = await run(await serviceWith({ states: [] }, { RequestUpload: () => html }));
  expect(code).toBe(1);
  expect(stderr).toContain("answered 404 with text/html instead of JSON");
});

test("a refused token is told with the service's message", async () => {
  const refused = { status: 401, body: { message: "no such token", errors: [{ message: "no such token" }] } };
  const { code, stderr } = await run(await serviceWith({ states: [] }, { RequestUpload: () => refused }));
  expect(code).toBe(1);
  expect(stderr).toContain("refused the token: no such token");
});

test("GraphQL errors in a 200 answer end the command", async () => {
  const errors = { body: { data: null, errors: [{ message: "one" }, { message: "two" }] } };
  const { code, stderr } = await run(await serviceWith({ states: [] }, { RequestUpload: () => errors }));
  expect(code).toBe(1);
  expect(stderr).toContain("one; two");
});

test("a BasicError is told with its name", async () => {
  const refused = basicError("createMassOperationBulkTask", "nothing has this key", "UploadNotFoundError");
  const { code, stderr } = await run(await serviceWith({ states: [] }, { CreateTask: () => refused }));
  expect(code).toBe(1);
  expect(stderr).toContain("nothing has this key (UploadNotFoundError)");
});

test("a refused upload is told with the store's reason, and no task is created", async () => {
  const xml = "<Error><Code>AccessDenied</Code><Message>the policy expired</Message></Error>";
  const refused = { status: 403, type: "application/xml", body: xml };
  const service = await serviceWith({ states: [] }, { Upload: () => refused });
  const { code, stderr } = await run(service);
  expect(code).toBe(1);
  expect(stderr).toContain("refused (403): the policy expired");
  expect(service.received.map(({ operation }) => operation)).toEqual(["RequestUpload"]);
});

test("a file larger than the tenant's limit is not uploaded", async () => {
  const small = () => data({ generatePresignedUploadRequest: presigned(service.url, 10) });
  const service: ScriptedService = await serviceWith({ states: [] }, { RequestUpload: small });
  const { code, stderr } = await run(service);
  expect(code).toBe(1);
  expect(stderr).toContain("limit is 10");
  expect(service.uploads).toEqual([]);
});

test("a task that fails ends with code 3 and shows why", async () => {
  const info = { error: "the file was replaced", errorName: "UploadChanged", stack: "line one\nline two" };
  const { code, stdout } = await run(await serviceWith({ states: [{ status: "error", info }] }));
  expect(code).toBe(3);
  expect(stdout).toContain("UploadChanged: the file was replaced\nline one\nline two\n");
});

test("the outcome says how many operations did what, where the service has counted it", async () => {
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

test("a service that is away for a moment is asked again, and no log entry is shown twice", async () => {
  const log = [0, 1, 2].map((index) => entry(index, { status: "failure", message: `fault ${index}` }));
  const happy = happyScript(() => "", { states: [{}, {}, {}, {}, complete], log }).FollowTask;
  const away = (variables: Record<string, unknown>, nth: number) =>
    nth === 1 ? ("hang up" as const) : (happy?.(variables, nth) ?? "hang up");
  const { code, stdout } = await run(await serviceWith({ states: [] }, { FollowTask: away }));
  expect(code).toBe(0);
  expect(stdout.match(/fault \d/g)).toEqual(["fault 0", "fault 1", "fault 2"]);
});

test("Ctrl-C leaves with code 130 and says how to see the task", async () => {
  const interrupt = new AbortController();
  const running = happyScript(() => "", { states: [{}] }).FollowTask;
  const service = await serviceWith(
    { states: [] },
    {
      FollowTask: (variables, nth) => {
        interrupt.abort();
        return running?.(variables, nth) ?? "hang up";
      },
    },
  );
  const args = ["mass-operation", "run", "acme", file, "--url", service.url, ...token];
  const { code, stderr } = await lading(args, { interrupted: interrupt.signal });
  expect(code).toBe(130);
  expect(stderr).toContain("Task task-1 goes on in the service");
  expect(stderr).toContain(`lading mass-operation status task-1 --tenant acme --url ${service.url} --watch`);
  expect(stderr).toContain("lading mass-operation cancel task-1 --tenant acme");
});

test("Ctrl-C while the service does not create the task leaves with code 130", async () => {
  const interrupt = new AbortController();
  const hangUp = () => {
    setImmediate(() => interrupt.abort());
    return "hang up" as const;
  };
  const service = await serviceWith({ states: [] }, { CreateTask: hangUp });
  const args = ["mass-operation", "run", "acme", file, "--url", service.url, ...token];
  const { code, stderr } = await lading(args, { interrupted: interrupt.signal });
  expect([code, stderr]).toEqual([130, "error: interrupted; the task may have been created\n"]);
});

test("the file goes up byte for byte as the last part, after the fields in their order", async () => {
  const service = await serviceWith({ states: [complete], log: [entry(0), entry(1), entry(2)] });
  const { code, stdout } = await run(service);
  expect(code).toBe(0);
  expect(stdout).toContain("complete, 3 operations: 3 succeeded, 0 partial, 0 failed");
  const [parts = []] = service.uploads;
  expect(parts.map(([name]) => name)).toEqual(["key", "bucket", "Policy", "X-Amz-Signature", "file"]);
  const uploaded = parts.at(-1)?.[1] as File;
  expect(uploaded.type).toBe("application/json");
  expect(await uploaded.text()).toBe(await readFile(file, "utf8"));
});

test("every request carries the tenant and its access token, and the task is started with the upload's key", async () => {
  const service = await serviceWith({ states: [complete] });
  await run(service);
  for (const { path, headers } of service.received) {
    expect(path).toBe("/@acme");
    expect(headers).toMatchObject({
      "x-service-access-token-id": "id-1",
      "x-service-access-token-secret": "secret-1",
    });
  }
  const create = service.received.find(({ operation }) => operation === "CreateTask");
  expect(create?.variables).toEqual({ key: "the key", idempotencyKey: expect.any(String) });
});

test("lines tell the states a task goes through and how far it is", async () => {
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
])("%s", async (_what, flags, hasBar) => {
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

test("NO_COLOR keeps colours off a terminal", async () => {
  vi.stubEnv("NO_COLOR", "1");
  const service = await serviceWith({ states: [complete] });
  const args = ["mass-operation", "run", "acme", file, "--url", service.url, ...token, "--no-interactive"];
  const { stdout } = await lading(args, { stdout: { isTTY: true } as never });
  expect(stdout).not.toContain("\u001b");
});

test("status --watch shows a task that was started before", async () => {
  const service = await serviceWith({ states: [complete], log: [entry(0)] });
  const args = [
    "mass-operation",
    "status",
    "task-9",
    "--watch",
    "--tenant",
    "acme",
    "--url",
    service.url,
    ...token,
  ];
  const { code } = await lading(args);
  expect(code).toBe(0);
  expect(service.received[0]).toMatchObject({
    operation: "FollowTask",
    variables: { id: "task-9", after: "" },
  });
});

test("status --watch of an unknown task tells the service's error", async () => {
  const missing = data({
    bulkTask: { error: "no task has the id task-9", errorName: "BulkTaskNotFoundError" },
    operationLogs: { pageInfo: { endCursor: null, hasNextPage: false }, edges: [] },
  });
  const service = await serviceWith({ states: [] }, { FollowTask: () => missing });
  const args = [
    "mass-operation",
    "status",
    "task-9",
    "--watch",
    "--tenant",
    "acme",
    "--url",
    service.url,
    ...token,
  ];
  const { code, stderr } = await lading(args);
  expect(code).toBe(1);
  expect(stderr).toContain("no task has the id task-9");
});
