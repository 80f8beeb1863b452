import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdir, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { beforeEach, expect, test } from "vitest";
import { png } from "../../../test/support/images/samples.ts";
import { cleanEnvironment, lading, writeInto } from "./support/lading.ts";

const images = 1_000;
let folder: string;

beforeEach(async () => {
  folder = await cleanEnvironment();
});

const register = (path: string) => ({ intent: "image/register", key: `{{ upload "${path}" }}` });
async function validate(operations: readonly object[], ...flags: string[]) {
  const file = await writeInto(folder, "shop.json", { version: "1.0.0", operations });
  return lading(["mass-operation", "validate", file, ...flags]);
}
const put = async (path: string, content: Buffer | string) => writeFile(join(folder, path), content);

test("each of ten missing pictures among a thousand is named, with its operation and line", async () => {
  await mkdir(join(folder, "images"));
  const names = Array.from({ length: images }, (_, i) => `images/${i}.png`);
  await Promise.all(names.map((name, i) => (i % 100 === 7 ? undefined : put(name, png(1, 1, i)))));
  const { code, stdout } = await validate(names.map((name) => register(`./${name}`)));
  expect(code).toBe(2);
  const lines = stdout.trimEnd().split("\n");
  expect(lines).toHaveLength(11);
  expect(lines[1]).toMatch(
    /shop\.json:1:\d+: error: there is no file \/.*\/images\/107\.png for the picture "\.\/images\/107\.png" \(operation 107, image\/register, \/operations\/107\/key\)$/,
  );
});

test.each([
  ["a folder", "is a folder", (path: string) => mkdir(path)],
  ["empty", "is empty", (path: string) => writeFile(path, "")],
  [
    "a text",
    "is not an image: GIF, PNG, JPEG, WebP, AVIF and SVG are supported",
    (path: string) => writeFile(path, "a"),
  ],
  [
    "a link out of the folder",
    "is a link that leads out of the folder of the file",
    (path: string) => symlink("/etc/hosts", path),
  ],
  ["a link to itself", "is a link that leads to itself", (path: string) => symlink(path, path)],
  ["a link to nothing", "there is no file /", (path: string) => symlink("nothing", path)],
  ["a pipe", "is not a file", async (path: string) => void execFileSync("mkfifo", [path])],
])("a picture that is %s is an error: it %s", async (_, reason, make) => {
  await make(join(folder, "a.png"));
  const { code, stdout } = await validate([register("./a.png")]);
  expect(code).toBe(2);
  expect(stdout).toContain(reason);
});

test("a picture may be large: its tenant has the limit", async () => {
  await put("a.png", png(1, 1));
  await truncate(join(folder, "a.png"), 1024 ** 3 + 1);
  expect(await validate([register("./a.png")])).toMatchObject({ code: 0 });
});

test("a picture in a folder that is a link out of the file's folder is an error", async () => {
  const other = join(folder, "other");
  const inner = join(folder, "inner");
  await mkdir(other);
  await mkdir(inner);
  await writeFile(join(other, "a.png"), png(1, 1));
  await symlink(other, join(inner, "images"));
  const file = await writeInto(inner, "shop.json", {
    version: "1.0.0",
    operations: [register("./images/a.png")],
  });
  const { code, stdout } = await lading(["mass-operation", "validate", file]);
  expect([code, stdout]).toEqual([
    2,
    expect.stringContaining("is a link that leads out of the folder of the file"),
  ]);
});

test("a picture that is not the one that its template states is an error with both digests", async () => {
  await put("a.png", png(1, 1));
  const sha256 = createHash("sha256").update(png(1, 1)).digest("hex");
  const stated = (digest: string) => ({
    intent: "image/register",
    key: `{{ upload "./a.png" sha256="${digest}" }}`,
  });
  expect(await validate([stated(sha256), stated(sha256.toUpperCase())])).toMatchObject({ code: 0 });
  const { code, stdout } = await validate([stated("0".repeat(64))]);
  expect(code).toBe(2);
  expect(stdout).toContain(`the SHA-256 of the picture "./a.png" is ${sha256}, not 0000`);
});

test("links within the folder are followed", async () => {
  await put("a.png", png(1, 1));
  await symlink("a.png", join(folder, "b.png"));
  expect(await validate([register("./b.png")])).toMatchObject({ code: 0 });
});

test("a path out of the folder is an error, and in JSON an issue with its code", async () => {
  const { code, stdout } = await validate([register("../a.png")], "--json");
  expect(code).toBe(2);
  expect(JSON.parse(stdout)).toMatchObject({
    valid: false,
    issues: [{ code: "UnusablePicture", severity: "error", operationIndex: 0, pointer: "/operations/0/key" }],
  });
});

test("a file may name 10,000 pictures, and not one more", { tags: "release" }, async () => {
  await put("a.png", png(1, 1));
  const linked = Array.from({ length: 10_001 }, (_, i) => register(`./${i}.png`));
  const { stdout } = await validate(linked, "--json");
  const { issues, errorCount } = JSON.parse(stdout);
  expect(errorCount).toBe(10_001);
  expect(issues[0].message).toContain("there is no file");
  await rm(join(folder, "shop.json"));
  const { stdout: text } = await validate([...linked.slice(0, 10_000), register("./a.png")]);
  expect(text).toContain("error: a file may name 10,000 pictures; split it (operation 10000");
});

test("pictures of standard input are looked for in the current folder", async () => {
  const text = JSON.stringify({ version: "1.0.0", operations: [register("./none.png")] });
  const stdin = Readable.from([Buffer.from(text)]);
  const { code, stdout } = await lading(["mass-operation", "validate", "-"], { stdin });
  expect([code, stdout]).toEqual([
    2,
    expect.stringContaining('there is no file none.png for the picture "./none.png"'),
  ]);
});
