import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test, vi } from "vitest";
import { bin } from "../../../test/support/lading.ts";
import { cleanEnvironment, lading, writeInto } from "./support/lading.ts";
import { unusedUrl } from "./support/scripted-service.ts";

let folder: string;

beforeEach(async () => {
  folder = await cleanEnvironment();
});

test("a closed pipe changes no exit code and prints no stack trace", async () => {
  const operations = Array.from({ length: 900 }, (_, i) => ({ intent: `wrong/${i}` }));
  const file = await writeInto(folder, "wrong.json", { version: "1.0.0", operations });
  const child = spawn(process.execPath, [bin, "mass-operation", "validate", file]);
  let complaints = "";
  child.stderr.on("data", (chunk) => {
    complaints += chunk;
  });
  child.stdout.destroy();
  const [code] = await once(child, "close");
  expect(complaints).not.toContain("EPIPE");
  expect(code).toBe(2);
});

test.skipIf(process.platform !== "linux")(
  "a full disk under the output is a one-sentence error with exit code 1",
  async () => {
    const file = await writeInto(folder, "shop.json", { version: "1.0.0", operations: [] });
    const full = openSync("/dev/full", "w");
    const { status, stderr } = spawnSync(process.execPath, [bin, "mass-operation", "validate", file], {
      stdio: ["ignore", full, "pipe"],
      encoding: "utf8",
    });
    closeSync(full);
    expect([status, stderr]).toEqual([
      1,
      expect.stringMatching(/^error: the output cannot be written: ENOSPC.*\n$/),
    ]);
  },
);

test("- is not the name of a file to write", async () => {
  const refused = { code: 1, stderr: "error: cannot write to -: name a file\n" };
  expect(await lading(["mass-operation", "init", "-"])).toMatchObject(refused);
  const of = ["acme", "-", "--url", await unusedUrl(), "--token-id", "a", "--token-secret", "b"];
  expect(await lading(["mass-operation", "dump-content-model", ...of])).toMatchObject(refused);
});

test("an empty server variable is refused; the data does not go to a folder instead", async () => {
  vi.stubEnv("LADING_TO_DATABASE_URL", "");
  const { code, stderr } = await lading([
    "move-data",
    "--data-dir",
    folder,
    "--to-data-dir",
    join(folder, "to"),
  ]);
  expect([code, stderr]).toEqual([1, expect.stringContaining("LADING_TO_DATABASE_URL is empty")]);
});

/** Makes every look-up of the home folder fail, as for a user who has neither HOME nor an entry in /etc/passwd. */
const homeless = `data:text/javascript,import os from "node:os";import { syncBuiltinESMExports } from "node:module";
os.homedir=()=>{throw new Error("uv_os_homedir returned ENOENT")};syncBuiltinESMExports();`;

test("a user without a home folder can use the command, and the error says what saving a token needs", () => {
  const { LADING_CREDENTIALS: _, XDG_CONFIG_HOME: __, XDG_CACHE_HOME: ___, ...env } = process.env;
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [`--import=${homeless}`, bin, ...args], { encoding: "utf8", env });
  expect(run("--version")).toMatchObject({ status: 0, stderr: "" });
  const { status, stderr } = run("whoami");
  expect(status).toBe(1);
  expect(stderr).toMatch(/^error: this user has no home folder .* set HOME, or name a file .*\n$/);
});

test.each(["null", "[]", '{"http://127.0.0.1:4000": "x"}', '{"http://127.0.0.1:4000": {"acme": null}}', "{"])(
  "damaged credentials are reported and not replaced: %s",
  async (text) => {
    const file = await writeInto(folder, "credentials.json", text);
    const { code, stderr } = await lading(["whoami"]);
    expect([code, stderr]).toEqual([
      1,
      `error: ${file} is not a file of credentials; correct or remove it\n`,
    ]);
    const { stdout } = await lading([
      "doctor",
      "--url",
      await unusedUrl(),
      "--data-dir",
      join(folder, "none"),
    ]);
    expect(stdout).toMatch(/^problem +credentials .*is not a file of credentials/m);
    expect(stdout).toMatch(/^problem +service /m);
  },
);

test("credentials that cannot be saved are a one-sentence error with advice", async () => {
  const { keepCredentials } = await import("../src/service/credentials.ts");
  vi.stubEnv("LADING_CREDENTIALS", join(await writeInto(folder, "file", ""), "credentials.json"));
  const keeping = keepCredentials("http://a", "acme", { accessTokenId: "id", accessTokenSecret: "s" });
  await expect(keeping).rejects.toThrow(
    /^cannot keep credentials in .*; name another file by LADING_CREDENTIALS$/,
  );
});
