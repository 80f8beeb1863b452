import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { convert, customers } from "./converting.ts";

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

test("the counts of rows are printed", async () => {
  const { stderr } = await convert("id,name\nada,A\nbob,B\n", { ...customers, when: { id: "ada" } });
  expect(stderr).toBe("1 operation of 2 rows, 1 row left out\n");
});

test("a problem of the map is printed with its place, and nothing is written", async () => {
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
