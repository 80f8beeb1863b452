import { expect, test } from "vitest";
import { DataIssues } from "../src/issues.ts";
import { compileMap } from "../src/map/compile-map.ts";
import { operationsOf } from "../src/operations.ts";
import { convert, customers } from "./converting.ts";

/** Fills in a text of a map with these cells, by column. */
function filled(text: unknown, cells: Record<string, unknown>, rest: object = {}): unknown {
  const map = { ...rest, operations: [{ intent: "customer/upsert", value: text }] };
  const { map: compiled, problems } = compileMap(JSON.stringify(map));
  if (compiled === undefined) throw new Error(JSON.stringify(problems));
  const row = { line: 2, cells: compiled.columns.names.map((name) => cells[name]) };
  const issues = new DataIssues();
  const [operation = "{}"] = operationsOf([row], compiled, issues);
  return JSON.parse(operation).value;
}

test.each([
  ["number", "-12.50", -12.5],
  ["number", "+1234567890.12345", 1_234_567_890.12345],
  ["number", "", undefined],
  ["number", "1E+05", 100_000],
  [{ type: "number", empty: "null" }, "", null],
  [{ type: "number", decimal: "," }, " 12,5 ", 12.5],
  [{ type: "number", decimal: ",", thousands: "." }, "1.234.567,5", 1_234_567.5],
  [{ type: "number", thousands: "'" }, "1’234", 1234],
  [{ type: "number", decimal: ",", thousands: " " }, "1\u202F234,5", 1234.5],
  ["boolean", "YES", true],
  ["boolean", "0", false],
  [{ type: "boolean", true: ["x"], false: ["-"] }, "X", true],
  ["date", "2026-01-31", "2026-01-31T00:00:00.000Z"],
  ["date", "2026-01-31T12:00:00.5-02:00", "2026-01-31T14:00:00.500Z"],
  [{ type: "date", format: "D.M.YYYY", zone: "+01:00" }, "1.3.2026", "2026-02-28T23:00:00.000Z"],
  [{ type: "date", format: "MM/DD/YYYY HH:mm:ss" }, "02/29/2028 23:59:58", "2028-02-29T23:59:58.000Z"],
  ["text", " 12 ", " 12 "],
  ["text", "", undefined],
  [{ type: "text", empty: "keep" }, "", ""],
  [{ type: "number", factor: 0.01 }, "1999", 19.99],
  [{ type: "number", factor: 0.01 }, 1999, 19.99],
  [{ type: "number", factor: -1 }, "0.1", -0.1],
  [{ type: "number", divisor: 1.19, round: 2 }, "119.99", 100.83],
  [{ type: "number", round: 2 }, "-1.005", -1.01],
  [{ type: "number", round: 0 }, "-0.4", 0],
  [{ type: "number", replace: { "€": "" }, decimal: "," }, "€ 12,50", 12.5],
  [{ type: "number", values: { "sold out": 0 } }, " sold out ", 0],
  [{ type: "text", values: { ja: true, "": "x" } }, "ja", true],
  [{ type: "text", values: { ja: true } }, "jain", "jain"],
  [{ type: "text", values: { ja: null }, missing: "null" }, "nein", null],
  [{ type: "text", values: { ja: true }, missing: "omit" }, "nein", undefined],
  [{ type: "text", replace: { a: "b", b: "a", aa: "c" } }, "aab", "ca"],
  [{ type: "text", replace: { "n/a": "" } }, "n/a", undefined],
  [{ type: "text", trim: true }, " a ", "a"],
  [{ type: "text", empty: "omit" }, "", undefined],
  [{ type: "text", empty: "null" }, "", null],
])("a lone cell is a value of its column's type: %j of %j", (settings, cell, value) => {
  expect(filled("[[Unit Price]]", { "Unit Price": cell }, { columns: { "Unit Price": settings } })).toBe(
    value,
  );
});

const separated = { type: "list", separator: "|" };

test.each([
  [separated, " red |green||{{ blue }}|", ["red", "green", "\\{{ blue }}"]],
  [{ type: "list", separator: ", " }, "a,b, c", ["a,b", "c"]],
  [separated, ["red ", 1, ""], ["red", "1"]],
  [separated, " | ", undefined],
  [separated, "", undefined],
  [{ ...separated, empty: "keep" }, "|", []],
  [{ ...separated, entries: "number" }, "38| 39|", [38, 39]],
  [{ ...separated, entries: { type: "text", values: { r: "red" } } }, "r|g", ["red", "g"]],
  [{ ...separated, entries: { type: "list", separator: "," } }, "a,b||c,", [["a", "b"], ["c"]]],
  [{ ...separated, replace: { ";": "|" } }, "a;b|c", ["a", "b", "c"]],
  [{ ...separated, empty: "null" }, "", null],
])("a cell is split into a list: %j of %j", (settings, cell, list) => {
  expect(filled("[[Colors]]", { Colors: cell }, { columns: { Colors: settings } })).toEqual(list);
});

test("$each repeats a list's entry for each entry of a cell", () => {
  const template = [
    "first",
    { $each: "Images", src: "{{ upload [[Images]] }}", altText: "[[Name]]: [[Images]]" },
    { $each: "Images", $when: { Images: "b.png" }, src: "[[Images]]" },
  ];
  const columns = { Images: separated };
  expect(filled(template, { Images: "a.png|b.png", Name: "Fern" }, { columns })).toEqual([
    "first",
    { src: '{{ upload "a.png" }}', altText: "Fern: a.png" },
    { src: '{{ upload "b.png" }}', altText: "Fern: b.png" },
    { src: "b.png" },
  ]);
  expect(filled(template, { Images: "", Name: "Fern" }, { columns })).toEqual(["first"]);
});

test("a nested list is read by position, repeated by $each, and split again", () => {
  const columns = { Options: { ...separated, entries: { type: "list", separator: ":" } } };
  const cells = { Options: "Color:red|Size:|:M" };
  const pair = { $each: "Options", attribute: "[[Options][0]]", value: "[[Options][1]]" };
  expect(filled([pair], cells, { columns })).toEqual([
    { attribute: "Color", value: "red" },
    { attribute: "Size" },
    { value: "M" },
  ]);
  const nested = { $each: "Options", $value: [{ $each: "Options", $value: "-[[Options]]" }] };
  expect(filled([nested], cells, { columns })).toEqual([["-Color", "-red"], ["-Size"], ["-M"]]);
  expect(filled("[[Options][length]]", cells, { columns })).toBe(undefined);
});

test("$value puts texts from a cell among others, and a text under a condition", () => {
  const template = [
    "all",
    { $each: "Tags", $when: { Tags: { not: "b" } }, $value: "tag-[[Tags]]" },
    { $when: { Tags: "" }, $value: "none" },
  ];
  expect(filled(template, { Tags: "a|b|c" }, { columns: { Tags: separated } })).toEqual([
    "all",
    "tag-a",
    "tag-c",
  ]);
  expect(filled(template, { Tags: "" }, { columns: { Tags: separated } })).toEqual(["all", "none"]);
});

test("a column is read twice by another name, also as the entry of a list", () => {
  const columns = {
    Net: { type: "number", from: "Price", divisor: 2, round: 2 },
    Tags: separated,
    Tag: { type: "text", from: "Tags", values: { a: "A" } },
  };
  const cells = { Price: "3", Tags: "a|b" };
  expect(filled([{ $each: "Tags", $value: "[[Tag]] [[Price]] [[Net]]" }], cells, { columns })).toEqual([
    "A 3 1.5",
    "b 3 1.5",
  ]);
});

test.each([
  [{ n: { above: 5 } }, [6, 10]],
  [{ n: { atLeast: 5, below: 10 } }, [5, 6]],
  [{ n: { atMost: 5, not: "1" } }, [5]],
  [{ d: { atLeast: "2026-02-01" } }, [6, 10]],
  [{ d: { below: "2026-02-01T00:00:00+01:00" } }, [1, 5]],
])("numbers and dates are compared, and an empty cell is not met: %j", async (when, wanted) => {
  const table = "id,n,d\n1,1,1.1.2026\n5,5,31.1.2026\n6,6,1.2.2026\n10,10,1.2.2027\n,,\n";
  const columns = { n: "number", d: { type: "date", format: "D.M.YYYY" } };
  const { operations } = await convert(table, { columns, when, operations: [group] });
  expect(operations.map(({ identifier }) => Number(identifier))).toEqual(wanted);
  const inner = await convert(table, { columns, operations: [{ $when: when, ...group }] });
  expect(inner.operations).toEqual(operations);
});

const group = { intent: "customer/group/upsert", identifier: "[[id]]", name: "G" };

test("within $each, $first reads the group's first row", async () => {
  const meta = [{ $each: "row", key: "[[k]]", value: "[[$first][name]][[#$first][none]]![[/$first][none]]" }];
  const map = { groupBy: "id", operations: [{ ...customers.operations[0], meta }] };
  const { operations } = await convert("id,name,k,none\na,Ada,x,\na,,y,z\n", map);
  expect(operations[0]!.meta).toEqual([
    { key: "x", value: "Ada" },
    { key: "y", value: "Ada" },
  ]);
});

test("$distinct makes one operation of each value, before those that may use it", async () => {
  const columns = { tags: separated, kind: { type: "text", trim: true } };
  const distinct = (names: string | string[], identifier: string) => ({
    ...{ $distinct: names, $when: { tags: { not: "z" } } },
    ...{ intent: "customer/group/upsert", identifier, name: "G" },
  });
  const map = {
    columns,
    groupBy: "id",
    operations: [
      customers.operations[0],
      distinct("tags", "tag-[[tags]]"),
      distinct(["kind", "name"], "[[kind]]-[[name]]"),
    ],
  };
  const table = "id,name,tags,kind\na,A,x|y|x,k\na,B,z, k\nb,A,y|v,k \nc,,v,k\n";
  const { operations } = await convert(table, map);
  expect(operations.map(({ identifier }) => identifier)).toEqual([
    ...["tag-x", "tag-y", "k-A", "a"],
    ...["tag-v", "b", "c"],
  ]);
});

test.each([
  ["[[a]]-[[b]]", "1-B"],
  ["[[a]][[a]]", "11"],
  ["[[empty]]!", "!"],
  ["[[number]] kg", "12.5 kg"],
  ["[[braces]]", "\\{{ x }}"],
  ["{ [[braces]]", "{ \\{{ x }}"],
  ["{[[braces]]}", "\\{{{ x }}}"],
  ["{{ upload [[b]] }}", '{{ upload "B" }}'],
  ["{{ upload [[quote]] }}", "{{ upload '\"' }}"],
  ["{{ upload [[number]] }}", "{{ upload 12.5 }}"],
  ["{{ upload '[' [[b]] \"]\" }}", '{{ upload \'[\' "B" "]" }}'],
  ["{{ upload defaults.[x] [[b]] }}", '{{ upload defaults.[x] "B" }}'],
  ["[[empty]]{{ shop.id }}", "{{ shop.id }}"],
  ["[[open]]{{ shop.id }}", "{ {{~!}}{{ shop.id }}"],
  ["{{ shop.identifier }} [[braces]]", "{{ shop.identifier }} \\{{ x }}"],
  ["{{ shop.identifier }} [[b]]", "{{ shop.identifier }} B"],
  ["{{#if [[empty]]}}yes{{else}}no [[b]]{{/if}}", '{{#if ""}}yes{{else}}no B{{/if}}'],
  ["a[[#b]], [[b]][[/b]][[^b]]none[[/b]]", "a, B"],
  ["a[[#empty]], [[empty]][[/empty]][[^empty]] has none[[/empty]]", "a has none"],
  ["[[#b]][[#empty]]1[[/empty]][[^empty]]2{{ shop.id }}[[/empty]][[/b]]", "2{{ shop.id }}"],
  ["[[#zero]][[zero]][[/zero]]", "0"],
  ["[[#none]]x[[/none]]", ""],
  ["[[#list]]([[list]])[[/list]]", "(x)(y)"],
  ["[[$n]]", 3],
  ["[[$n]] [[b]]", "3 B"],
  ["[[$text]]", "\\{{"],
  ["{{ defaults.rootItemId }}", "{{ defaults.rootItemId }}"],
  ["\\[[b]]", "[[b]]"],
  ["\\\\[[b]]", "\\B"],
  ["[[[b]]]", "[B]"],
  ["\\[[[1, 2], [3]]", "[[[1, 2], [3]]"],
  ["{{! [[b]] }}[[b]]", "{{! [[b]] }}B"],
  ["[[Weight [kg]]] [[\\#]] [[a.b]] [[\\]\\[]]", "1 2 3 4"],
  [{ list: [1, null, "[[b]]"] }, { list: [1, null, "B"] }],
])("a text of the map is filled in: %j", (text, value) => {
  const texts = { a: "1", b: "B", empty: "", braces: "{{ x }}", quote: '"', open: "{" };
  const typed = { number: "12.5", zero: "0", none: "no", list: "x|y" };
  const cells = { ...texts, ...typed, "Weight [kg]": "1", "#": "2", "a.b": "3", "][": "4" };
  const rest = {
    columns: { number: "number", zero: "number", none: "boolean", list: separated },
    constants: { n: 3, text: "{{" },
    before: [{ intent: "shape/upsert", _ref: "shop", identifier: "shop", name: "A", type: "product" }],
  };
  expect(filled(text, cells, rest)).toEqual(value);
});

test.each([
  ["[[list]]", ["a", "\\{{"]],
  ["[[object][deep]]", 1],
  ["[[object][none]]", undefined],
  ["[[none]]", undefined],
  ["[[nothing]]", null],
  ["[[object][deep]]/[[none]]", "1/"],
  ["[[#list]][[list]],[[/list]]", "a,\\{{,"],
  ["[[#object][list]][[object][list][name]]: [[object][deep]] [[/object][list]]", "x: 1 y: 1 "],
])("a value of NDJSON keeps its type: %j", (text, value) => {
  const cells = {
    list: ["a", "{{"],
    object: { deep: 1, list: [{ name: "x" }, { name: "y" }] },
    nothing: null,
  };
  expect(filled(text, cells)).toEqual(value);
});

test("results that an operation has are cells verbatim, which its templates read", async () => {
  const _results = { t: { id: "[[id]]", text: "of [[id]]", list: ["[[name]]"] } };
  const template = { ...customers.operations[0], email: "{{ t.id }}", _results };
  const [operation] = (await convert("id,name\n{{,A\n", { operations: [template] })).operations;
  expect(operation).toMatchObject({
    _results: { t: { id: "{{", text: "of {{", list: ["A"] } },
    identifier: "\\{{",
  });
});

test("a condition is a cell, which is left out where the cell is empty, and a time as it was exported", async () => {
  const template = { ...customers.operations[0], _ifUnchangedSince: "[[at]]" };
  const map = { columns: { at: { type: "text", empty: "omit" } }, operations: [template] };
  const at = "2026-01-31T12:00:00.123Z";
  const { operations } = await convert(`id,name,at\na,A,${at}\nb,B,\n`, map);
  expect(operations.map(({ _ifUnchangedSince }) => _ifUnchangedSince)).toEqual([at, undefined]);
});

test("a _ref is the cell verbatim, braces included", async () => {
  const [operation] = (
    await convert("id,name\n{{,A\n", { operations: [{ ...customers.operations[0], _ref: "[[id]]" }] })
  ).operations;
  expect(operation).toMatchObject({ _ref: "{{", identifier: "\\{{" });
});

test("rows that do not meet the conditions are left out, and counted", async () => {
  const when = { id: { not: ["bob", ""] }, name: ["A", "C"] };
  const { operations, counts } = await convert("id,name\nada,A\nbob,A\n,A\ncyd,C\ndan,D\n", {
    ...customers,
    when,
  });
  expect(operations.map(({ identifier }) => identifier)).toEqual(["ada", "cyd"]);
  expect(counts).toEqual({ rows: 5, leftOut: 3, operations: 2 });
});

test("consecutive rows make one operation, with a list of them", async () => {
  const meta = [
    { key: "first", value: "[[v]]" },
    { $each: "row", $when: { k: { not: "" } }, key: "[[k]]", value: "[[v]]" },
  ];
  const map = { groupBy: ["id", "name"], operations: [{ ...customers.operations[0], meta }] };
  const { operations } = await convert("id,name,k,v\na,A,x,1\na,A,,2\na,A,y,3\na,B,z,4\n", map);
  const shown = operations.map((operation) => JSON.stringify(operation.meta).replaceAll('"', ""));
  expect(shown).toEqual([
    "[{key:first,value:1},{key:x,value:1},{key:y,value:3}]",
    "[{key:first,value:4},{key:z,value:4}]",
  ]);
});

test("a row becomes an operation of each template, those of its condition", async () => {
  const map = {
    before: [{ intent: "customer/group/upsert", identifier: "all", name: "All" }],
    operations: [
      customers.operations[0],
      { $when: { name: "B" }, intent: "customer/group/upsert", identifier: "[[id]]", name: "[[name]]" },
    ],
  };
  const { operations } = await convert("id,name\na,A\nb,B\n", map);
  expect(operations.map(({ intent, identifier }) => `${intent} ${identifier}`)).toEqual([
    "customer/group/upsert all",
    "customer/upsert a",
    "customer/upsert b",
    "customer/group/upsert b",
  ]);
});

test("spreadsheet formulas in cells are text", async () => {
  const { operations } = await convert('id,name\n=1+1,+A\n@b,-B\n"=""007""",\'C\n');
  expect(operations.map(({ identifier, firstName }) => [identifier, firstName])).toEqual([
    ["=1+1", "+A"],
    ["@b", "-B"],
    ['="007"', "'C"],
  ]);
});

const named = (columns: Record<string, unknown>) => ({
  columns,
  operations: [
    { intent: "customer/upsert", identifier: "[[Id]]", firstName: "[[Name]]", type: "individual" },
  ],
});
const eitherName = named({
  Id: { type: "text", from: ["Key", "Code"] },
  Name: { type: "text", optional: true },
});

test.each([
  ["csv", "Key\na\n"],
  ["csv", "Code\na\n"],
  ["csv", "Code,Key\nb,a\n"],
  ["ndjson", '{"Key":"a"}'],
  ["ndjson", '{"Code":"a"}'],
] as const)(
  "of the names of a column the first one is read, and an optional one may lack: %s %j",
  async (format, table) => {
    const { operations, messages } = await convert(table, eitherName, { format });
    expect([operations, messages]).toEqual([
      [{ intent: "customer/upsert", identifier: "a", type: "individual" }],
      [],
    ]);
  },
);

test("a table without any of a column's names is an error, and errors of cells have the table's name", async () => {
  expect((await convert("Kay,Name\na,A\n", eitherName)).messages).toEqual([
    expect.stringContaining('the table has no column "Key"; did you mean "Kay"? (columns/Id/from)'),
  ]);
  const { Id } = eitherName.columns;
  const refusing = named({ Id: { ...(Id as object), empty: "refuse" } });
  expect((await convert('Code,Name\n"",A\n', refusing)).messages).toEqual([
    expect.stringContaining('(column "Code")'),
  ]);
});

/** Converts rows of JSON with these columns to texts of customers. */
const nested = (columns: object, rows: readonly object[], rest: object = {}) =>
  convert(
    JSON.stringify(rows),
    {
      columns: { Id: { type: "text", from: "sys", path: ["id"] }, ...columns },
      ...rest,
      operations: [
        { intent: "customer/upsert", identifier: "[[Id]]", type: "individual", firstName: "[[Name]]" },
      ],
    },
    { format: "json" },
  );

test("a path that leads through a text is an error of the cell, with the path", async () => {
  const Name = { type: "text", from: "sys", path: ["id", "name"] };
  const { messages } = await nested({ Name }, [{ sys: { id: "a" } }]);
  expect(messages).toEqual([
    'table.json:/0: error: is "a", not an object with "name" (column "sys/id/name")',
  ]);
});

test("types, values, conditions and distinct values read what a path leads to", async () => {
  const columns = {
    ...{
      Id: { type: "text", from: "sys", path: ["id"] },
      Tag: { type: "text", from: "tags", path: [0, "id"] },
    },
    Age: { type: "number", from: "sys", path: ["age"] },
    Tags: {
      type: "list",
      separator: ",",
      from: "tags",
      entries: { type: "text", path: ["id"], values: { b: "B" } },
    },
  };
  const map = {
    columns,
    when: { Id: { not: "x" } },
    operations: [
      { $distinct: "Tag", intent: "customer/group/upsert", identifier: "[[Tag]]", name: "[[Tag]]" },
      {
        $when: { Age: { above: 2 } },
        ...{ intent: "customer/upsert", identifier: "[[Id]]", type: "individual" },
        meta: [{ $each: "Tags", key: "[[Tags]]", value: "[[Tag]]" }],
      },
    ],
  };
  const rows = [
    { sys: { id: "a", age: 3 }, tags: [{ id: "a" }, { id: "b" }] },
    { sys: { id: "b", age: 2 }, tags: [{ id: "a" }] },
    { sys: { id: "c" }, tags: [] },
    { sys: { id: "x", age: 9 } },
  ];
  const { operations, messages } = await convert(JSON.stringify(rows), map, { format: "json" });
  expect([operations, messages]).toEqual([
    [
      { intent: "customer/group/upsert", identifier: "a", name: "a" },
      {
        ...{ intent: "customer/upsert", identifier: "a", type: "individual" },
        meta: [
          { key: "a", value: "a" },
          { key: "B", value: "a" },
        ],
      },
    ],
    [],
  ]);
});

test("texts at any depth are joined, those of neighbours to a line", async () => {
  const Name = { type: "text", from: "body", texts: "value" };
  const text = (value: string) => ({ value, marks: [{ type: "bold" }] });
  const body = {
    content: [
      { content: [text("one, "), { content: [text("two")] }] },
      { content: [{ content: [text("three")] }, { content: [text("four")] }] },
    ],
  };
  const rows = [
    { sys: { id: "a" }, body },
    { sys: { id: "b" }, body: { content: [] } },
    { sys: { id: "c" } },
  ];
  const { operations, messages } = await nested({ Name }, rows);
  expect(messages).toEqual([]);
  expect(operations.map(({ firstName }) => firstName)).toEqual([
    "one, two\nthree\nfour",
    undefined,
    undefined,
  ]);
});
