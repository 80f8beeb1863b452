import { writeFileSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { main } from "lading/main";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import type { TenantClient } from "../support/client.ts";
import { openService, serviceEngines, startFile, type TestService } from "../support/service.ts";

const group = (identifier: string, name = "n") => ({ intent: "customer/group/upsert", identifier, name });
const file = (...operations: object[]) => ({ version: "1.0.0", operations });
const failing = { intent: "customer/update", identifier: "nobody", firstName: "x" };

describe.each(serviceEngines)("lading apply, against a service on %s,", (engine) => {
  let service: TestService;
  let home: string;
  let folder: string;
  let tenant: string;
  let client: TenantClient;
  let tenants = 0;
  let onStderr: ((chunk: string) => void) | undefined;

  beforeAll(async () => {
    service = await openService(engine);
    home = await mkdtemp(join(tmpdir(), "lading-apply-"));
  });
  afterAll(async () => {
    await service.close();
    await rm(home, { recursive: true });
  });
  beforeEach(async () => {
    vi.stubEnv("LADING_URL", service.url);
    vi.stubEnv("npm_command", undefined);
    tenant = `shop-${++tenants}`;
    folder = join(home, tenant);
    await mkdir(folder);
    client = await service.tenant(tenant);
    vi.stubEnv("LADING_ACCESS_TOKEN_ID", client.access.accessTokenId);
    vi.stubEnv("LADING_ACCESS_TOKEN_SECRET", client.access.accessTokenSecret);
  });
  afterEach(() => {
    onStderr = undefined;
    vi.unstubAllEnvs();
  });

  async function lading(...args: string[]) {
    const text = { stdout: "", stderr: "" };
    const sink = (name: keyof typeof text) => ({
      write: (chunk: string) => {
        text[name] += chunk;
        if (name === "stderr") onStderr?.(chunk);
      },
    });
    const io = { stdout: sink("stdout"), stderr: sink("stderr"), stdin: {} };
    const code = await main([...args, "--no-interactive"], {
      ...io,
      interrupted: new AbortController().signal,
    });
    return { code, ...text };
  }
  const apply = (...flags: string[]) => lading("apply", tenant, folder, ...flags);
  const write = (name: string, content: unknown) =>
    writeFile(join(folder, name), typeof content === "string" ? content : JSON.stringify(content));
  const written = async (name: string, content: unknown) => {
    const path = join(home, `${tenant}-${name}`);
    await writeFile(path, JSON.stringify(content));
    return path;
  };
  const status = async () => {
    const { stdout } = await apply("--status", "--json");
    const files: { name: string; state: string; task: string; is?: string }[] = JSON.parse(stdout);
    return files;
  };
  const states = async () => Object.fromEntries((await status()).map(({ name, state }) => [name, state]));
  const taskOf = async (name: string) => (await status()).find((file) => file.name === name)?.task ?? "";
  const tasks = async (): Promise<{ id: string; kind: string }[]> =>
    JSON.parse((await lading("mass-operation", "list", tenant, "--json")).stdout);

  test("a folder that is missing, is a file, or has a link is refused", async () => {
    expect(await lading("apply", tenant, join(folder, "no"))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(`there is no folder ${join(folder, "no")}`),
    });
    await write("1.json", file(group("g")));
    expect(await lading("apply", tenant, join(folder, "1.json"))).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("is a file; apply takes the folder with the files"),
    });
    await symlink(join(folder, "1.json"), join(folder, "2.json"));
    expect(await apply()).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("2.json is not a regular file: put the file itself there"),
    });
    expect(await tasks()).toEqual([]);
  });

  test("names that do not say the order are refused", async () => {
    await write("1\n.json", file(group("g")));
    expect(await apply()).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("has a control character: rename the file"),
    });
    await rm(join(folder, "1\n.json"));
    await write("007-a.json", file(group("g")));
    await write("7-b.json", file(group("g")));
    expect(await apply()).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("007-a.json and 7-b.json have the same number"),
    });
    await rename(join(folder, "007-a.json"), join(folder, "10-a.json"));
    expect(await apply()).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/10-a\.json comes before 7-b\.json.* such as 07-b\.json/),
    });
    expect(await tasks()).toEqual([]);
  });

  test("nothing is sent while any file to run is invalid", async () => {
    await write("1.json", file(group("g")));
    await write("2.json", "[]");
    await write("3.json", file({ intent: "customer/crate" }));
    const { code, stdout } = await apply();
    expect(code).toBe(2);
    expect(stdout).toContain("2 files of 3 to run cannot be run. Nothing was sent.");
    expect(stdout).toContain(`${join(folder, "3.json")}:1:`);
    expect(await tasks()).toEqual([]);
  });

  test("files run in the order of their names, each once; others, and folders, are left out", async () => {
    await write("2026-01-31-b.json", file(group("g", "second")));
    await write("2026-01-31-a.json", file(group("g", "first")));
    await writeFile(join(folder, "2026-02-01.json.gz"), gzipSync(JSON.stringify(file(group("g", "third")))));
    await write("README.md", "text");
    await write(".draft.json", "text");
    for (const name of ["old", "pictures"]) await mkdir(join(folder, name));
    await write("old/2025.json", "{}");
    const first = await apply();
    expect(first.code).toBe(0);
    expect(first.stderr).not.toContain("pictures");
    expect(first.stderr).toContain("old is a folder: its files are not applied");
    expect(first.stdout).toContain("3 files run; all files are applied.");
    expect(first.stdout.indexOf("2026-01-31-a.json\n")).toBeLessThan(
      first.stdout.indexOf("2026-01-31-b.json\n"),
    );
    const second = await apply();
    expect([second.code, second.stdout]).toEqual([0, "Nothing to run; all files are applied.\n"]);
    expect(await tasks()).toHaveLength(3);
  });

  test("a failure stops at its file; a retry, or an undo and an edit, let the rest run", async () => {
    await write("1.json", file(group("g"), { ...failing, identifier: "late" }));
    await write("2.json", file(group("h"), failing));
    await write("3.json", file(group("i")));
    const first = await apply();
    expect(first.code).toBe(4);
    expect(first.stdout).toContain("1.json is not applied. The 2 files after it wait.");
    const id = await taskOf("1.json");
    expect(first.stdout).toContain(`lading mass-operation retry ${id} --tenant ${tenant}`);
    expect(await states()).toEqual({ "1.json": "failed", "2.json": "pending", "3.json": "pending" });
    expect(await apply()).toMatchObject({ code: 4 });
    expect(await tasks()).toHaveLength(1);

    const path = join(home, "late.json");
    const late = { intent: "customer/create", identifier: "late", firstName: "A", lastName: "B" };
    await writeFile(path, JSON.stringify(file(late)));
    await lading("mass-operation", "run", tenant, path);
    expect((await lading("mass-operation", "retry", id, "--tenant", tenant)).code).toBe(0);
    expect(await apply("--json")).toMatchObject({ code: 4 });
    expect(await states()).toEqual({ "1.json": "applied", "2.json": "failed", "3.json": "pending" });

    const undo = ["mass-operation", "undo", await taskOf("2.json"), "--tenant", tenant, "--yes"];
    expect((await lading(...undo)).code).toBe(0);
    await write("2.json", file(group("h")));
    expect((await apply()).code).toBe(0);
    expect(await states()).toEqual({ "1.json": "applied", "2.json": "applied", "3.json": "applied" });
  });

  test("a file that changed nothing may be edited, and is run again", async () => {
    await write("1.json", file(failing));
    const first = await apply();
    expect(first.code).toBe(4);
    expect(first.stdout).toContain("It changed nothing, or was undone: edit the file, and apply again.");
    await write("1.json", file(group("g")));
    expect((await apply()).code).toBe(0);
  });

  test("a file that was changed after it was applied is refused until it is accepted", async () => {
    await write("1.json", file(group("g")));
    expect((await apply()).code).toBe(0);
    await write("1.json", file(group("g", "other")));
    await write("2.json", file(group("h")));
    const refused = await apply();
    expect(refused.code).toBe(1);
    expect(refused.stderr).toMatch(
      /1\.json was changed after it was applied: its SHA-256 is \w{64}, not \w{64}/,
    );
    expect(refused.stderr).toContain(`lading apply ${tenant} ${folder} --accept-changed 1.json`);
    expect(await states()).toEqual({ "1.json": "changed", "2.json": "pending" });
    expect(await apply("--accept-changed", "2.json")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("2.json is pending, not changed: nothing was accepted"),
    });
    expect(await apply("--accept-changed", "1.json")).toMatchObject({ code: 0 });
    expect((await apply()).code).toBe(0);
    expect(await tasks()).toHaveLength(2);
  });

  test("a renamed file is refused, and one that was removed is listed", async () => {
    await write("1.json", file(group("g")));
    await write("2.json", file(group("h")));
    await apply();
    await rename(join(folder, "1.json"), join(folder, "3.json"));
    expect(await apply()).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("3.json was applied under the name 1.json: give it that name again"),
    });
    expect((await apply("--status")).stdout).toMatch(/1\.json +renamed to 3\.json/);
    await rm(join(folder, "3.json"));
    expect((await apply()).code).toBe(0);
    expect(await states()).toEqual({ "1.json": "removed", "2.json": "applied" });
  });

  test("a file that is run after later ones is named, and --plan only shows the next one", async () => {
    await write("2.json", file(group("h")));
    await apply();
    await write("1.json", file(group("g")));
    const plan = await apply("--plan");
    expect(plan.code).toBe(0);
    expect(plan.stdout).toContain("Plan of 1 operation: 1 would be created");
    expect(plan.stderr).toContain(`To run it: lading apply ${tenant} ${folder}`);
    expect(await states()).toEqual({ "1.json": "pending", "2.json": "applied" });
    expect((await apply()).stderr).toContain("1.json is run after 2.json, which was applied before.");
  });

  test("two commands at the same time run each file once", async () => {
    for (const name of ["1.json", "2.json", "3.json"]) await write(name, file(group(name)));
    const outcomes = await Promise.all([apply(), apply(), apply()]);
    expect(outcomes.map(({ code }) => code)).toEqual([0, 0, 0]);
    expect(await tasks()).toHaveLength(3);
  });

  test("a held run, and an undo that was not started, are named", async () => {
    await write("1.json", file(group("g"), group("h")));
    const id = await startFile(client, file(group("g"), group("h")), { appliedAs: "1.json", holdAfter: 1 });
    expect(await apply()).toMatchObject({
      code: 6,
      stderr: expect.stringMatching(
        `1.json: waiting for the run ${id}.\n[^]*To resume: lading mass-operation resume ${id} --tenant ${tenant}`,
      ),
      stdout: expect.stringContaining("1.json is held; the files after it wait."),
    });
    expect(JSON.parse((await apply("--json")).stdout)).toEqual({ runs: [], held: { name: "1.json" } });
    await lading("mass-operation", "resume", id, "--tenant", tenant);
    expect((await apply()).code).toBe(0);
    expect(await tasks()).toHaveLength(1);
    const { undoBulkTask } = await client.graphql<{ undoBulkTask: { id: string } }>(
      `mutation { undoBulkTask(id: "${id}") { ... on BulkTaskMassOperation { id } ... on BasicError { error } } }`,
    );
    expect(await states()).toEqual({ "1.json": "running" });
    expect(await apply()).toMatchObject({
      code: 1,
      stderr: expect.stringContaining(
        `1.json: its undo ${undoBulkTask.id} has not been started.\nTo start it: lading`,
      ),
    });
  });

  test("a run with a date is named, with what to do about it", async () => {
    await write("1.json", file(group("g")));
    const startAt = new Date(Date.now() + 3_600_000).toISOString();
    const id = await startFile(client, file(group("g")), { appliedAs: "1.json", autoStart: false, startAt });
    const command = (name: string) => `lading mass-operation ${name} ${id} --tenant ${tenant}`;
    expect(await apply()).toMatchObject({
      code: 1,
      stderr: `error: 1.json: its run ${id} starts at ${startAt}.\nTo start it now: ${command("start")}\nTo cancel it: ${command("cancel")}\n`,
    });
    await lading(...command("start").split(" ").slice(1));
    expect((await apply()).code).toBe(0);
    expect(await tasks()).toHaveLength(1);
  });

  test("--refuse plans first, and runs nothing that is refused", async () => {
    await lading("mass-operation", "run", tenant, await written("groups.json", file(group("a"), group("b"))));
    const deletion = { intent: "customer/group/delete", identifier: "a" };
    const path = await written("changes.json", file(deletion, group("c"), failing));
    const run = (...flags: string[]) => lading("mass-operation", "run", tenant, path, ...flags);
    expect(await run("--refuse", "deletion")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('"deletion" cannot be refused; any of deletions, losses,'),
    });
    const refused = await run("--refuse", "deletions,losses,failures");
    expect(refused.code).toBe(7);
    expect(refused.stdout).toContain("1 operation of customer/group/delete");
    expect(refused.stdout).toContain("Refused: the plan has deletions (1), failures (1). Nothing was run.");
    expect((await run("--refuse", "deletions", "--refuse", "unknown")).code).toBe(7);
    expect(JSON.parse((await run("--refuse", "failures", "--json")).stdout)).toMatchObject({
      task: { kind: "plan" },
      refused: { failures: 1 },
    });
    expect(await lading("mass-operation", "plan", tenant, path, "--refuse", "failures")).toMatchObject({
      code: 7,
      stdout: expect.stringContaining("Refused: the plan has failures (1).\n"),
    });
    expect(await tasks()).toHaveLength(1);
    expect((await run("--refuse", "losses,unknown")).code).toBe(4);
    const [newest] = await tasks();
    expect(newest).toMatchObject({ kind: "run", ofTask: expect.any(String) });
  });

  test("with --refuse, a file of the folder is run by its plan, or stays pending", async () => {
    await write("1.json", file(group("g")));
    await write("2.json", file(group("h"), failing));
    const { code, stdout } = await apply("--refuse", "failures");
    expect(code).toBe(7);
    expect(stdout).toContain("Refused: the plan has failures (1). Nothing was run.");
    expect(await states()).toEqual({ "1.json": "applied", "2.json": "pending" });
    expect(JSON.parse((await apply("--refuse", "failures", "--json")).stdout)).toMatchObject({
      runs: [],
      refused: { name: "2.json", task: { kind: "plan" }, refused: { failures: 1 } },
    });
    await write("2.json", file(group("h")));
    const outcomes = await Promise.all([1, 2].map(() => apply("--refuse", "failures,deletions")));
    expect(outcomes.map(({ code }) => code)).toEqual([0, 0]);
    expect(await tasks()).toHaveLength(2);
  });

  test("with --json it prints one document, of what was run and what failed", async () => {
    await write("1.json", file(group("g")));
    await write("2.json", file(group("h"), failing));
    const { code, stdout } = await apply("--json");
    expect(code).toBe(4);
    expect(JSON.parse(stdout)).toMatchObject({
      runs: [
        { name: "1.json", task: { status: "complete" }, problems: [] },
        { name: "2.json", task: { progress: { failed: 1 } }, problems: [{ index: 1 }] },
      ],
      failed: { name: "2.json", task: expect.any(String) },
    });
    await lading("mass-operation", "undo", await taskOf("2.json"), "--tenant", tenant, "--yes");
    await rm(join(folder, "2.json"));
    expect(JSON.parse((await apply("--json")).stdout)).toEqual({ runs: [] });
  });

  test("a file that changes during the command is not run; --json still has the runs before it", async () => {
    await write("1.json", file(group("g")));
    await write("2.json", file(group("h")));
    onStderr = (text) => {
      if (text.includes("starts.")) writeFileSync(join(folder, "2.json"), "[]");
    };
    const { code, stdout, stderr } = await apply("--json");
    expect(code).toBe(1);
    expect(stderr).toContain("2.json was changed while this command read it");
    expect(JSON.parse(stdout)).toMatchObject({ runs: [{ name: "1.json", task: { status: "complete" } }] });
    expect(await tasks()).toHaveLength(1);
  });

  test("after a retry, the advice names the retry, and undoes it before the run", async () => {
    const lines = [group("g"), failing, { ...failing, identifier: "late" }];
    await write("1.json", file(...lines));
    await apply();
    const id = await taskOf("1.json");
    const late = { intent: "customer/create", identifier: "late", firstName: "A", lastName: "B" };
    await lading("mass-operation", "run", tenant, await written("late.json", file(late)));
    await lading("mass-operation", "retry", id, "--tenant", tenant);
    const [retry] = (await tasks()).filter((task) => task.kind === "retry");
    const { code, stdout } = await apply();
    expect(code).toBe(4);
    expect(stdout).toContain(
      `To retry what failed: lading mass-operation retry ${retry?.id} --tenant ${tenant}\n`,
    );
    const undo = (task?: string) => `lading mass-operation undo ${task} --tenant ${tenant}`;
    expect(stdout).toContain(`apply again: ${undo(retry?.id)} && ${undo(id)}\n`);
    await lading("mass-operation", "undo", retry?.id ?? "", "--tenant", tenant, "--yes");
    await lading("mass-operation", "undo", id, "--tenant", tenant, "--yes");
    expect(await states()).toEqual({ "1.json": "pending" });
  });

  test("only outcomes that are left are to be retried", async () => {
    const avatar = (identifier: string) => ({
      ...{ intent: "customer/upsert", identifier, firstName: "A", lastName: "B" },
      meta: [{ key: "avatar", value: '{{ upload "http://127.0.0.1/avatar.png" }}' }],
    });
    await write("1.json", file(avatar("ann")));
    const partly = await apply();
    expect(partly.code).toBe(4);
    const again = `lading mass-operation retry ${await taskOf("1.json")} --tenant ${tenant}`;
    const include = "--include failed partial not-attempted";
    expect(partly.stdout).toContain(`To retry what was done in part: ${again} ${include}\n`);
    expect(partly.stdout).not.toContain("To retry what failed");
    expect((await lading(...`${again} ${include}`.split(" ").slice(1))).code).toBe(4);

    await lading("apply", tenant, folder, "--accept-changed", "1.json");
    await write("2.json", file(avatar("bob"), failing));
    const both = await apply();
    expect(both.stdout).toMatch(/To retry what failed: .*\nTo retry what was done in part, too: /);
  });

  test("a file that can be undone only in part is accepted by the advice", async () => {
    await write("1.json", file(group("g"), group("h"), failing));
    await apply();
    await lading("mass-operation", "run", tenant, await written("g.json", file(group("g", "changed"))));
    const undo = ["mass-operation", "undo", await taskOf("1.json"), "--tenant", tenant, "--yes"];
    expect((await lading(...undo)).code).toBe(4);
    const { stdout } = await apply();
    expect(stdout).toContain("To undo it, edit the file, and apply again: ");
    const [, accept = ""] = /To let it count as applied: lading (.*)\n$/.exec(stdout) ?? [];
    expect((await lading(...accept.split(" "))).code).toBe(0);
    expect(await states()).toEqual({ "1.json": "applied" });
  });

  test("a file that failed waits also when it was removed, and can be accepted, as after its log was pruned", async () => {
    await write("1.json", file(group("g"), failing));
    await write("2.json", file(group("h")));
    await apply();
    await rm(join(folder, "1.json"));
    expect(await apply()).toMatchObject({
      code: 4,
      stdout: expect.stringContaining(
        "1.json is not applied, and not in the folder any more. The file after it waits.",
      ),
    });
    await client.graphql(
      "mutation { pruneBulkTasks(olderThanDays: 0) { ... on PrunedBulkTasks { __typename } ... on BasicError { error } } }",
    );
    const accept = `lading apply ${tenant} ${folder} --accept-changed 1.json`;
    expect((await apply()).stdout).toContain(
      `It cannot be undone any more. To let it count as applied: ${accept}\n`,
    );
    expect((await apply("--accept-changed", "1.json")).code).toBe(0);
    expect((await apply()).code).toBe(0);
    expect(await states()).toEqual({ "1.json": "removed", "2.json": "applied" });
  });

  test("--plan does not wait for a run, and its advice has the flags of the command", async () => {
    await write("1.json", file(group("g"), group("h")));
    await write("2.json", file(group("i")));
    await startFile(client, file(group("g"), group("h")), { appliedAs: "1.json", holdAfter: 1 });
    const isHeld = async () => expect(await tasks()).toMatchObject([{ heldAt: expect.any(String) }]);
    await vi.waitFor(isHeld, { timeout: 10_000 });
    const { code, stderr } = await apply("--plan", "--strict", "--refuse", "losses,deletions");
    expect(code).toBe(0);
    expect(stderr).toContain("1.json is running; the plan is of the shop as it is now.");
    expect(stderr).toContain(
      `To run it: lading apply ${tenant} ${folder} --strict --refuse losses,deletions\n`,
    );
  });

  test("--markdown prints one document: a plan, an invalid file, a failed file, or that nothing is to be run", async () => {
    expect(await apply("--plan", "--markdown", "--json")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("'--markdown' cannot be used with option '--json'"),
    });
    expect(await apply("--markdown")).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("--markdown needs --plan"),
    });
    const heading = (what: string) => `## ${what} of \`${folder}\` for tenant \`${tenant}\``;
    expect((await apply("--plan", "--markdown")).stdout).toBe(
      `${heading("No plan")}\n\n- \`Nothing to run; all files are applied.\`\n\n`,
    );
    const path = join(folder, "1.json");
    await write("1.json", file({ intent: "customer/crate" }));
    const invalid = await apply("--plan", "--markdown");
    expect(invalid.code).toBe(2);
    expect(invalid.stdout).toMatch(
      /^## No plan of .*1\.json` for tenant .*\n\nThe file is invalid: 1 error, /,
    );
    expect(invalid.stdout).toMatch(/\| 1:\d+ \| operation 0, .* \| error \| .*customer\/create/);

    await lading(
      "mass-operation",
      "run",
      tenant,
      await written("groups.json", file(group("a"), group("g", "m"))),
    );
    const deletion = { intent: "customer/group/delete", identifier: "a" };
    await write("1.json", file(deletion, group("g"), failing));
    const { code, stdout } = await apply("--plan", "--markdown", "--refuse", "deletions");
    expect(code).toBe(7);
    expect(stdout).toContain(
      `## Plan of \`${path}\` for tenant \`${tenant}\`\n\n**Refused: the plan has deletions (1).**`,
    );
    expect(stdout).toContain(
      "### This would remove\n\n| What |\n| --- |\n| `1 operation of customer/group/delete` |\n",
    );
    expect(stdout).toMatch(/\| 1 would fail \| .* \| operation 2 \(`.*1\.json:\d+:\d+ .*`\) \|/);
    expect(stdout).toContain('|  | `/name` | `"m"` | `"n"` |');
    expect(stdout).not.toContain("To run it");

    await write("1.json", file(group("g"), failing));
    await apply();
    const failed = await apply("--plan", "--markdown");
    expect(failed.code).toBe(4);
    expect(failed.stdout).toMatch(
      /- `1\.json is not applied\.`\n\n- `To retry what failed:` `lading mass-operation retry \w+ --tenant /,
    );
  });
});
