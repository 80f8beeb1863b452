import { expect, test } from "vitest";
import { convert, customers } from "./converting.ts";

const latin1 = (text: string) => Buffer.from(text, "latin1");
const utf16 = (text: string) => Buffer.from(`\uFEFF${text}`, "utf16le");
const typed = (settings: unknown) => ({ ...customers, columns: { name: settings } });

/** The first message about a table that is refused. */
async function refused(...of: Parameters<typeof convert>): Promise<string> {
  const { isWhole, messages } = await convert(...of);
  expect(isWhole).toBe(false);
  return messages[0]!;
}

test.each([
  ["an empty file", "", "table.csv:1: error: the file is empty; it begins with a header"],
  [
    "nothing but a byte order mark",
    "\uFEFF",
    "table.csv:1: error: the file is empty; it begins with a header",
  ],
  ["nothing but empty lines", "\n\r\n", "table.csv:1: error: the file is empty; it begins with a header"],
  [
    "a row with too few cells",
    "id,name\n\nada\n",
    "table.csv:3: error: the row has 1 cell, and the header 2",
  ],
  [
    "a row with too many cells",
    'id,name\n"a\r\nda",Ada\nada,Ada,x\n',
    "table.csv:4: error: the row has 3 cells, and the header 2",
  ],
  [
    "a quotation mark that is not closed",
    'id,name\nada,Ada\nbob,"Bob\ncyd,Cyd\n',
    'table.csv:3: error: a quotation mark is opened in this row and never closed (column "name")',
  ],
  [
    "a quotation mark inside a cell",
    'id,name\nada,5" pipe\n',
    'table.csv:2: error: a quotation mark is inside a cell; quote the cell, and write "" for ' +
      'one (column "name")',
  ],
  [
    "text behind a quotation mark",
    'id,name\nada,"Ada"a\n',
    'table.csv:2: error: text follows a closed quotation mark; one inside a cell is written as "" (column "name")',
  ],
  ["U+0000", "id,name\nada,A\0a\n", "table.csv:2: error: the file contains the character U+0000"],
  [
    "a header that has a column twice",
    "id,name,id\n",
    "table.csv:1: error: the header has this column twice",
  ],
])("a table with %s is refused", async (_what, table, message) => {
  expect(await refused(table)).toContain(message);
});

test("a duplicate column is accepted unless the map reads it", async () => {
  const { operations } = await convert("x,id,x,name\n1,ada,2,Ada\n");
  expect(operations).toMatchObject([{ identifier: "ada", firstName: "Ada" }]);
});

test("a table that is not UTF-8 is refused with the line and what to try", async () => {
  expect(await refused(latin1("id,name\nada,Ada\nzoe,Zoë\n"))).toBe(
    "table.csv:3: error: the byte 0xEB is not UTF-8; if a spreadsheet wrote the file, try the encoding windows-1252",
  );
});

test("a table that ends within a character is refused", async () => {
  const bytes = Buffer.from("id,name\nada,Zoë");
  expect(await refused(bytes.subarray(0, -1))).toContain("table.csv:2: error: the byte 0xC3 is not UTF-8");
});

test.each([
  ["with a byte order mark", utf16("id,name\n"), "the file is UTF-16, not UTF-8: its encoding is utf-16le"],
  [
    "without one",
    utf16("id,name\n").subarray(2),
    "U+0000; if it is UTF-16, its encoding is utf-16le or utf-16be",
  ],
])("a table in UTF-16 %s is refused with the option to give", async (_what, table, message) => {
  expect(await refused(table)).toContain(
    `table.csv:1: error: ${message.startsWith("U") ? "the file contains the character " : ""}${message}`,
  );
});

test("bytes that are not of the named encoding are refused", async () => {
  const bytes = Buffer.concat([utf16("id,name\nada,"), Buffer.from([0x00, 0xd8, 0x41, 0x00])]);
  const message = "the file is not utf-16le, from about this line on";
  expect(await refused(bytes, customers, { encoding: "utf-16le" })).toContain(message);
});

test.each([
  ["number", "12 apples", '"12 apples" is not a number'],
  ["number", "12,50", 'is not a number; for a decimal comma give the column "decimal": ","'],
  ["number", "1.200.000", 'is not a number; for marks between thousands give the column "thousands"'],
  ["number", "1e999", '"1e999" is not a number'],
  ["number", "12345678901234567890", "has more digits than a number keeps; make it text"],
  [{ type: "number", decimal: ",", thousands: "." }, "1.20,5", '"1.20,5" is not a number'],
  [{ type: "number", empty: "refuse" }, " ", "is empty"],
  [
    "boolean",
    "maybe",
    '"maybe" is neither true nor false; the column takes "true", "yes", "1", "false", "no", "0"',
  ],
  ["date", "31.01.2026", '"31.01.2026" is not a date of the form 2026-01-31 or 2026-01-31T12:00:00Z'],
  ["date", "2026-02-29", '"2026-02-29" is not a date'],
  [{ type: "date", format: "D.M.YYYY HH:mm" }, "1.2.2026 24:00", "is not a date of the form D.M.YYYY HH:mm"],
  [{ type: "date", format: "D.M.YYYY" }, "1/2/2026", "is not a date of the form D.M.YYYY"],
  [{ type: "list", separator: "|", empty: "refuse" }, " | ", "is empty"],
  [
    { type: "number", factor: 0.1 },
    "1.2345678901234567",
    'more digits than are kept; give the column "round"',
  ],
  [{ type: "text", values: { red: "r" }, missing: "refuse" }, "rde", 'did you mean "red"?'],
  [{ type: "list", separator: "|", entries: "number" }, "1|x", '"x" is not a number'],
  [
    { type: "list", separator: "|", entries: { type: "list", separator: "," } },
    Array(400).fill("a,".repeat(400)).join("|"),
    "has more than 100000 entries",
  ],
  [{ type: "text", replace: { x: "y".repeat(1000) } }, "x".repeat(20_000), "longer than the limit"],
  [{ type: "list", separator: "|" }, "|".repeat(100_000), "has more than 100000 entries"],
])("a cell of type %j is refused: %.40s", async (settings, cell, message) => {
  const stderr = await refused(`id,name\nada,"${cell}"\n`, typed(settings));
  expect(stderr).toMatch(/^table\.csv:2: error: .* \(column "name"\)$/);
  expect(stderr).toContain(message);
});

test("a value that the operation does not accept is reported with line and column", async () => {
  const map = {
    operations: [{ intent: "customer/upsert", identifier: "[[id]]", type: "[[name]]" }],
  };
  expect(await refused("id,name\nada,individual\nbob,person\n", map)).toMatch(
    /^table\.csv:3: error: \/type: expected one of .*got string "person".* \(column "name"\)$/,
  );
});

test("a cell that the map reads twice is reported once", async () => {
  const fields = { intent: "customer/upsert", identifier: "[[name]]", firstName: "[[name]]" };
  const map = { columns: { name: "number" }, operations: [fields, fields] };
  const { messages } = await convert("id,name\nada,Ada\n", map);
  expect(messages).toEqual(['table.csv:2: error: "Ada" is not a number (column "name")']);
});

test("in a list the line is that of the entry's row", async () => {
  const meta = [{ $each: "row", $when: { name: { not: "" } }, key: "[[name]]", value: "[[value]]" }];
  const map = {
    groupBy: "id",
    columns: { value: "number" },
    operations: [{ intent: "customer/upsert", identifier: "[[id]]", type: "individual", meta }],
  };
  expect(await refused("id,name,value\nada,,1\nada,a,\nada,b,2\n", map)).toMatch(
    /^table\.csv:4: error: \/meta\/1\/value: .* \(column "value"\)$/,
  );
});

test("a group whose rows are not consecutive is refused with both lines", async () => {
  const stderr = await refused("id,name\nada,A\nbob,B\nada,C\n", { ...customers, groupBy: "id" });
  expect(stderr).toBe(
    "table.csv:4: error: this group has rows from line 2 on, and others were between; sort the rows by it",
  );
});

test("a group too large for an operation is refused", async () => {
  const table = `id,name\n${"ada,A\n".repeat(100_001)}`;
  expect(await refused(table, { ...customers, groupBy: "id" })).toContain(
    "table.csv:100002: error: the group that begins on line 2 has more than 100000 rows",
  );
});

test("a row that is too long is refused without reading it into memory", async () => {
  const table = Buffer.concat([Buffer.from('id,name\nada,"'), Buffer.alloc(17 * 1024 ** 2, "x")]);
  expect(await refused(table)).toBe(
    "table.csv:2: error: the row is longer than 16 MiB, the limit; perhaps a quotation mark is opened in it and not " +
      'closed (column "name")',
  );
});

test.each([
  [
    "that is not JSON",
    '{"id":"ada","name":"Ada"}\n\n{"id":\n',
    /^table\.ndjson:3: error: the line is not JSON: /,
  ],
  ["that is a list", "[]\n", /^table\.ndjson:1: error: expected an object, got a list/],
  ["that is null", "null\n", /^table\.ndjson:1: error: expected an object, got null/],
  [
    "that is too long",
    `{"id":"${"x".repeat(17 * 1024 ** 2)}`,
    /^table\.ndjson:1: error: the line is longer than 16 MiB/,
  ],
  ["with U+0000", '{"id":"\\u0000"}', /^table\.ndjson:1: error: contains U\+0000, .* \(column "id"\)/],
  ["with half of a pair", '{"id":"\\ud800"}', /^table\.ndjson:1: error: contains half of a surrogate pair/],
  [
    "with a long number",
    '{"id":12345678901234567890}',
    /^table\.ndjson:1: error: 12345678901234567890 has more digits/,
  ],
  [
    "with 100,000 nested lists",
    `{"id":"bob","name":"Bob"}\n{"id":"ada","name":${"[".repeat(100_000)}${"]".repeat(100_000)}}`,
    /^table\.ndjson:2: error: objects and lists may be nested 64 deep, and those of the row are deeper$/,
  ],
])("a line of NDJSON %s is refused", async (_what, table, message) => {
  expect(await refused(table, customers, { format: "ndjson" })).toMatch(message);
});

test("a value of NDJSON that makes an operation too deep for a file is refused", async () => {
  const map = { operations: [{ intent: "order/update", id: "[[id]]", meta: [[["[[name]]"]]] }] };
  const table = `{"id":"ada","name":${"[".repeat(60)}${"]".repeat(60)}}`;
  expect(await refused(table, map, { format: "ndjson" })).toBe(
    "table.ndjson:1: error: objects and lists may be nested 64 deep in a file, and the operation is deeper",
  );
});

test("an empty NDJSON file is refused", async () => {
  expect(await refused("\n", customers, { format: "ndjson" })).toBe(
    "table.ndjson:1: error: the file is empty",
  );
});

test("a key with a dot is a warning that says how to write a nested value", async () => {
  const map = { operations: [{ ...customers.operations[0], firstName: "[[name.first]]" }] };
  const { messages } = await convert('{"id":"ada","name":{"first":"Ada"}}', map, { format: "ndjson" });
  expect(messages[0]).toContain(
    'no object has the key "name.first"; a value within "name" is written [[name][first]]',
  );
});

test("a key that no object has is a warning with the nearest one", async () => {
  const { isWhole, messages } = await convert('{"id":"ada","nmae":"Ada"}', customers, { format: "ndjson" });
  expect(isWhole).toBe(true);
  expect(messages).toEqual([
    'table.ndjson: warning: no object has the key "name"; did you mean "nmae"? (column "name")',
  ]);
});

test("reading stops after a thousand bad rows", async () => {
  const { messages } = await convert(`id,name\n${"ada\n".repeat(2_000)}`);
  expect(messages).toHaveLength(1_001);
  expect(messages.at(-1)).toBe("table.csv:1001: error: reading stops after 1000 errors");
});

test("an argument that a template cannot have is reported with its own column", async () => {
  const map = { operations: [{ ...customers.operations[0], firstName: "[[name]] {{ upload [[path]] }}" }] };
  const { messages } = await convert("id,name,path\nada,Ada,C:\\\n", map);
  expect(messages).toEqual([
    'table.csv:2: error: an argument of a helper or a block cannot end with a backslash (column "path")',
  ]);
});

test("a cell that cannot be compared is an error of its row", async () => {
  const [operation] = customers.operations;
  const map = {
    columns: { name: "number" },
    when: { name: { above: 1 } },
    operations: [{ ...operation, firstName: "A" }],
  };
  expect(await refused("id,name\nada,2\nbob,x\n", map)).toBe(
    'table.csv:3: error: "x" is not a number (column "name")',
  );
});

test("an error of the group's first row names its line", async () => {
  const map = {
    columns: { price: "number" },
    groupBy: "id",
    operations: [
      { ...customers.operations[0], meta: [{ $each: "row", key: "k", value: "[[$first][price]]" }] },
    ],
  };
  const { messages } = await convert("id,name,price\nada,A,x\nada,B,1\n", map);
  expect(messages).toEqual(['table.csv:2: error: "x" is not a number (column "price")']);
});

test.each([
  ["[", undefined, /^table\.json: error: the file is not one JSON document: /],
  [" \n", undefined, /^table\.json:1: error: the file is empty/],
  ['{"id":1}\n{"id":2}', undefined, /not one JSON document/],
  [
    '{"rows":[],"more":1}',
    undefined,
    /the document is an object with "rows" and "more", not a list of objects; lists are at "rows"$/,
  ],
  [
    '{"rows":[],"more":1}',
    "row",
    /the path "row" leads to nothing, not a list of objects; lists are at "rows"$/,
  ],
  ['{"a":{"b":3}}', "a.b", /the path "a\.b" is the number 3, not a list of objects$/],
  ['{"a":3}', "a.constructor", /the path "a\.constructor" leads to nothing/],
  ['{"a":[{"id":"x","name":"X"},3]}', "a", /^table\.json:\/a\/1: error: expected an object, got a number$/],
  [
    '[\n{"id":"\\\\","name":12345678901234567890}]',
    undefined,
    /^table\.json:2: error: 12345678901234567890 has more digits than a number keeps/,
  ],
  ['[{"id":"\\"\\u0000"}]', undefined, /^table\.json:1: error: contains U\+0000/],
  ['[{"\\ud800":1}]', undefined, /^table\.json:1: error: contains half of a surrogate pair/],
  [
    `[{"id":"x","name":${"[".repeat(70)}${"]".repeat(70)}}]`,
    undefined,
    /^table\.json:\/0: error: .*nested 64 deep/,
  ],
])("the JSON document %j at %j is refused", async (table, path, message) => {
  const options = { format: "json", ...(path !== undefined && { path }) } as const;
  expect(await refused(table, customers, options)).toMatch(message);
});

test("a JSON document of more than 128 MiB is refused before it is parsed", async () => {
  const table = new Uint8Array(129 * 1024 ** 2).fill(0x20);
  expect(await refused(table, customers, { format: "json" })).toMatch(
    /^table\.json: error: the document is larger than 128 MiB, the limit; NDJSON has none$/,
  );
});
