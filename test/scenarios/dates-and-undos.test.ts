import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { main } from "lading/main";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { TenantClient } from "../support/client.ts";
import { openService, serviceEngines, type TestService } from "../support/service.ts";

const file = (...operations: object[]) => JSON.stringify({ version: "1.0.0", operations });
const valid = file({ intent: "customer/group/upsert", identifier: "a", name: "n" });

describe.each(serviceEngines)("run --at and run --all-or-nothing, against a service on %s,", (engine) => {
  let service: TestService;
  let folder: string;
  let path: string;
  let tenants = 0;
  let tenant: string;
  let client: TenantClient;

  beforeAll(async () => {
    service = await openService(engine);
    folder = await mkdtemp(join(tmpdir(), "lading-dates-"));
    path = join(folder, "shop.json");
    await writeFile(path, valid);
  });
  afterAll(async () => {
    await service.close();
    await rm(folder, { recursive: true });
  });
  beforeEach(async () => {
    tenant = `shop-${++tenants}`;
    client = await service.tenant(tenant);
    const { access } = client;
    vi.stubEnv("LADING_URL", service.url);
    vi.stubEnv("npm_command", undefined);
    vi.stubEnv("LADING_ACCESS_TOKEN_ID", access.accessTokenId);
    vi.stubEnv("LADING_ACCESS_TOKEN_SECRET", access.accessTokenSecret);
  });
  afterEach(() => void vi.unstubAllEnvs());

  async function lading(...args: string[]) {
    const text = { stdout: "", stderr: "" };
    const sink = (name: keyof typeof text) => ({ write: (chunk: string) => (text[name] += chunk) });
    const io = { stdout: sink("stdout"), stderr: sink("stderr"), stdin: {} };
    const interrupted = new AbortController().signal;
    const code = await main([...args, "--no-interactive"], { ...io, interrupted });
    return { code, ...text };
  }
  const operation = (name: string, ...args: string[]) => lading("mass-operation", name, ...args);
  const ofTask = (name: string, id: string, ...args: string[]) =>
    operation(name, id, "--tenant", tenant, ...args);
  const run = (...args: string[]) => operation("run", tenant, path, ...args);
  const inFuture = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString();

  async function runAt(date: string): Promise<string> {
    const { stdout } = await run("--at", date, "--json");
    return JSON.parse(stdout).task.id;
  }

  test.each(["2030-12-01T06:00", "2030-12-01", "tomorrow", "2030-02-30T06:00Z"])(
    "the date %s is a usage error that says what would be right",
    async (date) => {
      for (const refused of [await run("--at", date), await ofTask("start", "t", "--at", date)]) {
        expect(refused.code).toBe(1);
        expect(refused.stderr).toContain(
          `"${date}" is not a date and time with an offset or Z, such as 2026-12-01T06:00+01:00.`,
        );
      }
    },
  );

  test("a date that has passed is refused, and nothing is run", async () => {
    const { code, stderr } = await run("--at", "2020-12-01T06:00Z");
    expect(code).toBe(1);
    expect(stderr).toContain("startAt is 2020-12-01T06:00:00.000Z, which has passed");
    expect((await operation("list", tenant, "--json")).stdout.trim()).toBe("[]");
  });

  test("an invalid file with a date is refused before anything is sent", async () => {
    const bad = join(folder, "bad.json");
    await writeFile(bad, file({ intent: "no/such" }));
    expect(await operation("run", tenant, bad, "--at", inFuture(3_600))).toMatchObject({
      code: 2,
      stdout: expect.stringContaining("Nothing was sent."),
    });
  });

  test("run --at prints the task and what can be done with it, and does not wait", async () => {
    const date = inFuture(3_600);
    const { code, stdout, stderr } = await run("--at", date);
    expect(code).toBe(0);
    const id = /^Task (\w+) starts at /m.exec(stdout)![1]!;
    expect(stdout).toContain(`Task ${id} starts at ${date}.`);
    expect(stdout + stderr).toContain(`To cancel it: lading mass-operation cancel ${id} --tenant ${tenant}`);
    expect((await operation("list", tenant)).stdout).toContain(`pending until ${date}`);
    expect((await ofTask("status", id)).stdout).toContain(`pending, waiting for its date, ${date}`);
    expect((await lading("task", "show", id, "--tenant", tenant)).stdout).toMatch(
      new RegExp(`^starts at +${date}$`, "m"),
    );
    expect((await ofTask("cancel", id)).code).toBe(0);
    expect((await ofTask("start", id)).stderr).toContain("is error: only a pending task can be started");
  });

  test("run --quiet --at prints only when the task starts", async () => {
    const { stdout, stderr } = await run("--at", inFuture(3_600), "--quiet");
    expect(stdout).toMatch(/^Task \w+ starts at \S+\.\n$/);
    expect(stderr).toBe("");
  });

  test("start changes the date, removes it, and starts the task", async () => {
    const id = await runAt(inFuture(3_600));
    const later = inFuture(7_200);
    expect((await ofTask("start", id, "--at", later)).stdout).toBe(`Task ${id} starts at ${later}.\n`);
    expect((await ofTask("start", id, "--at", "none")).stdout).toBe(
      `Task ${id} has no date: it waits to be started.\n`,
    );
    expect((await ofTask("start", id)).stdout).toBe(`Task ${id} is started.\n`);
    expect((await ofTask("status", id, "--watch")).code).toBe(0);
    const held = await runAt(inFuture(3_600));
    await ofTask("hold", held);
    expect((await ofTask("start", held)).stdout).toMatch(
      `Task ${held} is started, and held: lading mass-operation resume ${held} --tenant ${tenant}`,
    );
    const after = await ofTask("start", id, "--at", later);
    expect(after).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("only a pending task has a date"),
    });
  });

  test("status --watch follows a task through its date to its end", async () => {
    const id = await runAt(inFuture(1));
    const { code, stdout } = await ofTask("status", id, "--watch");
    expect(code).toBe(0);
    expect(stdout).toContain("complete, 1 operation: 1 succeeded");
  });

  const failing = { intent: "customer/update", identifier: "nobody", firstName: "x" };
  const groups = (...identifiers: string[]) =>
    identifiers.map((identifier) => ({ intent: "customer/group/upsert", identifier, name: "n" }));
  async function allOrNothing(operations: object[], ...args: string[]) {
    const own = join(folder, `${tenant}.json`);
    await writeFile(own, file(...operations));
    return operation("run", tenant, own, "--all-or-nothing", ...args);
  }

  test("run --all-or-nothing exits 0 when everything succeeds", async () => {
    const { code, stdout } = await allOrNothing(groups("a", "b"));
    expect(code).toBe(0);
    expect(stdout).toContain("complete, 2 operations: 2 succeeded");
  });

  test("run --all-or-nothing shows what failed, waits for the undo, and says that all was undone", async () => {
    const { code, stdout } = await allOrNothing([...groups("a", "b"), failing, ...groups("c")]);
    expect(code).toBe(4);
    expect(stdout).toContain("failure operation 2, customer/update");
    expect(stdout).toContain("TooManyFailures: Stopped after more than 0 failures; its undo begins");
    expect(stdout).toMatch(/^Task \w+ undoes task \w+\.$/m);
    expect(stdout).toMatch(/\nThe run failed, and all of it was undone\.\n$/);
  });

  test("run --all-or-nothing --quiet prints the failure and what was undone", async () => {
    const { code, stdout } = await allOrNothing([...groups("a"), failing], "--quiet");
    expect(code).toBe(4);
    expect(stdout).toContain("failure operation 1, customer/update");
    expect(stdout).toContain("The run failed, and all of it was undone.");
  });

  test("run --all-or-nothing --json has the task and its undo in one document", async () => {
    const { code, stdout } = await allOrNothing([...groups("a"), failing], "--json");
    expect(code).toBe(4);
    const { task, undo, problems } = JSON.parse(stdout);
    expect(task).toMatchObject({ status: "error", onFailure: "UNDO", undoneBy: undo.task.id });
    expect(undo).toMatchObject({ task: { kind: "undo", status: "complete" }, problems: [] });
    expect(problems).toMatchObject([{ index: 1, status: "failure" }]);
  });

  test("run --all-or-nothing says when a part could not be undone, and how to try again", async () => {
    const held = await allOrNothing([...groups("a", "b"), failing], "--hold-after", "2", "--json");
    expect(held.code).toBe(6);
    const { id } = JSON.parse(held.stdout).task;
    // A later change of the group: the undo leaves it alone.
    await client.graphql(
      `mutation { g: updateCustomerGroup(identifier: "a", input: { name: "changed" }) {
         ... on CustomerGroup { name } ... on BasicError { error } } }`,
    );
    await ofTask("resume", id);
    const { code, stdout } = await ofTask("status", id, "--watch");
    expect(code).toBe(4);
    expect(stdout).toContain("ChangedSinceError");
    expect((await ofTask("status", id)).stdout).toMatch(
      /^undone by +\w{24}, complete, 3 of 3 operations, 1 deleted, 1 failed, 1 skipped$/m,
    );
    expect(stdout).toContain(
      `The run failed, and 1 operation of it could not be undone. To try again: lading mass-operation undo ${id}`,
    );
  });

  test("run --all-or-nothing --at undoes the task at its date, without being waited for", async () => {
    const { code, stdout } = await allOrNothing([...groups("a"), failing], "--at", inFuture(2), "--json");
    expect(code).toBe(0);
    const { id } = JSON.parse(stdout).task;
    expect((await ofTask("status", id, "--watch")).code).toBe(4);
    expect(JSON.parse((await ofTask("status", id, "--json")).stdout).task.undoneBy).toEqual(
      expect.any(String),
    );
  });

  test("run --refuse --at plans the file now, and runs it by that plan at the date", async () => {
    expect((await run("--refuse", "failures", "--at", inFuture(3_600))).stdout).toMatch(
      /^Task \w+ starts at /m,
    );
    const [{ id }] = JSON.parse((await operation("list", tenant, "--json")).stdout);
    expect((await lading("task", "show", id, "--tenant", tenant)).stdout).toMatch(/^kind +run by plan \w+$/m);
  });
});
