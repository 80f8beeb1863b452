import { mkdir, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { beforeEach, expect, test } from "vitest";
import { agent } from "../support/agent.ts";
import { cleanEnvironment, writeInto } from "../support/lading.ts";
import { token } from "../support/runs.ts";

let folder: string;
let files: string;

beforeEach(async () => {
  folder = await cleanEnvironment();
  files = join(folder, "files");
  await mkdir(files);
});

const started = () => agent("acme", "--files", files, ...token);
const group = (identifier: string) => ({ intent: "customer/group/upsert", identifier, name: "G" });

test("a file outside the folder is not read, whatever its path, and nothing of it is in the answer", async () => {
  const outside = await writeInto(folder, "secret.json", '{"password": "hunter2"}');
  await symlink(outside, join(files, "link.json"));
  await symlink(folder, join(files, "up"));
  const { call } = await started();
  for (const file of [outside, "../secret.json", "link.json", "up/secret.json", "./../files/../secret.json"])
    for (const name of ["validate", "plan"]) {
      const { isError, text } = await call(name, { file });
      expect(isError, file).toBe(true);
      expect(text).toContain("the folder of --files");
      expect(text).not.toContain("hunter2");
    }
});

test.each([
  ["shop.txt", "a file's name ends in .json or .json.gz"],
  ["none.json", "there is no file none.json"],
  ["folder.json", "folder.json is a folder"],
  ["broken.json.gz", "is not a complete gzip file"],
])("the file %s is refused, and the message says why", async (file, message) => {
  await mkdir(join(files, "folder.json"));
  await writeInto(files, "broken.json.gz", "not gzip");
  const { call } = await started();
  const { isError, data } = await call("validate", { file });
  expect({ isError, error: data.error }).toEqual({ isError: true, error: expect.stringContaining(message) });
});

test("issues of a file have a place, errors come first, and pages have each of them once", async () => {
  const operations = [
    group("a"),
    ...Array.from({ length: 70 }, (_, i) => ({ ...group(`g${i}`), nme: "x" })),
    {},
  ];
  await writeInto(files, "shop.json", JSON.stringify({ version: "1.0.0", operations }, null, 1));
  const { call } = await started();
  const first = await call("validate", { file: "shop.json", limit: 50 });
  expect(first.says).toMatch(/^Invalid: .* file: 72 operations, 1 error, 70 warnings/);
  expect(first.data.issues[0]).toMatchObject({ severity: "error", at: expect.stringMatching(/^\d+:\d+$/) });
  expect(first.data.issues[1].message).toContain("name");
  const [, next] = /For more: skip (\d+)/.exec(first.says) ?? [];
  const rest = await call("validate", { file: "shop.json", limit: 50, skip: Number(next) });
  expect(first.data.issues.length + rest.data.issues.length).toBe(71);
  expect(rest.says).not.toContain("For more");
});

test("a compressed file is read, and with strict a warning is an error", async () => {
  const json = JSON.stringify({ version: "1.0.0", operations: [{ ...group("a"), nme: "x" }] });
  await writeFile(join(files, "shop.json.gz"), gzipSync(json));
  const { call } = await started();
  expect((await call("validate", { file: "shop.json.gz" })).says).toMatch(/^Valid\. .*1 warning/);
  expect((await call("validate", { file: "shop.json.gz", strict: true })).says).toMatch(/^Invalid/);
});

test("operations that are too many or too large are refused before they are checked", async () => {
  const { call } = await started();
  const large = await call("validate", { operations: [{ ...group("a"), name: "x".repeat(1024 * 1024) }] });
  expect(large.data.error).toMatch(
    /^the operations have 1,048,\d\d\d characters, and 1,048,576 are allowed: write a file/,
  );
  const many = await call("validate", { operations: Array.from({ length: 1_001 }, () => group("a")) });
  expect({ isError: many.isError, text: many.text }).toMatchObject({
    isError: true,
    text: expect.stringMatching(/1000/),
  });
  const wide = await call("validate", { operations: [{ ...group("a"), meta: Array(100_001).fill(0) }] });
  expect(wide.text).toContain("more than the maximum of 100000 elements");
});

test("operations without a file name no pictures of this machine", async () => {
  const { call } = await started();
  const { says, data } = await call("validate", {
    operations: [{ intent: "image/register", key: '{{ upload "./a.png" }}' }],
  });
  expect(says).toMatch(/^Invalid/);
  expect(data.issues[0].message).toContain("name the picture in a file");
});
