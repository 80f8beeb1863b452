import { execFile } from "node:child_process";
import { readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { beforeEach, expect, test, vi } from "vitest";
import { cleanEnvironment, lading } from "./support/lading.ts";
import { complete, operations, serviceWith, token } from "./support/runs.ts";
import { data } from "./support/scripted-service.ts";
import { entry } from "./support/scripted-task.ts";

const text = JSON.stringify({ version: "1.0.0", operations }, null, 2);
const invalid = '{ "version": "1.0.0", "operations": [\n  { "intent": "no/such" }\n] }';
let folder: string;

beforeEach(async () => {
  folder = await cleanEnvironment();
  vi.stubEnv("TMPDIR", folder);
});

const limit = (bytes = 1_000_000) => ({ UploadLimit: () => data({ tenant: { uploadMaxBytes: bytes } }) });
const stdin = (...chunks: string[]) => ({ stdin: Readable.from(chunks.map((chunk) => Buffer.from(chunk))) });
const run = (service: { url: string }, file: string, io = {}, ...flags: string[]) =>
  lading(["mass-operation", "run", "acme", file, "--url", service.url, ...token, ...flags], io);

async function compressed(name: string, bytes: Uint8Array): Promise<string> {
  const file = join(folder, name);
  await writeFile(file, bytes);
  return file;
}

const copies = async () => (await readdir(folder)).filter((name) => name.startsWith("lading-"));

test("input beyond the tenant's upload limit is refused, and its copy removed", async () => {
  const service = await serviceWith({ states: [complete] }, limit(100));
  const { code, stderr } = await run(service, "-", stdin(text, text));
  expect([code, stderr]).toEqual([1, "error: <stdin> has more than 100 bytes of JSON, the limit\n"]);
  const bomb = await compressed("bomb.json.gz", gzipSync(Buffer.alloc(50_000_000, " ")));
  expect((await run(service, bomb)).stderr).toContain("bomb.json.gz has more than 100 bytes");
  expect([service.uploads, await copies()]).toEqual([[], []]);
});

test.each([
  ["that is cut off", gzipSync(text).subarray(0, -12)],
  ["that is not compressed", Buffer.from(text)],
])("a .json.gz %s is an invalid file", async (_what, bytes) => {
  const file = await compressed("shop.json.gz", bytes);
  const { code, stderr } = await lading(["mass-operation", "validate", file]);
  expect([code, stderr]).toEqual([2, expect.stringContaining("shop.json.gz is not a complete gzip file: ")]);
});

test("Ctrl-C ends a run that waits for its standard input", async () => {
  const interrupt = new AbortController();
  const waiting = new Readable({ read: () => interrupt.abort() });
  const service = await serviceWith({ states: [complete] }, limit());
  const io = { stdin: waiting, interrupted: interrupt.signal };
  expect(await run(service, "-", io)).toMatchObject({ code: 130, stderr: "error: interrupted\n" });
  expect(await copies()).toEqual([]);
});

test("errors in standard input have their positions, and nothing is uploaded", async () => {
  const service = await serviceWith({ states: [complete] }, limit());
  const { code, stdout } = await run(service, "-", stdin(invalid));
  expect(code).toBe(2);
  expect(stdout).toMatch(/^<stdin>:2:\d+: error: /);
  expect([service.uploads, await copies()]).toEqual([[], []]);
});

test("run uploads standard input as JSON, shows positions in it, and removes its copy", async () => {
  const errors = [{ code: "X", message: "no", path: ["identifier"] }];
  const log = [entry(0, { status: "failure", message: "no", errors })];
  const service = await serviceWith({ states: [complete], log }, limit());
  const { stdout } = await run(service, "-", stdin(text.slice(0, 9), text.slice(9)));
  expect(stdout).toContain("<stdin>: 1 operation, 0 errors");
  expect(stdout).toContain("at <stdin>:6:21 /operations/0/identifier");
  const uploaded = service.uploads[0]?.at(-1)?.[1] as File;
  expect([uploaded.name, await uploaded.text(), await copies()]).toEqual(["stdin.json", text, []]);
});

test("run uploads the JSON of a .json.gz", async () => {
  const service = await serviceWith({ states: [complete] }, limit());
  const file = await compressed("shop.json.gz", gzipSync(text));
  expect(await run(service, file)).toMatchObject({ code: 0 });
  const uploaded = service.uploads[0]?.at(-1)?.[1] as File;
  expect([uploaded.name, await uploaded.text()]).toEqual(["shop.json", text]);
  expect(service.received.filter(({ operation }) => operation === "WhoAmI")).toHaveLength(1);
});

test("validate reads a .json.gz and standard input; positions are those of the decompressed text", async () => {
  const file = await compressed("shop.json.gz", gzipSync(invalid));
  const { stdout } = await lading(["mass-operation", "validate", file]);
  expect(stdout).toContain(`${file}:2:`);
  const good = await lading(["mass-operation", "validate", "-"], stdin(text));
  expect(good).toEqual({ code: 0, stdout: "<stdin>: 1 operation, 0 errors, 0 warnings\n", stderr: "" });
});

test("a run leaves no copy even when it is killed: the copy has no name while it is read", async () => {
  let during: string[] | undefined;
  const service = await serviceWith({ states: [complete] }, limit());
  const slow = Readable.from(
    (async function* () {
      yield Buffer.from(text.slice(0, 9));
      during = await copies();
      yield Buffer.from(text.slice(9));
    })(),
  );
  expect(await run(service, "-", { stdin: slow })).toMatchObject({ code: 0 });
  expect(during).toEqual([]);
});

test.skipIf(process.platform === "win32")("run reads a pipe that is named as a file", async () => {
  const service = await serviceWith({ states: [complete] }, limit());
  const pipe = join(folder, "pipe.json");
  await promisify(execFile)("mkfifo", [pipe]);
  const writing = writeFile(pipe, text);
  expect(await run(service, pipe)).toMatchObject({ code: 0 });
  await writing;
  const uploaded = service.uploads[0]?.at(-1)?.[1] as File;
  expect(await uploaded.text()).toBe(text);
});

test("a missing folder for temporary files is reported with its variable", async () => {
  vi.stubEnv("TMPDIR", join(folder, "none"));
  const service = await serviceWith({ states: [complete] }, limit());
  expect((await run(service, "-", stdin(text))).stderr).toMatch(
    /none: ENOENT.*; TMPDIR names another folder/,
  );
});
