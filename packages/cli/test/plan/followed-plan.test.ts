import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { beforeEach, expect, test } from "vitest";
import { cleanEnvironment, lading, writeInto } from "../support/lading.ts";
import { complete, operations, serviceWith, token } from "../support/runs.ts";
import { data, type Reply, type ScriptedService } from "../support/scripted-service.ts";
import { basicError, entry, whoAmI } from "../support/scripted-task.ts";

let file: string;
let sha256: string;

beforeEach(async () => {
  file = await writeInto(await cleanEnvironment(), "shop.json", { version: "1.0.0", operations });
  sha256 = createHash("sha256")
    .update(await readFile(file))
    .digest("hex");
});

const run = (service: { url: string }, ...more: string[]) =>
  lading([
    ...["mass-operation", "run", "acme", file, "--plan", "plan-1", "--url", service.url],
    ...[...token, ...more],
  ]);

const planOf = (digest: string | null) => ({ FindFile: () => data({ bulkTask: { sha256: digest } }) });

const named = (service: ScriptedService) => service.received.map(({ operation }) => operation);

test("run --plan of another file says so, with the command that plans it, and sends nothing", async () => {
  const service = await serviceWith({ states: [complete] }, planOf("0".repeat(64)));
  const { code, stderr } = await run(service);
  expect(code).toBe(1);
  expect(stderr).toContain(`is not the file of the plan plan-1: its SHA-256 is ${sha256}, not 0000`);
  expect(stderr).toContain(`mass-operation plan acme ${file} --url ${service.url}`);
  expect(named(service)).toEqual(["WhoAmI", "FindFile"]);
});

test("run --plan says why the service does not know the plan, or refuses it", async () => {
  const unknown = basicError(
    "bulkTask",
    "The tenant has no bulk task with the id plan-1",
    "BulkTaskNotFoundError",
  );
  const without = await run(await serviceWith({ states: [complete] }, { FindFile: () => unknown }));
  expect(without).toMatchObject({ code: 1, stderr: expect.stringContaining("BulkTaskNotFoundError") });
  const why = "The plan plan-1 was pruned: what it saw is gone. Plan the file again";
  const refused = basicError("createMassOperationBulkTask", why, "PlanCannotBeRunError");
  for (const digest of [null, sha256]) {
    const script = { ...planOf(digest), CreateTask: () => refused };
    const { code, stderr } = await run(await serviceWith({ states: [complete] }, script));
    expect({ code, stderr }).toMatchObject({ code: 1, stderr: expect.stringContaining(why) });
  }
});

test("run --plan uploads nothing, and an operation that was refused for a change ends it with code 4", async () => {
  const message = "The row ann of customers was changed at 2030-01-31T12:00:00.000Z, after the plan saw it";
  const conflict = {
    status: "failure",
    statusCode: 409,
    errorName: "ChangedSincePlanError",
    message,
  } as const;
  const states = [{ ...complete, progress: { ...complete.progress, succeeded: 0, failed: 1 } }];
  const log = [entry(0, { ...conflict, action: null })];
  const service = await serviceWith({ states, log }, planOf(sha256));
  const { code, stdout, stderr } = await run(service);
  expect(code).toBe(4);
  expect(stdout).toContain(message);
  expect(stderr).toContain("Plan the file again to see what it would do now.");
  expect(named(service)).toEqual(expect.arrayContaining(["FindFile", "CreateTask", "FollowTask"]));
  expect(named(service)).not.toContain("RequestUpload");
  const created = service.received.find(({ operation }) => operation === "CreateTask");
  expect(created?.variables).toEqual({ plan: "plan-1", idempotencyKey: expect.any(String) });
  const asJson = await run(await serviceWith({ states, log }, planOf(sha256)), "--json");
  expect(asJson.code).toBe(4);
  expect(JSON.parse(asJson.stdout)).toMatchObject({ problems: [{ errorName: "ChangedSincePlanError" }] });
});

test("run without a file needs a plan, which is then what runs", async () => {
  const service = await serviceWith({ states: [complete] });
  const without = (...more: string[]) =>
    lading(["mass-operation", "run", "acme", "--url", service.url, ...token, ...more]);
  const messages = [
    [[], "name the file to run, or with --plan what was planned"],
    [["--plan", "plan-1", "--refuse", "losses"], "--refuse plans a file: name it, and leave out --plan"],
  ] as const;
  for (const [more, message] of messages)
    expect(await without(...more)).toMatchObject({ code: 1, stderr: expect.stringContaining(message) });
  expect(named(service)).toEqual([]);
  const { code, stdout } = await without("--plan", "plan-1");
  expect({ code, stdout }).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^Planned before; task task-1 starts\./),
  });
  expect(named(service)).toEqual(expect.arrayContaining(["CreateTask", "FollowTask"]));
  expect(named(service)).not.toContain("RequestUpload");
});

test("run --plan without a file waits for a service that restarts", async () => {
  const away = (reply: Reply) => (_variables: unknown, nth: number) =>
    nth === 0 ? ("hang up" as const) : reply;
  const created = data({ createMassOperationBulkTask: { id: "task-1", status: "pending" } });
  const script = { WhoAmI: away(whoAmI("admin")), CreateTask: away(created) };
  const service = await serviceWith({ states: [complete] }, script);
  const args = ["mass-operation", "run", "acme", "--plan", "plan-1", "--url", service.url, ...token];
  expect(await lading(args)).toMatchObject({ code: 0 });
});

test("run --refuse runs nothing when the plan ended in error, and exits with 3", async () => {
  const failed = {
    status: "error",
    info: { error: "the disk is full", errorName: "OutOfSpaceError", stack: null },
  } as const;
  const service = await serviceWith({ states: [failed] });
  const args = ["mass-operation", "run", "acme", file, "--refuse", "losses", "--url", service.url, ...token];
  const { code, stdout } = await lading(args);
  expect(code).toBe(3);
  expect(stdout).toContain("OutOfSpaceError: the disk is full\nThe plan ended in error. Nothing was run.\n");
  expect(named(service).filter((name) => name === "CreateTask")).toHaveLength(1);
});

test("plan --quiet prints changes and the command that runs the file, and nothing on standard error", async () => {
  const Changes = ({ action }: Record<string, unknown>) => (action === "updated" ? oneChange : noChanges);
  const progress = { ...complete.progress, updated: 1 };
  const service = await serviceWith({ states: [{ ...complete, progress }] }, { Changes });
  const args = ["mass-operation", "plan", "acme", file, "--url", service.url, ...token, "--quiet"];
  const { code, stdout, stderr } = await lading(args);
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toMatch(
    /^operation 0, item\/publish: updated\nPlan of 3 operations: .*\nTo run it: (npx )?lading mass-operation run acme .* --plan task-1\n$/,
  );
});

test("a plan is printed, too, if the service does not say then who may run it", async () => {
  const script = { WhoAmI: () => ({ status: 503, body: {} }), Changes: () => noChanges };
  const service = await serviceWith({ states: [complete] }, script);
  const args = ["mass-operation", "plan", "acme", file, "--url", service.url, ...token];
  const { code, stdout } = await lading([...args, "--quiet"]);
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringMatching(/^Plan of 3 .*\nTo run it: /) });
});

test("the plan of a planner's token is for an admin to run, on standard output and in markdown", async () => {
  const script = { WhoAmI: () => whoAmI("planner"), Changes: () => noChanges };
  const service = await serviceWith({ states: [complete] }, script);
  const args = ["mass-operation", "plan", "acme", file, "--url", service.url, ...token];
  for (const more of [[], ["--markdown"]])
    expect((await lading([...args, ...more, "--quiet"])).stdout).toMatch(
      /\nAn admin can run it: `?(npx )?lading mass-operation run acme .* --plan task-1/,
    );
});

const node = {
  index: 0,
  intent: "item/publish",
  ref: null,
  action: "updated",
  unknownUntilApplied: [],
  changes: null,
};
const oneChange = data({
  operationLogs: { pageInfo: { hasNextPage: false }, edges: [{ cursor: "1", node }] },
});
const noChanges = data({ operationLogs: { pageInfo: { hasNextPage: false }, edges: [] } });
