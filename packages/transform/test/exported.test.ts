import { exportMark } from "@lading/schema/internal";
import fc from "fast-check";
import { expect, test } from "vitest";
import { runs } from "../../../test/support/extent.ts";
import { convert as convertTable } from "./converting.ts";

type Options = NonNullable<Parameters<typeof convertTable>[2]>;

const of = ["name", "price", "visible", "data", "stock"];

/** The map of an export of variants, whose stock nothing writes. */
const map = {
  columns: {
    price: { type: "number", empty: "null" },
    visible: { type: "boolean" },
    data: { type: "json", empty: "null" },
  },
  exported: { column: "_exported", of },
  operations: [
    { intent: "product/variant/update", sku: "[[sku]]", language: "en", name: "[[name]]", $edited: "name" },
    {
      $edited: ["price", "visible", "data"],
      intent: "customer/upsert",
      identifier: "[[sku]]",
      type: "individual",
      meta: [{ key: "m", price: "[[price]]", visible: "[[visible]]", data: "[[data]]" }],
    },
  ],
};

const exported = { name: "Tea", price: 9.5, visible: true, data: { a: [1] }, stock: 3 };
const marks = Object.values(exported).map(exportMark).join("");
const header = `sku,${of.join(",")},_updatedAt,_exported`;

const quoted = (cell: unknown) => `"${String(cell).replaceAll('"', '""')}"`;

/** A row as the export writes it, after edits of its cells. */
function rowOf(cells: Partial<Record<string, unknown>> = {}): string {
  const row = { sku: "T1", ...exported, updatedAt: "2026-11-01", marks, ...cells };
  const text = (cell: unknown) => (typeof cell === "object" ? JSON.stringify(cell) : cell);
  return Object.values(row)
    .map((cell) => quoted(text(cell)))
    .join(",");
}

const convert = (rows: string, options?: Options, head = header) =>
  convertTable(`${head}\n${rows}\n`, map, options);

const metaOf = async (rows: string, options?: Options) =>
  (await convert(rows, options)).operations.map(({ meta, name }) => meta ?? name);

test("a cell that nothing writes cannot be edited", async () => {
  const { isWhole, messages } = await convert(rowOf({ stock: 4 }));
  expect([isWhole, messages]).toEqual([
    false,
    [
      expect.stringMatching(
        /^table.csv:2: error: was edited to "4", and nothing writes.*\(column "stock"\)$/,
      ),
    ],
  ]);
});

test.each([
  ["1,23E+15", /"1,23E\+15" is what a spreadsheet shows of a long number/],
  ["#REF!", /"#REF!" is the error of a formula: write the value/],
])("what a spreadsheet shows in place of a value is refused: %s", async (name, message) => {
  expect((await convert(rowOf({ name }))).messages.join()).toMatch(message);
});

test("marks of other columns are refused", async () => {
  const { messages } = await convert(rowOf({ marks: marks.slice(6) }));
  expect(messages.join()).toMatch(/is not what the export of these columns wrote.*\(column "_exported"\)/);
});

test("a cell of JSON that is none is refused, and so is what it would lose", async () => {
  expect((await convert(rowOf({ data: "{a}" }))).messages.join()).toMatch(/"\{a\}" is not JSON: .*"data"/);
  expect((await convert(rowOf({ data: '{"a":1,"a":2}' }))).messages.join()).toMatch(/is here a second time/);
  expect((await convert(rowOf({ data: "[12345678901234567890]" }))).messages.join()).toMatch(/more digits/);
  expect((await convert(rowOf({ data: "[".repeat(90_000) }))).messages.join()).toMatch(/is not JSON/);
});

test("a table without marks is refused, unless every filled cell is to be written", async () => {
  const rows = rowOf().split(",").slice(0, -1).join(",");
  const head = header.replace(",_exported", "");
  const { messages } = await convert(rows, {}, head);
  expect(messages.join()).toMatch(/has no column "_exported".*--all-cells/);
  const { operations } = await convert(rowOf({ price: "" }).replace(/,"\w+"$/, ""), { allCells: true }, head);
  expect(operations).toMatchObject([{ name: "Tea" }, { meta: [{ visible: true, data: { a: [1] } }] }]);
  expect(operations[1]!.meta).toEqual([expect.not.objectContaining({ price: null })]);
});

test("an exported column may be deleted, but not renamed", async () => {
  const without = (row: string) => row.split(",").toSpliced(2, 1).join(",");
  const row = without(rowOf({ name: "Coffee", data: 1 }));
  expect((await convert(row, {}, without(header))).operations).toMatchObject([
    { name: "Coffee" },
    { meta: [{ data: 1 }] },
  ]);
  const { messages } = await convert(rowOf({ data: 1 }), {}, header.replace("price", "Price"));
  expect(messages).toEqual([
    'table.csv:1: error: the exported column is missing, and others were added: did you mean "Price"?; ' +
      'give it its name, or delete the others (column "price")',
  ]);
});

test("only edited cells are written, and only by operations that are for them", async () => {
  expect(await metaOf(rowOf())).toEqual([]);
  expect(await metaOf(rowOf({ price: 10 }))).toEqual([[{ key: "m", price: 10 }]]);
  expect(await metaOf(rowOf({ price: "" }))).toEqual([[{ key: "m", price: null }]]);
  expect(await metaOf(rowOf({ name: "", visible: "no" }))).toEqual([
    undefined,
    [{ key: "m", visible: false }],
  ]);
  expect(await metaOf(rowOf({ data: ' {"a": [1]} ' }))).toEqual([]);
  expect(await metaOf(rowOf({ data: '{"a": "{{b}}"}' }))).toEqual([[{ key: "m", data: { a: "\\{{b}}" } }]]);
});

test("of a row that was added, every filled cell is written", async () => {
  expect(await metaOf(rowOf({ price: "", data: "", stock: "", marks: "" }))).toEqual([
    "Tea",
    [{ key: "m", visible: true }],
  ]);
});

test("NDJSON is read as it was exported: an absent cell is unedited", async () => {
  const lines = [
    { sku: "T1", ...exported, name: "'=x", _exported: marks },
    { sku: "T2", data: [1], price: null, _exported: marks },
  ].map((row) => JSON.stringify(row));
  expect(await metaOfNdjson(lines)).toEqual(["'=x", [{ key: "m", price: null, data: [1] }]]);
  const { messages } = await convertTable('{"sku":"T1"}\n', map, { format: "ndjson" });
  expect(messages.join()).toMatch(/has no column "_exported"/);
});

const metaOfNdjson = async (lines: readonly string[]) =>
  (await convertTable(lines.join("\n"), map, { format: "ndjson" })).operations.map(
    ({ meta, name }) => meta ?? name,
  );

test("rows of a group are an operation if a cell of one of them was edited", async () => {
  const operations = [
    {
      $edited: "price",
      intent: "customer/upsert",
      identifier: "[[sku]]",
      type: "individual",
      meta: [{ $each: "row", key: "k", price: "[[price]]" }],
    },
  ];
  const grouped = { ...map, exported: { column: "_exported", of: ["price"] }, groupBy: "sku", operations };
  const mark = exportMark(1);
  const table = `sku,price,_exported\nA,1,${mark}\nA,2,${mark}\nB,1,${mark}\n`;
  const { visible: _, data: __, ...columns } = map.columns;
  expect((await convertTable(table, { ...grouped, columns })).operations).toMatchObject([
    { identifier: "A", meta: [{}, { price: 2 }] },
  ]);
});

test.each([
  [{ $edited: "prise" }, 'column that was not exported, "prise"; did you mean "price"'],
  [{ $edited: [] }, '"$edited" expects a column, or a list of columns, got a list of 0'],
  [{ $else: 1 }, '"$else" means nothing here'],
  [{ field: { $else: 1 } }, '"$else" needs "$when"'],
])("a map with the wrong %j is refused", async (fields, message) => {
  const operations = [{ intent: "customer/upsert", identifier: "[[sku]]", ...fields }];
  const { messages } = await convertTable(rowOf(), { ...map, operations });
  expect(messages.join()).toContain(message);
  const plain = await convertTable("sku\n", { operations: [{ intent: "customer/upsert", $edited: "sku" }] });
  expect(plain.messages.join()).toContain('is for a map with "exported"');
});

test("$else is the value where the conditions are not met", async () => {
  const value = { $when: { a: { not: "" } }, $else: null, text: "[[a]]" };
  const operations = [
    { intent: "customer/upsert", identifier: "x", type: "individual", value, list: [value] },
  ];
  const { operations: made } = await convertTable("a,b\n1,1\n,2\n", { operations });
  expect(made).toMatchObject([
    { value: { text: "1" }, list: [{ text: "1" }] },
    { value: null, list: [null] },
  ]);
});

/** Guards a text as the export does, so that a spreadsheet computes nothing. */
const guarded = (text: string) => (/^'*[=+\-@\t\r]/.test(text) ? `'${text}` : text);

const texts = {
  columns: {},
  exported: { column: "_exported", of: ["name"] },
  operations: [map.operations[0]],
};

test("any text comes back as it was, and is unedited", async () => {
  const text = fc.oneof(
    fc.string({ unit: "grapheme" }),
    fc.string({ unit: fc.constantFrom(..."'=+-@\t\r\"07.eE\n") }),
  );
  const property = fc.asyncProperty(text, text, async (before, after) => {
    fc.pre(!`${before}${after}`.includes("\0") && !/^="(?:[^"]|"")*"$/.test(after));
    const rowWith = (cell: string) => `T1,${quoted(cell)},${exportMark(before)}\n`;
    const table = `sku,name,_exported\n${rowWith(guarded(before))}${rowWith(guarded(after))}`;
    const { operations, messages } = await convertTable(table, texts);
    expect(messages.filter((message) => !message.includes("must not be blank"))).toEqual([]);
    const isEdited = exportMark(before) !== exportMark(after);
    const literal = (text: string) => text.replaceAll("{{", "\\{{");
    if (isEdited && after !== "") expect(operations).toMatchObject([{ name: literal(after) }]);
    else expect(operations).toHaveLength(isEdited ? 1 : 0);
  });
  await fc.assert(property, { numRuns: runs(200) });
});

test.each([
  ["007", "7"],
  ["1.50", "1.5"],
  ["-0.10", "-0.1"],
  ["1E5", "100000"],
  ["100000000000", "1E+11"],
  ["true", "TRUE"],
  ["a\r\nb", "a\nb"],
  ["007", '="007"'],
])("a text %j that a spreadsheet made %j of is unedited", async (before, after) => {
  const table = (mark: string) => `sku,name,_exported\nT1,${quoted(after)},${mark}\n`;
  expect((await convertTable(table(exportMark(before)), texts)).operations).toEqual([]);
  expect((await convertTable(table(exportMark("x")), texts)).operations.length).toBe(
    after.includes("E+") ? 0 : 1,
  );
});

test("numbers with more digits than a number keeps have different marks", () => {
  expect(exportMark("12345678901234567890")).not.toBe(exportMark("12345678901234567891"));
});

test("marks are letters, and differ", () => {
  const seen = new Set(Array.from({ length: 10_000 }, (_, index) => exportMark(`SKU-${index}`)));
  expect(seen.size).toBe(10_000);
  for (const mark of seen) expect(mark).toMatch(/^[a-zA-Z]{6}$/);
  // Tables that were exported by an earlier version come back.
  expect([null, "Tea", 9.5].map(exportMark)).toEqual(["vZntzS", "mGbMlW", "clUajT"]);
});

test("reads a long cell that is written as a formula of text", async () => {
  const name = `="${"a".repeat(9_000_000)}"`;
  const { operations } = await convertTable(`${header}\n${rowOf({ name })}\n`, map);
  expect(operations[0]!.name).toHaveLength(9_000_000);
});
