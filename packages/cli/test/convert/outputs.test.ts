import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { cleanEnvironment, lading, writeInto } from "../support/lading.ts";
import { customers } from "./converting.ts";

const bin = fileURLToPath(new URL("../../bin/lading.cjs", import.meta.url));

async function prepare(table = "id,name\nada,Ada\n") {
  const folder = await cleanEnvironment();
  const map = await writeInto(folder, "map.json", customers);
  const data = await writeInto(folder, "table.csv", table);
  const file = join(folder, "shop.json");
  return { folder, map, data, file, args: ["convert", data, "--map", map] };
}

test("a missing folder is reported, and nothing is left", async () => {
  const { folder, args } = await prepare();
  const { code, stderr } = await lading([...args, `${folder}/none/shop.json`]);
  expect([code, stderr]).toEqual([
    1,
    `error: cannot write ${folder}/none/shop.json: there is no folder ${folder}/none\n`,
  ]);
});

test("a folder in place of the file is reported", async () => {
  const { file, args } = await prepare();
  await mkdir(file);
  const { code, stderr } = await lading([...args, file, "--force"]);
  expect([code, stderr]).toEqual([1, expect.stringContaining(`error: cannot write ${file}: EISDIR`)]);
});

test("a file that exists is kept, unless --force is given", async () => {
  const { file, args } = await prepare();
  await writeFile(file, "mine");
  const { code, stderr } = await lading([...args, file]);
  expect([code, stderr]).toEqual([1, `error: ${file} exists already; --force replaces it\n`]);
  expect(await readFile(file, "utf8")).toBe("mine");
  expect(await lading([...args, file, "--force"])).toMatchObject({ code: 0 });
  expect(await readFile(file, "utf8")).toContain('"ada"');
});

test("a table with an error leaves the existing file, and no other", async () => {
  const { folder, file, args } = await prepare(`id,name\n${"ada,Ada\n".repeat(20_000)}bob\n`);
  await writeFile(file, "mine");
  const { code, stdout, stderr } = await lading([...args, file, "--force"]);
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toContain(`${file} is not written: `);
  expect(await readFile(file, "utf8")).toBe("mine");
  expect((await readdir(folder)).sort()).toEqual(["map.json", "shop.json", "table.csv"]);
});

test("incomplete standard output is not valid JSON, so that it cannot be run", async () => {
  const { args } = await prepare(`id,name\n${"ada,Ada\n".repeat(20_000)}bob\n`);
  const { code, stdout, stderr } = await lading(args);
  expect(code).toBe(2);
  expect(stdout).toContain('"ada"');
  expect(() => JSON.parse(stdout)).toThrow(SyntaxError);
  expect(stderr).toMatch(/has 1 error: the output is incomplete\n$/);
});

test("Ctrl-C ends a conversion that waits for its standard input, and leaves nothing", async () => {
  const { folder, file, map } = await prepare();
  const interrupt = new AbortController();
  const chunks = ["id,name\n"];
  const stdin = new Readable({
    read() {
      const chunk = chunks.shift();
      if (chunk === undefined) interrupt.abort();
      else this.push(chunk);
    },
  });
  const io = { stdin, interrupted: interrupt.signal };
  expect(await lading(["convert", "-", "--map", map, file], io)).toMatchObject({ code: 130 });
  expect((await readdir(folder)).sort()).toEqual(["map.json", "table.csv"]);
});

test("a closed pipe ends the conversion of an endless table", async () => {
  const { map } = await prepare();
  const child = spawn(process.execPath, [bin, "convert", "-", "--map", map]);
  let complaints = "";
  child.stderr.on("data", (chunk) => {
    complaints += chunk;
  });
  child.stdin.on("error", () => {});
  Readable.from(
    (function* () {
      yield "id,name\n";
      for (;;) yield "ada,Ada\n".repeat(1_000);
    })(),
  ).pipe(child.stdin);
  await once(child.stdout, "data");
  child.stdout.destroy();
  const [code] = await once(child, "close");
  expect([code, complaints]).toEqual([0, expect.not.stringContaining("EPIPE")]);
});

test("a missing table, and a truncated one, are reported", async () => {
  const { folder, map } = await prepare();
  const missing = `${folder}/none.csv`;
  expect(await lading(["convert", missing, "--map", map])).toMatchObject({
    code: 1,
    stderr: `error: there is no file ${missing}\n`,
  });
  const broken = await writeInto(folder, "table.csv.gz", "id,name\n");
  const { code, stderr } = await lading(["convert", broken, "--map", map]);
  expect([code, stderr]).toEqual([2, expect.stringContaining("table.csv.gz is not a complete gzip file: ")]);
});

test("a conversion can be run again with the same result, and validates", async () => {
  const { file, args } = await prepare();
  expect(await lading([...args, file])).toMatchObject({ code: 0, stdout: `${file}: 1 operation of 1 row\n` });
  const first = await readFile(file, "utf8");
  await lading([...args, file, "--force"]);
  expect(await readFile(file, "utf8")).toBe(first);
  expect(await lading(["mass-operation", "validate", file, "--strict"])).toMatchObject({ code: 0 });
});

test("--json reports counts and issues", async () => {
  const { file, args } = await prepare();
  const { stdout } = await lading([...args, file, "--json"]);
  expect(JSON.parse(stdout)).toEqual({
    file,
    written: true,
    rows: 1,
    leftOut: 0,
    operations: 1,
    errorCount: 0,
    warningCount: 0,
    issues: [],
  });
});
