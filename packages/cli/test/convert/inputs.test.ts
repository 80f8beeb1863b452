import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { bin } from "../../../../test/support/lading.ts";
import { row, workbook } from "../../../transform/test/workbooks.ts";
import { cleanEnvironment, lading, type Outcome, writeInto } from "../support/lading.ts";

const ada = [{ identifier: "ada", firstName: "Zoë", type: "individual" }];

test("the delimiter and the encoding are options", async () => {
  const bytes = Buffer.from("id|name|a,b,c\nada|Zoë|x\n", "latin1");
  const args = ["--delimiter", "|", "--encoding", "windows-1252"];
  expect((await convert(bytes, customers, { args })).operations).toMatchObject(ada);
});

test.each(["table.csv.gz", "table.csv", "-"])("a compressed table is read as %s", async (name) => {
  expect((await convert(gzipSync("id,name\nada,Zoë\n"), customers, { name })).operations).toMatchObject(ada);
});

test.each([["table.ndjson"], ["table.jsonl"], ["-", "--format", "ndjson"]])(
  "NDJSON is read as %s",
  async (name, ...args) => {
    const table = '{"id":"ada","name":"Zoë","more":[1]}\r\n\n';
    expect((await convert(table, customers, { name, args })).operations).toMatchObject(ada);
  },
);

test("a list of objects is read as table.json", async () => {
  const table = JSON.stringify([{ id: "ada", name: "Zoë" }]);
  expect((await convert(table, customers, { name: "table.json" })).operations).toMatchObject(ada);
});

test("a workbook is read as table.xlsx, and an error names its cell", async () => {
  const book = workbook({
    sheets: { Notes: row("x"), "My people": row("id", "name") + row("ada", "Zoë") + row("", "{") },
  });
  const args = ["--sheet", "My people"];
  const { code, stderr } = await convert(book, customers, { name: "table.xlsx", args });
  expect([code, stderr]).toEqual([2, expect.stringMatching(/^table\.xlsx:.*error: .*identifier/)]);
  expect((await convert("id,name\n", customers, { args })).stderr).toMatch(/--sheet is for workbooks/);
  const one = workbook({ sheets: { A: row("id", "name") + row("ada", "Zoë") } });
  expect((await convert(one, customers, { name: "table.xlsx" })).operations).toMatchObject(ada);
});

test("the counts of rows are printed", async () => {
  const { stderr } = await convert("id,name\nada,A\nbob,B\n", { ...customers, when: { id: "ada" } });
  expect(stderr).toBe("1 operation of 2 rows, 1 row left out\n");
});

test("a problem of the map is printed with its position, and nothing is written", async () => {
  const { code, stdout, stderr } = await convert("id,name\n", { operations: [{ intent: "product/upsrt" }] });
  expect([code, stdout]).toEqual([2, ""]);
  expect(stderr).toMatch(/^map\.json:4:17: error: .*"product\/upsrt".* \(operations\/0\/intent\)\n$/);
});

test("a column that the table does not have is a problem of the map, too", async () => {
  const { code, stderr } = await convert("id,nmae\n");
  expect([code, stderr]).toEqual([
    2,
    'map.json:6:20: error: the table has no column "name"; did you mean "nmae"? (operations/0/firstName)\n',
  ]);
});

test("--json prints the problems of a map", async () => {
  const { code, stdout } = await convert("id,name\n", { operations: [] }, { args: ["--json"] });
  expect(code).toBe(2);
  expect(JSON.parse(stdout)).toMatchObject({ written: false, problems: [{ code: "OutOfRange", line: 2 }] });
});

test("a missing map is reported", async () => {
  const { code, stderr } = await convert("id,name\n", customers, { args: ["--map", "/nowhere/map.json"] });
  expect([code, stderr]).toEqual([1, "error: there is no file /nowhere/map.json\n"]);
});

const stockMap = {
  tables: { stock: { key: "SKU" } },
  columns: {
    Stock: { type: "number", from: "id", lookup: { table: "stock", column: "Quantity" } },
  },
  operations: [
    {
      ...{ intent: "product/variant/stock/modify", sku: "[[id]]", stockLocationIdentifier: "default" },
      ...{ operation: "overwrite", quantity: "[[Stock]]" },
    },
  ],
};

test("cells are looked up in a second table", async () => {
  const folder = await cleanEnvironment();
  const stock = join(folder, "stock.ndjson");
  await writeFile(stock, '{"SKU":"a","Quantity":7}\n');
  const { operations } = await convert("id\na\n", stockMap, { args: ["--table", `stock=${stock}`] });
  expect(operations).toMatchObject([{ sku: "a", quantity: 7 }]);
});

test("an error of a second table names its file, and nothing is written", async () => {
  const folder = await cleanEnvironment();
  const stock = join(folder, "stock.csv");
  await writeFile(stock, "SKU,Quantity\na,7\na,8\n");
  const args = ["--table", `stock=${stock}`, "$folder/out.json"];
  const { code, stderr } = await convert("id\na\n", stockMap, { args });
  expect(code).toBe(2);
  expect(stderr).toContain(`${stock}:3: error: the key "a" is on line 2, too (column "SKU")`);
  expect(stderr).toContain("out.json is not written: ");
  const json = await convert("id\na\n", stockMap, { args: [...args, "--json"] });
  expect(JSON.parse(json.stdout)).toMatchObject({ written: false, table: "stock", errorCount: 1 });
});

test.each([
  [[], 'the map reads the table "stock": add --table stock=FILE'],
  [["stok=x.csv"], 'the map has no table "stok"; did you mean "stock"?'],
  [["stock"], "--table stock: expected NAME=FILE"],
  [["stock=a", "stock=b"], "--table stock is given twice"],
  [["stock=/nowhere.csv"], "there is no file /nowhere.csv"],
])("a second table that is not there is reported: %j", async (tables, message) => {
  const args = tables.flatMap((table) => ["--table", table]);
  const { code, stderr } = await convert("id\na\n", stockMap, { args });
  expect([code, stderr]).toEqual([1, `error: ${message}\n`]);
});

test("standard input can be only one of the tables", async () => {
  const args = ["--table", "stock=-"];
  const { code, stderr } = await convert("id\na\n", stockMap, { name: "-", args });
  expect([code, stderr]).toEqual([1, expect.stringContaining("standard input can be read only once")]);
});

const raggedRows = `id,name\n${"ada\n".repeat(2_000)}`;

test("bad rows are grouped by cause, and reading stops after a thousand", async () => {
  const { code, stderr } = await convert(raggedRows);
  expect(code).toBe(2);
  expect(stderr.split("\n").slice(0, 5)).toEqual([
    expect.stringMatching(/^1,000 errors: the row has 1 cell/),
    expect.stringMatching(/^ {2}table.csv:2: error: the row has 1 cell/),
    expect.stringMatching(/^ {2}table.csv:3: error: the row has 1 cell/),
    expect.stringMatching(/^ {2}table.csv:4: error: the row has 1 cell/),
    "table.csv:1001: error: reading stops after 1000 errors",
  ]);
});

test("--all prints each bad row", async () => {
  const { stderr } = await convert(raggedRows, undefined, { args: ["--all"] });
  expect(stderr.match(/^table.csv:\d+: error: /gm)).toHaveLength(1_001);
});

test("warnings hide no errors, neither from people nor in JSON", async () => {
  const component = { id: "weight", name: "Weight", type: "numeric", config: { decimalPlaces: 2 } };
  const shape = {
    ...{ intent: "shape/upsert", identifier: "[[id]]", name: "[[name]]", type: "product" },
    components: [component],
  };
  const rows = Array.from({ length: 1_200 }, (_, i) => `shape-${i},Shape`);
  const args = ["$folder/shop.json", "--json"];
  const { stdout, stderr } = await convert(
    `id,name\n${rows.join("\n")}\nlast\n`,
    { operations: [shape] },
    { args },
  );
  expect(stderr).toMatch(/^table.csv:1202: error: the row has 1 cell/);
  expect(stderr).toMatch(/^1,200 warnings: /m);
  const all = await convert(
    `id,name\n${rows.join("\n")}\nlast\n`,
    { operations: [shape] },
    { args: ["--all"] },
  );
  expect(all.stderr).toMatch(/^table.csv:1202: error: /);
  expect(all.stderr.match(/: warning: /g)).toHaveLength(1_200);
  expect(JSON.parse(stdout).issues[0]).toMatchObject({ severity: "error", line: 1_202 });
});

const customers = {
  operations: [
    { intent: "customer/upsert", identifier: "[[id]]", firstName: "[[name]]", type: "individual" },
  ],
};

async function convert(
  table: string | Uint8Array,
  map: unknown = customers,
  { name = "table.csv", args = [] as string[] } = {},
): Promise<Outcome & { folder: string; operations: Record<string, unknown>[] }> {
  const folder = await cleanEnvironment();
  const mapFile = join(folder, "map.json");
  await writeFile(mapFile, typeof map === "string" ? map : JSON.stringify(map, null, 2));
  const bytes = typeof table === "string" ? Buffer.from(table) : Buffer.from(table);
  if (name !== "-") await writeFile(join(folder, name), bytes);
  const io = { stdin: Readable.from([bytes]) };
  const data = name === "-" ? name : join(folder, name);
  const outcome = await lading(
    ["convert", data, "--map", mapFile, ...args.map((arg) => arg.replace("$folder", folder))],
    io,
  );
  const short = (text: string) => text.replaceAll(`${folder}/`, "");
  return {
    ...outcome,
    stdout: short(outcome.stdout),
    stderr: short(outcome.stderr),
    folder,
    operations: outcome.code === 0 && outcome.stdout !== "" ? operationsIn(outcome.stdout) : [],
  };
}

const operationsIn = (text: string): Record<string, unknown>[] => JSON.parse(text).operations;

async function prepare(table = "id,name\nada,Ada\n") {
  const folder = await cleanEnvironment();
  const map = await writeInto(folder, "map.json", customers);
  const data = await writeInto(folder, "table.csv", table);
  const file = join(folder, "shop.json");
  return { folder, map, data, file, args: ["convert", data, "--map", map] };
}

test.each(["table.csv", "map.json"])("the input %s is not replaced, even with --force", async (name) => {
  const { folder, args } = await prepare();
  const { code, stderr } = await lading([...args, `${folder}/./${name}`, "--force"]);
  expect([code, stderr]).toEqual([
    1,
    `error: ${folder}/./${name} is read by this command; name another file to write\n`,
  ]);
});

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

test("a table with an error leaves the file that is there, and nothing next to it", async () => {
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

const shopify = ["--preset", "shopify-products"];
const shopifyTable = "Handle,Title,Variant Price\ntea,Tea,9.50\n";

test.each([
  [["--preset", "shopify-product"], 'there is no preset shopify-product; did you mean "shopify-products"?'],
  [["--preset", "magento"], "there is no preset magento; "],
  [[...shopify, "--map", "map.json"], "give --map or --preset, not both"],
  [[], "name a map: --map FILE, or --preset NAME"],
  [["--write-map", "/nowhere/map.json"], "add --preset NAME"],
  [["--write-map", "/nowhere/map.json", ...shopify], "there is no folder /nowhere"],
  [[...shopify, "--path", "rows"], "--path is for --format json, and "],
])("%j is a usage error", async (args, message) => {
  const { data } = await prepare(shopifyTable);
  const { code, stdout, stderr } = await lading(["convert", data, ...args]);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toContain(message);
});

test("a preset without a table is a usage error, and help lists the presets", async () => {
  const { code, stderr } = await lading(["convert", ...shopify]);
  expect([code, stderr]).toEqual([1, expect.stringContaining("name the table to convert")]);
  expect(await lading(["convert", "--preset", "help"])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^shopify-products +Shopify's products/m),
  });
});

test("a table that is not the preset's export is refused, with the preset and its line", async () => {
  const { data } = await prepare("Handel,Title,Variant Price\ntea,Tea,9.50\n");
  const { code, stderr } = await lading(["convert", data, ...shopify]);
  expect(code).toBe(2);
  expect(stderr).toMatch(
    /^preset shopify-products:\d+:\d+: error: the table has no column "Handle"; did you mean "Handel"\?/m,
  );
});

test("the map of a preset is written, converts alike, and is replaced only by --force", async () => {
  const { folder, data } = await prepare(shopifyTable);
  const map = join(folder, "own.json");
  const write = ["convert", ...shopify, "--write-map", map];
  expect((await lading(write)).code).toBe(0);
  const byPreset = await lading(["convert", data, ...shopify]);
  expect(operationsIn(byPreset.stdout)).toMatchObject([
    { intent: "shape/upsert" },
    { intent: "product/upsert", name: "Tea", variants: [{ sku: "tea" }] },
    { intent: "item/publish", resourceIdentifier: "tea" },
  ]);
  expect((await lading(["convert", data, "--map", map])).stdout).toBe(byPreset.stdout);
  expect(await lading(write)).toMatchObject({ code: 1, stderr: expect.stringContaining("exists already") });
  expect((await lading([...write, "--force"])).code).toBe(0);
});

test("a preset that makes its map of the export needs its file, and refuses any other document", async () => {
  const contentful = ["--preset", "contentful"];
  const { data } = await prepare('{"entries":[]}');
  expect(await lading(["convert", ...contentful, "--write-map", "map.json"])).toMatchObject({
    code: 1,
    stderr: "error: name the export: the preset makes its map of it\n",
  });
  expect(await lading(["convert", "-", ...contentful])).toMatchObject({
    code: 1,
    stderr: "error: name the export's file: the preset reads it twice\n",
  });
  expect(await lading(["convert", data, ...contentful])).toMatchObject({
    code: 2,
    stdout: "",
    stderr: expect.stringContaining("it is not an export of Contentful"),
  });
  const noJson = await prepare("id,name\n");
  expect(await lading(["convert", noJson.data, ...contentful])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("the file is not one JSON document"),
  });
});

test("the map of a preset does not replace the export, even with --force", async () => {
  const document = '{"contentTypes":[{"sys":{"id":"post"}}],"entries":[],"locales":[{"code":"en"}]}';
  const { data } = await prepare(document);
  const { code, stderr } = await lading([
    ...["convert", data, "--preset", "contentful", "--write-map", data, "--force"],
  ]);
  expect([code, stderr]).toEqual([1, expect.stringContaining("is read by this command")]);
  expect(await readFile(data, "utf8")).toBe(document);
});
