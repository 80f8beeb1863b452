import { readFile } from "node:fs/promises";
import { beforeEach, expect, test } from "vitest";
import { cleanEnvironment, lading, writeInto } from "./support/lading.ts";
import { complete, operations, serviceWith, token } from "./support/runs.ts";
import { data, type ScriptedService, unusedUrl } from "./support/scripted-service.ts";
import { basicError, entry, happyScript, presigned } from "./support/scripted-task.ts";

let folder: string;
let file: string;

beforeEach(async () => {
  folder = await cleanEnvironment();
  file = await writeInto(folder, "shop.json", { version: "1.0.0", operations });
});

function run(service: { url: string }, ...more: string[]) {
  return lading(["mass-operation", "run", "acme", file, "--url", service.url, ...token, ...more]);
}

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
  expect({ code, received: refusing.received }).toEqual({ code: 2, received: [] });
  expect(stdout).toContain("1 error, 0 warnings");
  expect((await run(await serviceWith({ states: [complete] }))).code).toBe(0);
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
