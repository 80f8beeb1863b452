import { expect, test } from "vitest";
import { convert, customers } from "./converting.ts";

const table = "id,name,Unit Price\nada,Ada,1\n";
const operation = (fields: object) => ({ operations: [{ intent: "customer/upsert", ...fields }] });

/** The messages about a map that is refused, before anything is written. */
async function refused(map: unknown): Promise<string> {
  const { isWhole, text, messages } = await convert(table, map);
  expect([isWhole, text]).toEqual([false, ""]);
  return messages.map((message) => `${message}\n`).join("");
}

test("a map that is not JSON is refused with its line and column", async () => {
  expect(await refused('{\n  "operations": [,]\n}')).toBe(
    'map.json:2:18: error: expected a value, found ","\n',
  );
});

test("a truncated map is refused at its end", async () => {
  expect(await refused('{ "operations": [')).toMatch(/^map\.json:1:18: error: .*the end/);
});

test("a duplicate key in the map is refused", async () => {
  expect(await refused('{ "when": {}, "when": {}, "operations": [] }')).toMatch(
    /^map\.json:1:15: error: the key \/when is here a second time/,
  );
});

test.each([
  ["no object", [], /expected/],
  ["no operations", {}, /"operations" is missing/],
  ["an empty list of operations", { operations: [] }, /at least 1 in the list/],
  [
    "an unknown field",
    { ...customers, groupby: "id" },
    /"groupby" is not a known field; did you mean "groupBy"/,
  ],
  ["an operation that is none", { operations: ["x"] }, /expected an operation, an object with "intent"/],
  ["no intent", { operations: [{}] }, /expected an intent, such as "product\/upsert", got nothing/],
  ["an intent by template", { operations: [{ intent: "[[id]]" }] }, /without cells and templates/],
  ["a column of an unknown type", { ...customers, columns: { id: "nubmer" } }, /did you mean "number"/],
  ["a column of no type", { ...customers, columns: { id: 1 } }, /expected a type or an object with "type"/],
  [
    "a setting that is misspelt",
    { ...customers, columns: { id: { type: "number", factr: 2 } } },
    /^map\.json:\d+:\d+: error: "factr" is not a known field; did you mean "factor".* \(columns\/id\/factr\)/,
  ],
  ["a factor of 0", { ...customers, columns: { id: { type: "number", factor: 0 } } }, /other than 0/],
  [
    "a divisor without round",
    { ...customers, columns: { id: { type: "number", divisor: 3 } } },
    /needs "round"/,
  ],
  [
    "missing for nothing",
    { ...customers, columns: { id: { type: "text", missing: "omit" } } },
    /"missing" needs/,
  ],
  [
    "empty text to replace",
    { ...customers, columns: { id: { type: "text", replace: { "": "x" } } } },
    /replaced/,
  ],
  [
    "a wrong setting of entries",
    { ...customers, columns: { id: { type: "list", separator: ",", entries: { type: "text", from: "a" } } } },
    /"from" is not a known field.*\(columns\/id\/entries\/from\)/,
  ],
  [
    "a table that is not declared",
    {
      ...customers,
      tables: { stock: { key: "SKU" } },
      columns: { id: { type: "text", lookup: { table: "stok", column: "x" } } },
    },
    /no table "stok"; did you mean "stock"\? \(columns\/id\/lookup\/table\)/,
  ],
  ["a constant named first", { ...customers, constants: { first: 1 } }, /another name \(constants\/first\)/],
  ["$first without a column", operation({ email: "[[$first]]" }), /write \[\[\$first\]\[Column\]\]/],
  [
    "a comparison of texts",
    { ...customers, when: { id: { above: 1 } } },
    /type "number" or "date" \(when\/id\/above\)/,
  ],
  [
    "a comparison with no number",
    { ...customers, columns: { id: "number" }, when: { id: { above: "1" } } },
    /"above" expects a number/,
  ],
  [
    "a comparison with no date",
    { ...customers, columns: { id: "date" }, when: { id: { above: "soon" } } },
    /"above" expects a date such as 2026-01-31/,
  ],
  ["a misspelt comparison", { ...customers, when: { id: { abov: 1 } } }, /did you mean "above"/],
  ["fields next to $value", operation({ list: [{ $value: "x", key: "y" }] }), /has no fields such as "key"/],
  ["a misspelt instruction", operation({ list: [{ $valeu: "x" }] }), /did you mean "\$value"/],
  ["$distinct of nothing", operation({ $distinct: [] }), /"\$distinct" expects a column/],
  [
    "a list that is split too often",
    {
      ...operation({ list: [{ $each: "id", $value: [{ $each: "id", $value: "x" }] }] }),
      columns: { id: { type: "list", separator: "|" } },
    },
    /"id" is an entry of the list here/,
  ],
  ["an unknown setting", { ...customers, columns: { id: { type: "number", decimals: 2 } } }, /decimal/],
  ["a wrong zone", { ...customers, columns: { id: { type: "date", zone: "CET" } } }, /expected a time zone/],
  [
    "a format without a day",
    { ...customers, columns: { id: { type: "date", format: "MM.YYYY" } } },
    /no day/,
  ],
  [
    "a format with two days",
    { ...customers, columns: { id: { type: "date", format: "DD.D.M.YYYY" } } },
    /day twice/,
  ],
  ["a list without a separator", { ...customers, columns: { id: "list" } }, /"separator" is missing/],
  [
    "a list with an empty one",
    { ...customers, columns: { id: { type: "list", separator: "" } } },
    /must not be empty/,
  ],
  [
    "$each of a column that is not a list",
    { ...operation({ list: [{ $each: "id" }] }), columns: { id: "text" } },
    /"\$each" is "row", .* or a column of the type "list" \(operations\/0\/list\/0\/\$each\)/,
  ],
  ["a condition that is none", { ...customers, when: { id: 1 } }, /expected a text, a list of texts/],
  ["conditions that are none", { ...customers, when: [] }, /expected an object, got a list of 0/],
  ["a wrong condition of an operation", operation({ $when: { id: {} } }), /expected a text, a list of texts/],
  ["$each for an operation", operation({ $each: "row" }), /for the entries of lists/],
  ["$each of something else", operation({ list: [{ $each: "rows" }] }), /"\$each" is "row"/],
  ["an unknown instruction", operation({ $if: {} }), /"\$if" means nothing here/],
  ["a template that does not parse", operation({ email: "{{ upload [[id]] " }), /not closed/],
  ["a cell that is not closed", operation({ email: "[[id]" }), /the cell \[\[id\] is not closed by \]\]/],
  ["brackets that are text", operation({ email: "[[1,2],[3]]" }), /where \[\[ is text, write \\\[\[/],
  [
    "a section that is not closed",
    operation({ email: "[[#id]]x" }),
    /no end, \[\[\/id\]\]; for a column of this name write/,
  ],
  ["a section that is not open", operation({ email: "x[[/id]]" }), /none is open/],
  ["crossed sections", operation({ email: "[[#id]][[^name]][[/id]]" }), /and \[\[\^name\]\] is open/],
  [
    "a section within braces",
    operation({ email: "{{ upload [[#id]] }}" }),
    /within \{\{ \}\}, where there are only cells/,
  ],
  [
    "a block across a section",
    operation({ email: "{{#if 1}}[[#id]]{{/if}}[[/id]]" }),
    /closes a block that is not open/,
  ],
  ["a raw block", operation({ email: "{{{{raw}}}}[[id]]{{{{/raw}}}}" }), /cannot have raw blocks/],
  [
    "a cell that is a template",
    operation({ email: "{{ [[id]] }}" }),
    /write it without braces for its value/,
  ],
  [
    "an unknown constant",
    { ...operation({ email: "[[$lan]]" }), constants: { lang: 1 } },
    /Did you mean "lang"/,
  ],
  ["a _ref with a helper", operation({ _ref: "{{ upload [[id]] }}" }), /not rendered by the run/],
  [
    "a result with a template",
    operation({ _results: { t: { id: "{{ upload [[id]] }}" } } }),
    /not rendered by the run/,
  ],
  [
    "a condition with a template",
    operation({ _ifUnchangedSince: "{{ [[id]] }}" }),
    /not rendered by the run/,
  ],
  [
    "an operation before the rows that is wrong",
    { ...customers, before: [{ intent: "customer/upsert" }] },
    /before/,
  ],
])("a map with %s is refused", async (_what, map, message) => {
  expect(await refused(map)).toMatch(message);
});

test("an unknown intent is refused with a suggestion and its position", async () => {
  expect(await refused({ operations: [{ intent: "product/upsrt" }] })).toBe(
    'map.json:4:17: error: string "product/upsrt" is not a known intent; did you mean "product/upsert" ' +
      'or "product/update"? (operations/0/intent)\n',
  );
});

test.each([
  ["{{ row.id }}", "{{ }} is a template of the run; write [[id]] for the column"],
  ["{{ upload row.[Unit Price] }}", "write [[Unit Price]] for the column"],
  ["{{ row.price.amount }}", "write [[price][amount]] for the column"],
  ["{{ row.[#] }}", "write [[\\#]] for the column"],
  ["{{ constants.language }}", "write [[$language]] for the constant"],
])("a cell written as a template is refused with the right form: %s", async (email, advice) => {
  const stderr = await refused(operation({ _ref: "[[id]]", email }));
  expect(stderr).toMatch(
    /^map\.json:6:16: error: no operation of the map has the _ref "(?:row|constants)": /,
  );
  expect(stderr).toContain(`${advice} (operations/0/email)\n`);
});

test("a column in braces is refused: no operation has that _ref", async () => {
  expect(await refused(operation({ email: "{{ id }}" }))).toContain(
    'no operation of the map has the _ref "id"; for a column of the table write [[id]]',
  );
  expect(await refused(operation({ _ref: "ada", email: "{{ adda.id }}" }))).toContain(
    'the _ref "adda"; did you mean "ada"? for a column of the table write [[adda][id]]',
  );
});

test("a missing column is refused with the nearest name and its position in the map", async () => {
  expect(await refused(operation({ email: "[[Unit Prise]]" }))).toBe(
    'map.json:5:16: error: the table has no column "Unit Prise"; did you mean "Unit Price"? ' +
      "(operations/0/email)\n",
  );
});

test("a missing column without a near name is refused with the table's columns", async () => {
  expect(await refused({ ...customers, groupBy: "warehouse" })).toContain(
    'the table has no column "warehouse"; it has "id", "name", "Unit Price" (groupBy)',
  );
});

test("a condition or a type for a missing column is refused", async () => {
  const stderr = await refused({ ...customers, when: { a_b_c: "" }, columns: { x_y_z: "number" } });
  expect(stderr).toContain("(when/a_b_c)");
  expect(stderr).toContain("(columns/x_y_z)");
});

test.each([
  ["{{ upload [[id]][[name]] }}", /\[\[id\]\] is an argument: separate arguments by white space/],
  ["{{ upload [[id]]5 }}", /\[\[id\]\] is an argument/],
  ["{{ upload 5[[id]] }}", /\[\[id\]\] is an argument/],
])("arguments without white space between them are refused: %s", async (firstName, message) => {
  expect(await refused(operation({ firstName }))).toMatch(message);
});

test("sections nested deeper than a template's blocks may be are refused", async () => {
  const firstName = "[[#id]]".repeat(1_500) + "[[/id]]".repeat(1_500);
  expect(await refused(operation({ firstName }))).toContain("more than 64 sections are nested");
});

test.each([
  ["backslashes", `[[id]]${"\\".repeat(200_000)}`],
  ["quotation marks that are not closed", `[[id]]{{ x ${'\\"'.repeat(50_000)}`],
  ["brackets", `[[id]]${"[".repeat(50_000)}`],
])("a text of many %s is parsed in linear time", async (_what, firstName) => {
  const began = performance.now();
  await convert(table, operation({ firstName }));
  expect(performance.now() - began).toBeLessThan(2_000);
});
