import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeEach, expect, test, vi } from "vitest";
import manifest from "../package.json" with { type: "json" };
import { cleanEnvironment, lading, writeInto } from "./support/lading.ts";
import { type ScriptedService, scriptedService } from "./support/scripted-service.ts";
import { happyScript } from "./support/scripted-task.ts";

const bin = fileURLToPath(new URL("../bin/lading.cjs", import.meta.url));
const oldNode = `data:text/javascript,Object.defineProperty(process.versions,"node",{value:"22.14.9"})`;
let folder: string;

beforeEach(async () => {
  folder = await cleanEnvironment();
});

test.each([
  [["tenant", "crate", "acme"], "Did you mean create?"],
  [["mass-operation", "run", "acme"], "name the file to run, or with --plan what was planned"],
  [["mass-operation", "validate", "x.json", "--stric"], "Did you mean --strict?"],
  [["serve", "--port", "99999"], '"99999" is not a port'],
  [["serve", "--memory"], "set LADING_OPERATOR_TOKEN too"],
  [["tenant", "create", "acme", "--url", "localhost:4000"], "http://127.0.0.1:4000"],
])("a usage error exits with 1 and a hint: %j", async (args, hint) => {
  const { code, stderr, stdout } = await lading(args);
  expect(code).toBe(1);
  expect(stderr).toContain(hint);
  expect(stdout).toBe("");
});

test.each([
  [["validate", "shop.json"], "Did you mean mass-operation validate?"],
  [["tenant", "settings", "shwo", "acme"], "Did you mean show?"],
  [["tenant", "settings", "add", "acme", "market", "eu", "--nmae", "Europe"], "Did you mean --name?"],
  [["--strict", "mass-operation", "validate", "x.json"], "--strict must come after the command"],
  [["mass-operation", "--strct", "validate", "x.json"], "Did you mean --strict, after the command?"],
  [["help", "tenant", "crate"], "Did you mean create?"],
])("misspelt and misplaced words are recognized at every depth: %j", async (args, hint) => {
  const { code, stderr } = await lading(args);
  expect(code).toBe(1);
  expect(stderr).toContain(hint);
});

test.each([
  [["help", "tenant", "create"], "Usage: lading tenant create "],
  [["tenant", "help", "create"], "Usage: lading tenant create "],
  [["help", "tenant", "settings", "add", "acme"], "Usage: lading tenant settings add "],
  [["help", "tenant"], "Usage: lading tenant "],
  [["help"], "Usage: lading "],
])("%j shows the help of that command", async (args, usage) => {
  const { code, stdout } = await lading(args);
  expect([code, stdout]).toEqual([0, expect.stringMatching(new RegExp(`^${RegExp.escape(usage)}`))]);
});

test("--json prints errors as JSON, wherever it is on the command line", async () => {
  for (const args of [
    ["--json", "tenant", "crate"],
    ["mass-operation", "validate", "none.json", "--json"],
    ["help", "crate", "--json"],
    ["tenant", "--json"],
  ]) {
    const { code, stdout } = await lading(args);
    expect(JSON.parse(stdout)).toEqual({ error: expect.any(String), errorName: null, exitCode: code });
    expect(code).toBe(1);
  }
});

test("an empty variable counts as unset", async () => {
  for (const name of ["URL", "TENANT", "DATA_DIR", "OPERATOR_TOKEN", "ACCESS_TOKEN_ID"])
    vi.stubEnv(`LADING_${name}`, "");
  const tenants = await lading(["tenant", "list", "--url", (await scriptedService({})).url]);
  expect(tenants.stderr).toContain(".lading/operator-token cannot be read");
  expect((await lading(["mass-operation", "status", "task"])).stderr).toContain("http://127.0.0.1:4000");
  vi.stubEnv("LADING_URL", undefined);
  expect((await lading(["tenant", "list", "--url", ""])).stderr).toContain('"" is not an http://');
});

test("a wrong secret option is named without its value", async () => {
  const { code, stderr } = await lading(["serve", "--database-url", "mysql://ann:secret@host/shop"]);
  expect(code).toBe(1);
  expect(stderr).toMatch(/^error: --database-url is wrong: .*; it must be an address such as postgres:/);
  expect(stderr).not.toContain("ann:secret");
});

test("an address in the environment that is not one is refused as in the option", async () => {
  vi.stubEnv("LADING_URL", "nowhere");
  const { code, stderr } = await lading(["mass-operation", "status", "task", "--tenant", "acme"]);
  expect(code).toBe(1);
  expect(stderr).toContain('"nowhere" is not');
});

test("--help shows the commands and ends with code 0", async () => {
  const { code, stdout } = await lading(["--help"]);
  expect(code).toBe(0);
  for (const command of ["serve", "tenant", "mass-operation"]) expect(stdout).toContain(command);
});

test("help marks the options that a command needs, and those that may be repeated", async () => {
  const helpOf = async (words: string) =>
    (await lading([...words.split(" "), "--help"])).stdout.replace(/\s+/g, " ");
  expect(await helpOf("task prune")).toContain("days ago (required)");
  expect(await helpOf("export")).toContain("meet the condition; may be repeated (default: none)");
});

test("plan says that it runs nothing in any case", async () => {
  const { stdout } = await lading(["mass-operation", "plan", "--help"]);
  expect(stdout).not.toContain("run nothing");
});

const positions = [
  [0, 0],
  [0, 1],
  [1, 2],
  [2, 4],
  [3, 3],
  [4, 4],
];

test.each(positions)(
  "common options come before or after a command's words: at %i and %i",
  async (one, two) => {
    const file = await writeInto(folder, "shop.json", { version: "1.0.0", operations: [] });
    const args = ["mass-operation", "validate", file, "--strict"];
    const words = args.toSpliced(two, 0, "--no-interactive").toSpliced(one, 0, "--json");
    const { code, stdout, stderr } = await lading(words);
    expect([code, stderr]).toEqual([0, ""]);
    expect(JSON.parse(stdout)).toMatchObject({ errorCount: 0 });
  },
);

test("no question is asked with --no-interactive before the command", async () => {
  const asked = { stdin: { isTTY: true } };
  const { url } = await scriptedService({});
  for (const args of [
    ["--no-interactive", "login", "acme"],
    ["login", "--no-interactive", "acme"],
  ]) {
    const { code, stderr } = await lading([...args, "--url", url], asked);
    expect(code).toBe(1);
    expect(stderr).toContain("--token-id");
  }
});

test.each(["", "mass-operation", "mass-operation run"])(
  "the help of lading %s shows common options",
  async (words) => {
    const { stdout } = await lading([...words.split(" ").filter(Boolean), "--help"]);
    for (const option of ["--json", "--no-interactive"]) expect(stdout).toContain(option);
  },
);

test("the program file runs under Node by itself", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [bin, "--version"]);
  expect(stdout).toMatch(/^\d+\.\d+\.\d+ \(commit [0-9a-f]{12}\)\n$/);
  expect(stdout.startsWith(`${manifest.version} `)).toBe(true);
});

test("under a Node that is too old the program says so in a sentence and exits with 1", async () => {
  const running = promisify(execFile)(process.execPath, ["--import", oldNode, bin, "--version"]);
  const sentence =
    /^lading needs Node 22\.15 or newer; this is v[\d.]+ \(.+\)\. Install a newer one from .+\n$/;
  await expect(running).rejects.toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringMatching(sentence),
  });
});

test("SIGINT ends a running command with code 130 and a message about its task", async () => {
  const file = await writeInto(folder, "shop.json", { version: "1.0.0", operations: [] });
  const { script, polled } = endlessTask(() => service.url);
  const service: ScriptedService = await scriptedService(script);
  const args = ["mass-operation", "run", "acme", file, "--url", service.url];
  const child = spawn(process.execPath, [bin, ...args, "--token-id", "i", "--token-secret", "s"]);
  let stderr = "";
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  await Promise.race([polled, once(child, "close")]);
  child.kill("SIGINT");
  expect(await once(child, "close")).toEqual([130, null]);
  expect(stderr).toContain("lading mass-operation status task-1 --tenant acme");
});

function endlessTask(url: () => string) {
  const seen = Promise.withResolvers<void>();
  const script = happyScript(url, { states: [{ status: "running" }] });
  const { FollowTask: answer } = script;
  script.FollowTask = (variables, nth) => {
    seen.resolve();
    return answer?.(variables, nth) ?? "hang up";
  };
  return { script, polled: seen.promise };
}
