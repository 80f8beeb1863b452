import { once } from "node:events";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { lading as inProcess } from "../../packages/cli/test/support/lading.ts";
import { bin, lading, serve, startInShell } from "../support/lading.ts";
import { openService, serviceEngines, type TestService } from "../support/service.ts";

const examples = join(import.meta.dirname, "../../examples");

async function temporaryFolder(): Promise<string> {
  return mkdtemp(join(tmpdir(), "lading-command-"));
}

describe.each(serviceEngines)("the command line, with a service on %s", (engine) => {
  let service: TestService;
  let folder: string;
  beforeAll(async () => {
    service = await openService(engine);
    folder = service.dataDir;
  });
  afterAll(() => service.close());
  const lading = async (args: readonly string[]) => {
    vi.stubEnv("LADING_URL", service.url);
    vi.stubEnv("LADING_CREDENTIALS", join(folder, "credentials.json"));
    return inProcess([...args]).finally(vi.unstubAllEnvs);
  };

  test("a token of another service is refused", async () => {
    const token = ["--token-id", "0123", "--token-secret", "4567"];
    const run = ["mass-operation", "run", "acme", join(examples, "quickstart.json"), ...token];
    const { code, stderr } = await lading(run);
    expect(stderr).toMatch(/error: .*acme/);
    expect(code).toBe(1);
  });

  test("the operator's token in the data folder creates a tenant, but not a second time", async () => {
    const create = ["tenant", "create", "acme", "--data-dir", folder, "--json"];
    const first = await lading(create);
    expect(first).toMatchObject({ code: 0 });
    expect(JSON.parse(first.stdout)).toMatchObject({ tenant: "acme", accessTokenId: expect.any(String) });
    const second = await lading(create);
    expect(second.code).toBe(1);
    expect(second.stderr).toContain('A tenant "acme" exists already');
  });

  test("a plan shows what a file would do, without doing it", async () => {
    await lading(["tenant", "create", "planned", "--data-dir", folder]);
    const plan = ["mass-operation", "plan", "planned"];
    const gone = await lading([...plan, join(folder, "gone.json")]);
    expect(gone).toMatchObject({ code: 1, stderr: expect.stringContaining("gone.json") });
    const file = join(folder, "planned.json");
    const customer = { intent: "customer/upsert", identifier: "ann", type: "individual", firstName: "Ann" };
    await writeFile(file, JSON.stringify({ version: "0.0.1", operations: [customer] }));
    for (const _time of ["first", "second"]) {
      const { code, stdout } = await lading([...plan, file, "--exit-code"]);
      expect(stdout).toContain('+ customer identifier "ann"\n      /type: "individual"');
      expect(stdout).toContain("Plan of 1 operation: 1 would be created");
      expect(code).toBe(5);
    }
    const { stderr } = await lading([...plan, file]);
    const [, command = ""] = /To run it: .*?(mass-operation .*)/.exec(stderr) ?? [];
    expect(command).toContain(`mass-operation run planned ${file} --plan `);
    expect(await lading([...command.split(" "), "--quiet"])).toMatchObject({ code: 0 });
    const late = await lading(command.split(" "));
    expect(late).toMatchObject({ code: 4, stdout: expect.stringContaining("was created at") });
    const again = await lading([...plan, file, "--exit-code", "--json"]);
    expect(JSON.parse(again.stdout)).toMatchObject({ task: { kind: "plan" }, unknown: 0, changes: [] });
    expect(again.code).toBe(0);
    const { code } = await lading([...plan, join(examples, "quickstart.json")]);
    expect(code).toBe(4);
  }, 60_000);

  test("the quickstart's file runs with one failure, both times", async () => {
    await lading(["tenant", "create", "shop", "--data-dir", folder]);
    for (const _time of ["first", "second"]) {
      const run = ["mass-operation", "run", "shop", join(examples, "quickstart.json"), "--json"];
      const { code, stdout } = await lading(run);
      const { task, problems } = JSON.parse(stdout);
      expect(task).toMatchObject({
        status: "complete",
        progress: { processed: 23, succeeded: 22, failed: 1 },
      });
      expect(problems).toMatchObject([
        { index: 21, intent: "product/variant/stock/modify", status: "failure", statusCode: 404 },
      ]);
      expect(code).toBe(4);
    }
  });
});

/** Needed by a service in memory, which starts fastest. */
const operator = { LADING_OPERATOR_TOKEN: "operator-token-of-the-tests" };

const files = (await readdir(examples)).filter((name) => name.endsWith(".json"));

test.each(files)("example %s is valid, also with --strict", async (name) => {
  const { code, stdout } = await inProcess(["mass-operation", "validate", join(examples, name), "--strict"]);
  expect(stdout).toContain("0 errors, 0 warnings");
  expect(code).toBe(0);
});

test("a data folder in use is refused to a second service, and free again after SIGTERM", {
  tags: "release",
}, async () => {
  const folder = await temporaryFolder();
  onTestFinished(() => rm(folder, { recursive: true }));
  const service = await serve(["--data-dir", folder]);
  const [said] = await service.said(/Creating the database in .*[\s\S]*ready at/);
  expect(said).toContain(`Creating the database in ${join(folder, "database")}; only the first start`);
  const second = await lading(["serve", "--port", "0", "--data-dir", folder]);
  expect(second.code).toBe(1);
  expect(second.stderr).toContain(`error: the service cannot start: The database folder`);
  expect(await service.stop()).toMatchObject({ code: 0 });
  const third = await serve(["--data-dir", folder]);
  const { code, stderr } = await third.stop();
  expect([code, stderr]).toEqual([0, expect.not.stringContaining("Creating the database")]);
});

test("SIGHUP, as from a closed terminal, stops a service like SIGTERM", {
  tags: "release",
}, async () => {
  const service = await serve(["--memory"], operator);
  service.signal("SIGHUP");
  await service.said(/Stopping/);
  expect(await service.ended).toMatchObject({ code: 0, signal: null });
});

test.skipIf(!existsSync("/dev/full"))(
  "a service serves and stops even if it cannot write its log",
  { tags: "release" },
  async () => {
    const folder = await temporaryFolder();
    onTestFinished(() => rm(folder, { recursive: true }));
    const script = join(folder, "lading.sh");
    await writeFile(script, `exec '${process.execPath}' '${bin}' "$@" --log-level info > /dev/full\n`);
    const service = await serve(["--memory"], operator, ["/bin/sh", script]);
    for (let request = 0; request < 3; request++)
      expect((await fetch(`${service.url}/health/ready`)).status).toBe(200);
    expect(await service.stop()).toMatchObject({ code: 0 });
  },
);

test("a missing database is reported with its reason and without a stack trace", {
  tags: "release",
}, async () => {
  const folder = await temporaryFolder();
  onTestFinished(() => rm(folder, { recursive: true }));
  const url = "postgres://nobody:nothing@127.0.0.1:1/none";
  const { code, stderr } = await lading(["serve", "--data-dir", folder, "--database-url", url]);
  expect(code).toBe(1);
  expect(stderr).toMatch(/error: the service cannot start: .*ECONNREFUSED/);
  expect(stderr).not.toContain("    at ");
});

test("a service ends when its npx ends, though npm signals only its shell", {
  tags: "release",
}, async () => {
  const child = startInShell(["serve", "--port", "0", "--log-level", "warn", "--memory"], {
    ...operator,
    npm_command: "exec",
  });
  let stderr = "";
  const ready = new Promise<void>((resolve) => {
    child.stderr?.on("data", (chunk) => {
      stderr += chunk;
      if (/ready at/.test(stderr)) resolve();
    });
  });
  const closed = once(child, "close"); // the service shares the shell's pipes, so they close with it
  await Promise.race([ready, closed]);
  child.kill("SIGTERM");
  await closed;
  expect(stderr).toContain("Stopping: requests and batches in progress finish first.");
});
