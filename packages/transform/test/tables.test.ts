import { expect, test } from "vitest";
import { firstRows } from "../src/index.ts";
import { chunksOf, convert, customers } from "./converting.ts";

const ada = [{ identifier: "ada", firstName: "Zoë", type: "individual" }];

test.each([
  ["commas", "id,name\nada,Zoë\n"],
  ["semicolons, although cells hold commas", 'id;name;"a,b,c,d"\nada;Zoë;x\n'],
  ["tabs", "id\tname\nada\tZoë"],
  ["other line ends and empty lines", "id,name\r\n\r\nada,Zoë\r\n\r\n"],
  ["a byte order mark and a header in quotation marks", '\uFEFF"id","name"\nada,Zoë\n'],
])("a table with %s is read", async (_what, table) => {
  expect((await convert(table)).operations).toMatchObject(ada);
});

test("a delimiter that is named is taken", async () => {
  const { operations } = await convert("id|name|a,b,c\nada|Zoë|x\n", customers, { delimiter: "|" });
  expect(operations).toMatchObject(ada);
});

test.each([
  ["windows-1252", Buffer.from("id,name\nada,Zoë\n", "latin1")],
  ["latin1", Buffer.from("id,name\nada,Zoë\n", "latin1")],
  ["utf-16le", Buffer.from("\uFEFFid,name\nada,Zoë\n", "utf16le")],
  ["utf-16be", Buffer.from("\uFEFFid,name\nada,Zoë\n", "utf16le").swap16()],
] as const)("a table in %s is read", async (encoding, table) => {
  expect((await convert(table, customers, { encoding })).operations).toMatchObject(ada);
});

test("the objects of NDJSON are rows", async () => {
  const table = '{"id":"ada","name":"Zoë","more":[1]}\r\n\n';
  expect((await convert(table, customers, { format: "ndjson" })).operations).toMatchObject(ada);
});

test("a header alone makes a file without operations", async () => {
  const { operations, counts } = await convert("id,name\n");
  expect([operations, counts]).toEqual([[], { rows: 0, leftOut: 0, operations: 0 }]);
});

test.each([
  ["csv", "id,note,note\nada,x,y\n\nbob,,\neve,,\n", [2, 4]],
  ["ndjson", '{"id":"ada","note":"x"}\n{"id":"bob","more":[1]}\n{"late":1}\n', [1, 2]],
] as const)(
  "the first rows of %s have all cells, whatever the columns are named",
  async (format, table, lines) => {
    const { columns, rows } = await firstRows(chunksOf(table), { format, encoding: "utf-8" }, 2);
    expect(rows.map(({ line }) => line)).toEqual(lines);
    expect(columns.slice(0, 2)).toEqual(["id", "note"]);
    expect(rows.map(({ cells }) => cells.slice(0, 2).map((cell) => cell ?? ""))).toEqual([
      ["ada", "x"],
      ["bob", ""],
    ]);
  },
);

test.each([
  ["[{}]", undefined],
  ['{"data":{"items":[{}]}}', "data.items"],
])("the objects of a list in a JSON document are rows: %s at %s", async (document, path) => {
  const table = document.replace("{}", '{"id":"ada","name":"Zoë","more":[1]}');
  const options = { format: "json", ...(path !== undefined && { path }) } as const;
  expect((await convert(table, customers, options)).operations).toMatchObject(ada);
});
