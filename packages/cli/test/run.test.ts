import { readFileSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { beforeEach, expect, test, vi } from "vitest";
import { cleanEnvironment, lading, writeInto } from "./support/lading.ts";
import { complete, operations, serviceWith, token } from "./support/runs.ts";
import { data, unusedUrl } from "./support/scripted-service.ts";
import {
  basicError,
  entry,
  happyScript,
  presigned,
  type ScriptedTask,
  whoAmI,
} from "./support/scripted-task.ts";

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await cleanEnvironment();
  file = await writeInto(folder, "shop.json", { version: "1.0.0", operations });
});

function run(service: { url: string }, ...more: string[]) {
  return lading(["mass-operation", "run", "acme", file, "--url", service.url, ...token, ...more]);
}

test("a file is refused before it is sent, if the token may not run it, with the command that plans it", async () => {
  for (const [role, advice] of [
    ["planner", "To plan it"],
    ["reader", "A planner can plan it"],
  ] as const) {
    const service = await serviceWith({ states: [complete] }, { WhoAmI: () => whoAmI(role) });
    const { code, stderr } = await run(service, "--refuse", "deletions");
    expect(code).toBe(1);
    expect(stderr).toContain(
      `This access token has the role ${role}; to run a file needs the role admin (UnauthorizedError)`,
    );
    expect(stderr).toMatch(new RegExp(`${advice}: (npx )?lading mass-operation plan acme ${file}`));
    const planned = ["mass-operation", "run", "acme", "--plan", "task-0", "--url", service.url, ...token];
    expect((await lading(planned)).code).toBe(1);
    expect(service.received.map(({ operation }) => operation)).toEqual(["WhoAmI", "WhoAmI"]);
  }
});

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

test("what is wrong with a file is said without a service or a token, too", async () => {
  file = await writeInto(folder, "bad.json", {
    version: "1.0.0",
    operations: [{ intent: "customer/upsrt" }],
  });
  const url = await unusedUrl();
  const without = await lading(["mass-operation", "run", "acme", file, "--url", url]);
  for (const { code, stdout } of [await run({ url }), without])
    expect({ code, stdout }).toEqual({
      code: 2,
      stdout: expect.stringMatching(/customer\/upsert.*Nothing was sent\./s),
    });
});

test("with --strict a warning is an error, here and in the service", async () => {
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
  expect(code).toBe(2);
  expect(refusing.received).toEqual([]);
  expect(stdout).toContain("1 error, 0 warnings");
  expect((await run(await serviceWith({ states: [complete] }))).code).toBe(0);
});

test("a file that changes while it is sent is not started", async () => {
  const service = await serviceWith(
    { states: [complete] },
    {
      RequestUpload: () => {
        const text = readFileSync(file, "utf8");
        writeFileSync(file, text.replace("ada", "bob"));
        return data({ generatePresignedUploadRequest: presigned(service.url) });
      },
    },
  );
  const { code, stderr } = await run(service);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringContaining("shop.json was changed while this command read it. Nothing was started"),
  });
  expect(service.received.map(({ operation }) => operation)).not.toContain("CreateTask");
});

test("an unreachable service is an error that says how to start one", async () => {
  const { code, stderr } = await run({ url: await unusedUrl() });
  expect(code).toBe(1);
  expect(stderr).toContain("is `lading serve` running?");
});

test("an unreachable service is reported before a missing token", async () => {
  const { code, stderr } = await lading(["mass-operation", "run", "acme", file, "--url", await unusedUrl()]);
  expect([code, stderr]).toEqual([
    1,
    expect.stringMatching(/^error: no service at .*`lading serve` running/),
  ]);
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

test("the error about an answer that is not JSON has its status and type", async () => {
  const html = { status: 404, type: "text/html", body: "<h1>Welcome</h1>" };
  const { code, stderr } = await run(await serviceWith({ states: [] }, { RequestUpload: () => html }));
  expect(code).toBe(1);
  expect(stderr).toContain("answered 404 with text/html instead of JSON");
});

test("the error about a refused token has the message of the service", async () => {
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

test("the error about a BasicError has its name", async () => {
  const refused = basicError("createMassOperationBulkTask", "nothing has this key", "UploadNotFoundError");
  const { code, stderr } = await run(await serviceWith({ states: [] }, { CreateTask: () => refused }));
  expect(code).toBe(1);
  expect(stderr).toContain("nothing has this key (UploadNotFoundError)");
});

test("the error about a refused upload has the reason of the store, and no task is created", async () => {
  const xml = "<Error><Code>AccessDenied</Code><Message>the policy expired</Message></Error>";
  const refused = { status: 403, type: "application/xml", body: xml };
  const service = await serviceWith({ states: [] }, { Upload: () => refused });
  const { code, stderr } = await run(service);
  expect(code).toBe(1);
  expect(stderr).toContain("refused (403): the policy expired");
  expect(service.received.map(({ operation }) => operation)).toEqual(["WhoAmI", "RequestUpload"]);
});

test("a file whose upload the service refuses is not uploaded", async () => {
  const small = () => basicError("generatePresignedUploadRequest", "the limit is 10", "ValidationError");
  const service = await serviceWith({ states: [] }, { RequestUpload: small });
  const { code, stderr } = await run(service);
  expect(code).toBe(1);
  expect(stderr).toContain("the limit is 10 (ValidationError)");
  expect(service.uploads).toEqual([]);
  const { input } = service.received.find(({ operation }) => operation === "RequestUpload")!.variables;
  expect(input).toMatchObject({ methods: ["POST", "PUT"], size: expect.any(Number) });
});

test("a task that fails ends with code 3 and shows why", async () => {
  const info = { error: "the file was replaced", errorName: "UploadChanged", stack: "line one\nline two" };
  const { code, stdout } = await run(await serviceWith({ states: [{ status: "error", info }] }));
  expect(code).toBe(3);
  expect(stdout).toContain("UploadChanged: the file was replaced\nline one\nline two\n");
});

test("requests are retried during a short outage, and no log entry is shown twice", async () => {
  const log = [0, 1, 2].map((index) => entry(index, { status: "failure", message: `fault ${index}` }));
  const happy = happyScript(() => "", { states: [{}, {}, {}, {}, complete], log }).FollowTask;
  const away = (variables: Record<string, unknown>, nth: number) =>
    nth === 1 ? ("hang up" as const) : (happy?.(variables, nth) ?? "hang up");
  const { code, stdout } = await run(await serviceWith({ states: [] }, { FollowTask: away }));
  expect(code).toBe(0);
  expect(stdout.match(/fault \d/g)).toEqual(["fault 0", "fault 1", "fault 2"]);
});

test("Ctrl-C exits with 130 and says how to follow the task", async () => {
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
  expect(stderr).toContain("Task task-1 continues in the service");
  expect(stderr).toContain(`lading mass-operation status task-1 --tenant acme --url ${service.url} --watch`);
  expect(stderr).toContain("lading mass-operation cancel task-1 --tenant acme");
});

test("a token that is revoked meanwhile ends the command, which says that the task continues", async () => {
  const refused = { status: 401, body: { message: "no such token", errors: [{ message: "no such token" }] } };
  const service = await serviceWith({ states: [] }, { FollowTask: () => refused });
  const { code, stderr } = await lading([
    ...["mass-operation", "run", "acme", file, "--url", service.url, ...token],
  ]);
  expect(code).toBe(1);
  expect(stderr).toMatch(/refused the token: no such token\. Task task-1 continues in the service\./);
});

test("Ctrl-C while the task is being created exits with 130", async () => {
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

test("run ends with code 6 when the task is held, and says how to resume it", async () => {
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

test.each(["--quiet", "--json"])("with %s, how to resume a held task ahead is on stderr", async (flag) => {
  const progress = { waitingFor: "bulk task task-0, which was started earlier and is held" };
  const states = [{ status: "started", progress }, complete] as const;
  const { stderr } = await run(await serviceWith({ states: [...states] }), flag);
  expect(stderr).toMatch(
    /^A held task is ahead\. To resume that one: .*lading mass-operation resume task-0/m,
  );
});

test("a task about to be held says why, and shows no remaining time", async () => {
  const waitingFor = "a call of resumeBulkTask: 100 operations were executed (holdAfter)";
  const heldAt = "2030-01-31T12:00:00.000Z";
  const states = [
    { progress: { total: 200, processed: 1 } },
    { heldAt, progress: { total: 200, processed: 100, waitingFor } },
  ];
  const { stdout } = await run(await serviceWith({ states }), "--hold-after", "100");
  expect(stdout).toContain("held: 100 operations were executed (holdAfter)\n100 of 200 operations\n");
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
