import { exportMark } from "@lading/schema/internal";
import { expect, test } from "vitest";
import { convert as convertTable } from "./converting.ts";
import { row, workbook, zip } from "./workbooks.ts";

const map = {
  columns: { n: { type: "number" }, d: { type: "date" }, b: { type: "boolean" } },
  operations: [
    {
      intent: "customer/upsert",
      identifier: "[[id]]",
      type: "individual",
      meta: [{ key: "k", n: "[[n]]", d: "[[d]]", b: "[[b]]" }],
    },
  ],
};
const header = row("id", "n", "d", "b");

const convert = (book: Uint8Array | string, options: { sheet?: string } = {}, own: object = map) =>
  convertTable(book, own, { format: "xlsx", ...options });

/** The errors of a workbook. */
async function refused(book: Uint8Array | string, options?: { sheet?: string }): Promise<string> {
  const { isWhole, messages } = await convert(book, options);
  expect(isWhole).toBe(false);
  return messages.filter((message) => message.includes("error")).join("\n");
}

/** The errors of one cell, B2 of the sheet "Sheet". */
const refusedCell = (cell: string, parts: object = {}) =>
  refused(workbook({ sheets: { Sheet: header + row("ada", cell) }, ...parts }));

test.each([
  ["CSV", "id,n\nada,1\n", /not a workbook of XLSX; for CSV name it \.csv/],
  ["nothing", "", /not a workbook/],
  [
    "a workbook of the old form",
    Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1),
    /old form \.xls; save it as \.xlsx/,
  ],
  [
    "an encrypted workbook",
    Buffer.concat([Buffer.from("d0cf11e0", "hex"), Buffer.from("EncryptedPackage", "utf16le")]),
    /protected by a password/,
  ],
  [
    "another archive",
    zip({ mimetype: "application/vnd.oasis.opendocument.spreadsheet" }),
    /not a workbook of XLSX/,
  ],
  ["half of one", workbook({ sheets: { A: header } }).subarray(0, 900), /its end is missing/],
  ["what is not XML", workbook({ sheets: { A: `${header}<row` } }), /sheet0\.xml is not XML/],
  [
    "a document type with entities",
    workbook({ sheets: { A: "<sheetData>&lol;</sheetData>" } }),
    /is not XML/,
  ],
  ["no cells", workbook({ sheets: { A: "", B: "<row/>" } }), /no visible sheet with cells/],
  [
    "a cell beyond the last row",
    workbook({ sheets: { A: `${header}<row r="1048577"/>` } }),
    /more than 1048576 rows/,
  ],
] as const)("%s is refused", async (_, book, message) => {
  expect(await refused(book)).toMatch(message);
});

test("damaged bytes are refused", async () => {
  const book = Buffer.from(workbook({ sheets: { A: header } }));
  book.fill(0x55, book.indexOf("xl/workbook.xml") + 15, book.indexOf("xl/workbook.xml") + 40);
  expect(await refused(book)).toMatch(/workbook\.xml (?:cannot be unpacked|is not XML)/);
});

test("a workbook that grows when it is unpacked is refused before it is", async () => {
  const claiming = (size: number) =>
    workbook({ sheets: { A: header + " ".repeat(100_000) } }, { "xl/worksheets/sheet0.xml": size });
  expect(await refused(claiming(318 * 1024 ** 2))).toMatch(
    /has 318 MiB when it is unpacked, more than 100 times its size/,
  );
  expect(await refused(claiming(50_000))).toMatch(/sheet0\.xml is larger than the directory says/);
  expect(await refused(claiming(500_000))).toMatch(/sheet0\.xml is incomplete/);
});

test("a workbook named .csv is refused", async () => {
  const { messages } = await convertTable(workbook({ sheets: { A: header } }), map);
  expect(messages).toEqual([
    "table.csv:1: error: the file is not text; a workbook is named .xlsx, or takes --format xlsx",
  ]);
});

test("of several sheets one is named", async () => {
  const sheets = { First: header + row("ada"), Other: header + row("bob"), Empty: "", Hidden: header };
  const book = workbook({ sheets, states: { Hidden: "hidden" } });
  expect(await refused(book)).toMatch(/several sheets, "First", "Other": choose one \(--sheet NAME\)/);
  expect(await refused(book, { sheet: "first" })).toMatch(/no sheet "first"; did you mean "First"/);
  expect((await convert(book, { sheet: "Other" })).operations).toMatchObject([{ identifier: "bob" }]);
  const { Other: _, ...one } = sheets;
  const { operations } = await convert(workbook({ sheets: one, states: { Hidden: "veryHidden" } }));
  expect(operations).toMatchObject([{ identifier: "ada" }]);
});

test.each([
  ['<c t="e"><f>A1</f><v>#REF!</v></c>', /^table\.xlsx:Sheet!B2: error: has the error #REF! \(column "n"\)/],
  ["<c><f>A1</f></c>", /Sheet!B2: error: has a formula without a value/],
  ["<c><v>12345678901234567890</v></c>", /Sheet!B2: error: 12345678901234567000 has more digits/],
  ['<c t="s"><v>7</v></c>', /has a text that the workbook lacks/],
  ["ten", /Sheet!B2: error: "ten" is not a number/],
  ['<c s="1"><v>46053</v></c>', /Sheet!B2: error: "2026-01-31" is not a number/],
])("the cell %s is an error with its name", async (cell, message) => {
  expect(await refusedCell(cell)).toMatch(message);
});

test("cells that are merged are an error with their range, where the map reads them", async () => {
  const merged = (range: string) =>
    `<sheetData>${header}${row("ada", 1)}</sheetData><mergeCells><mergeCell ref="${range}"/></mergeCells>`;
  expect(await refused(workbook({ sheets: { Sheet: merged("B2:C3") } }))).toMatch(
    /Sheet!B2: error: the cells B2:C3 are merged/,
  );
  expect((await convert(workbook({ sheets: { Sheet: merged("F2:XFD3") } }))).isWhole).toBe(true);
});

test("values are those that the spreadsheet has", async () => {
  const formats = ["dd/mm/yyyy hh:mm", "00000", "#,##0.00 &quot;days&quot;", "[h]:mm"];
  const texts =
    "<si><t>shared &amp; co</t></si><si><r><t>ri</t></r><r><t>ch</t></r><rPh><t>no</t></rPh></si>";
  const rows = [
    row('<c t="s"><v>0</v></c>', 0.30000000000000004, '<c s="1"><v>46053.5</v></c>', '<c t="b"><v>1</v></c>'),
    row('<c t="s"><v>1</v></c>', "1e3", '<c s="5"><v>46053</v></c>', "no"),
    row('<c s="2"><v>7</v></c>', '<c s="3"><v>1.5</v></c>', '<c t="d"><v>2026-01-31</v></c>'),
    row("<c><f>A1</f><v>12</v></c>", "", ""),
    '<row hidden="1"><c t="str"><v>a_x000D_b</v></c></row>',
  ];
  const { operations, messages } = await convert(
    workbook({ sheets: { A: header + rows.join("") }, texts, formats }),
  );
  expect(messages.filter((message) => message.includes("error"))).toEqual([]);
  const day = "2026-01-31T00:00:00.000Z";
  expect(operations.map(({ identifier, meta }) => [identifier, (meta as object[])[0]])).toEqual([
    ["shared & co", { key: "k", n: 0.3, d: "2026-01-31T12:00:00.000Z", b: true }],
    ["rich", { key: "k", n: 1000, d: day, b: false }],
    ["00007", { key: "k", n: 1.5, d: day }],
    ["12", { key: "k" }],
    ["a\rb", { key: "k" }],
  ]);
});

test("days may be counted from 1904", async () => {
  const sheets = { A: header + row("ada", 1, '<c s="1"><v>44591</v></c>') };
  const book = workbook({ sheets, formats: [], properties: '<workbookPr date1904="1"/>' });
  expect((await convert(book)).operations).toMatchObject([{ meta: [{ d: "2026-01-31T00:00:00.000Z" }] }]);
});

test("rows and columns may be missing or far away", async () => {
  const far = '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>';
  const rows = `<row r="3"><c r="C3" t="inlineStr"><is><t>id</t></is></c></row><row r="9"><c r="C9"><v>5</v></c></row>${far}`;
  const { operations, counts } = await convert(
    workbook({ sheets: { A: rows } }),
    {},
    {
      operations: [{ intent: "customer/upsert", identifier: "[[id]]", type: "individual" }],
    },
  );
  expect([operations, counts.rows]).toEqual([[expect.objectContaining({ identifier: "5" })], 1]);
});

test("of an exported sheet only edited cells are written, and a date is not text", async () => {
  const own = {
    columns: { n: { type: "number", empty: "null" } },
    exported: { column: "_exported", of: ["name", "n"] },
    operations: [
      {
        $edited: ["name", "n"],
        intent: "customer/upsert",
        identifier: "[[id]]",
        type: "individual",
        firstName: "[[name]]",
        meta: [{ key: "n", n: "[[n]]" }],
      },
    ],
  };
  const marks = ["007", 2.5].map(exportMark).join("");
  const top = row("id", "name", "n", "_exported");
  const sheetOf = (...rows: string[]) => workbook({ sheets: { A: top + rows.join("") } });
  const rows = [
    row("a", "007", 2.5, marks),
    row("b", 7, 2.5, marks),
    row("c", "'=x", "", marks),
    row("d", "1E+15", 2.5, marks),
  ];
  expect((await convert(sheetOf(...rows), {}, own)).operations).toMatchObject([
    { identifier: "c", firstName: "=x", meta: [{ n: null }] },
    { identifier: "d", firstName: "1E+15" },
  ]);
  const { messages } = await convert(sheetOf(row("a", '<c s="1"><v>46053</v></c>', 2.5, marks)), {}, own);
  expect(messages).toEqual([
    expect.stringMatching(/A!B2: error: is a date, "2026-01-31", where the column has texts/),
  ]);
});

test("bounds the time for a format of numbers, and the zeros that it adds", async () => {
  const formats = ["[".repeat(100_000), "0".repeat(100_000)];
  const cells = row("id", "n") + row('<c s="1"><v>7</v></c>', 1) + row('<c s="2"><v>7</v></c>', 1);
  const start = performance.now();
  const { operations } = await convert(
    workbook({ sheets: { A: cells }, formats }),
    {},
    {
      operations: [{ intent: "customer/upsert", identifier: "[[id]]", type: "individual" }],
    },
  );
  expect(performance.now() - start).toBeLessThan(5000);
  expect(operations).toMatchObject([{ identifier: "7" }, { identifier: `${"0".repeat(254)}7` }]);
});

test("reads text in sections of character data", async () => {
  const cells = row('<c t="inlineStr"><is><t>a<![CDATA[<b>]]></t></is></c>', 1);
  const { operations } = await convert(workbook({ sheets: { A: header + cells } }));
  expect(operations).toMatchObject([{ identifier: "a<b>" }]);
});

test("reads rows of thousands of columns in time that grows with their number", async () => {
  const names = Array.from({ length: 2000 }, (_, at) => `c${at}`);
  const own = {
    operations: [
      {
        intent: "customer/upsert",
        identifier: "[[c0]]",
        type: "individual",
        meta: names.map((name) => ({ key: name, value: `[[${name}]]` })),
      },
    ],
  };
  const start = performance.now();
  const book = workbook({ sheets: { A: row(...names) + "<row/>".repeat(5000) + row("ada") } });
  expect((await convert(book, {}, own)).counts.rows).toBe(1);
  expect(performance.now() - start).toBeLessThan(5000);
});
