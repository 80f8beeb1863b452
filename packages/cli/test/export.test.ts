import { once } from "node:events";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { cleanEnvironment, lading } from "./support/lading.ts";

const columns = [
  { name: "sku", about: "SKU of the variant", isKey: true, isDefault: false, isReadOnly: true },
  { name: "name", about: "Name", isKey: false, isDefault: true, isReadOnly: false },
];
const readOnly = columns.map((column) => ({ ...column, isReadOnly: true }));
const csv = 'sku,name,_updatedAt,_exported\nmug,"two\nlines",2026-01-31T12:00:00.000Z,AbCdEf\n';
const ndjson = `${JSON.stringify({ sku: "007", name: "=1+1", stock: 3, isDefault: true, meta: [{ a: 1 }], gone: null })}\n`;

type Answers = Readonly<Record<string, string | ((response: ServerResponse) => void)>>;

/** Exports from a service that gives these answers, by format; returns also the queries that it got. */
async function exportFrom(given: Answers, file: string | undefined, ...flags: string[]) {
  const answers: Answers = {
    columns: JSON.stringify(columns),
    map: '{"operations":[]}',
    csv,
    ndjson,
    ...given,
  };
  const queries: string[] = [];
  const server = createServer(({ url = "" }, response) => {
    const { searchParams } = new URL(url, "http://service");
    queries.push(decodeURIComponent(searchParams.toString()));
    const answer = answers[searchParams.get("format") ?? ""];
    if (typeof answer === "function") answer(response);
    else response.end(answer);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const access = ["--url", `http://127.0.0.1:${port}`, "--token-id", "id", "--token-secret", "secret"];
  const target = ["acme", "variants", ...(file === undefined ? [] : [file])];
  return { ...(await lading(["export", ...target, ...flags, ...access])), queries };
}

const folder = cleanEnvironment;

test("a table whose connection breaks leaves no file, and no map", async () => {
  const home = await folder();
  const broken = (text: string) => (response: ServerResponse) =>
    void response.write(text, () => response.destroy());
  for (const [name, format, text] of [
    ["table.csv", "csv", csv],
    ["table.xlsx", "ndjson", ndjson],
  ] as const) {
    const { code, stderr } = await exportFrom({ [format]: broken(text) }, join(home, name));
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringContaining("broke before everything was read"),
    });
  }
  expect((await readdir(home)).filter((name) => name.startsWith("table"))).toEqual([]);
});

test("neither the table nor the map replaces a file, unless that is forced", async () => {
  const home = await folder();
  const [table, map] = [join(home, "table.csv"), join(home, "table.map.json")];
  for (const existing of [map, table]) {
    await writeFile(existing, "before");
    const { code, stderr } = await exportFrom({}, table);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: expect.stringMatching(/exists already; --force replaces it/),
    });
    expect(await readFile(existing, "utf8")).toBe("before");
  }
  expect(await exportFrom({}, table, "--force")).toMatchObject({ code: 0 });
  expect(await readFile(table, "utf8")).toBe(csv);
  expect(await readFile(map, "utf8")).toContain("operations");
});

test("a file whose format is not known is refused, and a workbook on standard output", async () => {
  const home = await folder();
  expect(await exportFrom({}, join(home, "table.ods"))).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("ends in none of .csv, .ndjson and .xlsx; --format says what to write"),
  });
  expect(await exportFrom({}, undefined, "--format", "xlsx")).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringContaining("name a .xlsx file"),
  });
});

test("a map that is none of an exported table is refused, and one that is chooses the columns", async () => {
  const home = await folder();
  const map = join(home, "own.map.json");
  const run = () => exportFrom({}, join(home, "own.csv"), "--map", map);
  expect(await run()).toMatchObject({ code: 1, stderr: expect.stringContaining("there is no file") });
  await writeFile(map, '{"operations": []}');
  expect(await run()).toMatchObject({ code: 1, stderr: expect.stringContaining('has no "exported"') });
  await writeFile(map, '{"exported": {"column": "_exported", "of": ["name", "stock.berlin"]}}');
  const { code, queries } = await run();
  expect(code).toBe(0);
  expect(queries.at(-1)).toBe("kind=variants&format=csv&columns=name,stock.berlin");
  expect(await readdir(home)).not.toContain("own.csv.map.json");
});

test("a kind that is read-only has no map, and the command says so", async () => {
  const home = await folder();
  const table = join(home, "orders.csv");
  const { stdout, stderr } = await exportFrom({ columns: JSON.stringify(readOnly) }, table);
  expect(stdout).toBe(`${table}: 1 row\n`);
  expect(stderr).toContain("are read-only: there is no map.");
  expect(await readdir(home)).not.toContain("orders.map.json");
});

test("only its owner may read an exported table", async () => {
  const table = join(await folder(), "mine.csv");
  await exportFrom({}, table);
  expect((await stat(table)).mode & 0o777).toBe(0o600);
});

test("standard output gets the table as it is, a line break within quotation marks included", async () => {
  const { stdout, stderr } = await exportFrom({}, undefined, "--where", "a = 1", "--where", "b = 2");
  expect(stdout).toBe(csv);
  expect(stderr).toContain("1 row");
});

test("several conditions are joined, and every option is sent", async () => {
  const flags = ["--where", "a = 1", "--where", "b = 2", "--shape", "s", "--language", "de", "--publish"];
  const { queries } = await exportFrom(
    {},
    undefined,
    ...flags,
    "--decimal",
    ",",
    "--bom",
    "--columns",
    "name",
  );
  expect(queries.at(-1)).toBe(
    "kind=variants&format=csv&columns=name&where=a+=+1+and+b+=+2&shape=s&language=de&publish=true&decimal=,&bom=true",
  );
});

test("the columns of a kind are listed, as a table or as JSON", async () => {
  const { stdout } = await exportFrom({}, undefined, "--columns", "help");
  expect(stdout).toMatch(/^sku +key +SKU of the variant\nname +default +Name$/m);
  const { stdout: json } = await exportFrom({}, undefined, "--columns", "help", "--json");
  expect(JSON.parse(json)).toEqual(columns);
});
