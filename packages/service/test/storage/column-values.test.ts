import { keysOf } from "@lading/schema/internal";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { characters } from "../../../../test/support/characters.ts";
import { bothEngines } from "../../../../test/support/engines.ts";
import { runs } from "../../../../test/support/extent.ts";
import { opened } from "../../../../test/support/opened.ts";
import type { ColumnType } from "../../src/storage/database.ts";
import { sentParameters } from "../../src/storage/engines/column-values.ts";

const time = (year: string) => Date.parse(`${year}-01-01T00:00:00.000Z`);
const awkward = [
  "",
  " ",
  "NULL",
  "null",
  "{}",
  '{"a"}',
  "\\",
  '"',
  "'",
  "\\u0000",
  "\\\\ud800",
  "\u2028",
  "🛒é",
];
const texts = fc.oneof(fc.constantFrom(...awkward), fc.string({ unit: characters, maxLength: 200 }));
const storable = texts.filter((text) => !text.includes("\0"));
const bits = (exponent: number) => 2 ** exponent;

/** Values of each type that can be stored; those of timestamps end with milliseconds. */
const storableValues: Readonly<Record<ColumnType, fc.Arbitrary<unknown>>> = {
  text: storable,
  int: fc.oneof(fc.integer(), fc.constantFrom(-bits(31), bits(31) - 1, -0)),
  bigint: fc.oneof(fc.maxSafeInteger(), fc.constantFrom(-bits(32), bits(32), bits(31), -1, -bits(53) + 1)),
  float8: fc.double({ noNaN: true, noDefaultInfinity: true }),
  boolean: fc.boolean(),
  timestamptz: fc
    .date({ min: new Date(time("0001")), max: new Date(time("9999")), noInvalidDate: true })
    .map((date) => date.toISOString()),
  json: fc.jsonValue({ stringUnit: "grapheme" }).filter(isStorableJson),
  jsonb: fc.jsonValue({ stringUnit: "grapheme" }).filter(isStorableJson),
};

function isStorableJson(value: unknown): boolean {
  // In JSON a value of null is the null of the column.
  return value !== null && !JSON.stringify(value).includes("\\u0000");
}

const refused: readonly [ColumnType, unknown, string][] = [
  ["text", "nul\0", "U+0000"],
  ["text", "half \ud83d", "half of a surrogate pair"],
  ["text", 5, "5 cannot be stored: the column takes a text"],
  ["int", 1.5, "1.5 cannot be stored: the column takes an integer of 32 bits"],
  ["int", bits(31), "integer of 32 bits"],
  ["int", "1", "integer of 32 bits"],
  ["bigint", bits(53), "integer of 53 bits"],
  ["bigint", 0.5, "integer of 53 bits"],
  ["float8", Number.NaN, "takes a number"],
  ["float8", Number.POSITIVE_INFINITY, "takes a number"],
  ["boolean", 1, "takes true or false"],
  ["timestamptz", "2026-02-30T00:00:00.000Z", "takes a time from the year 1 to 9999"],
  ["timestamptz", "0000-01-01T00:00:00.000Z", "takes a time"],
  ["timestamptz", "+012000-01-01T00:00:00.000Z", "takes a time"],
  ["timestamptz", "soon", '"soon" cannot be stored'],
  ["json", { deep: ["nul\0"] }, "U+0000"],
  ["json", { "\udc00": 1 }, "half of a surrogate pair"],
  ["json", "\\\0", "U+0000"],
  ["jsonb", "nul\0", "U+0000"],
  ["jsonb", ["\ud800"], "half of a surrogate pair"],
];

describe.each(bothEngines)("values of columns, on $name", ({ shared }) => {
  const database = opened(shared);

  const types = keysOf(storableValues);

  test.each(refused)("%s refuses %j, as an error of data", async (type, value, message) => {
    const stored = database.query(`SELECT unnest($1::${type}[])`, [{ type, values: [null, value] }]);
    await expect(stored).rejects.toMatchObject({ code: "22023", message: expect.stringContaining(message) });
  });

  test("columns of all types are returned as sent, and as many", async () => {
    const aRow = fc.tuple(...types.map((type) => fc.option(storableValues[type], { freq: 4 })));
    const sql =
      `SELECT to_json(r) AS row, r.timestamptz FROM unnest(${types.map((type, i) => `$${i + 1}::${type}[]`)}) ` +
      `WITH ORDINALITY AS r(${types.map((type) => `"${type}"`)}, n) ORDER BY n`;
    await fc.assert(
      fc.asyncProperty(fc.array(aRow, { maxLength: 20 }), async (sent) => {
        const columns = types.map((type, i) => ({ type, values: sent.map((row) => row[i]) }));
        const rows = await database.query<{ row: Record<string, unknown>; timestamptz: string }>(
          sql,
          columns,
        );
        const read = rows.map(({ row, timestamptz }) =>
          types.map((type) => (type === "timestamptz" ? timestamptz : row[type])),
        );
        expect(read).toEqual(JSON.parse(JSON.stringify(sent)));
      }),
      { numRuns: runs(100) },
    );
  });

  test("an undefined value is null, and a column may have no values", async () => {
    for (const type of types) {
      const read = (values: unknown[]) =>
        database.query<{ v: unknown }>(`SELECT * FROM unnest($1::${type}[]) AS r(v)`, [{ type, values }]);
      expect(await read([undefined])).toEqual([{ v: null }]);
      expect(await read([])).toEqual([]);
    }
  });

  test("a transaction with a column that cannot be sent writes nothing, and the next one does", async () => {
    await database.script("CREATE TABLE kept (name text)");
    const insert = "INSERT INTO kept SELECT * FROM unnest($1::text[])";
    const write = (...names: string[]) =>
      database.transaction((transaction) =>
        Promise.all(names.map((name) => transaction.execute(insert, [{ type: "text", values: [name] }]))),
      );
    await expect(write("a", "\0", "b")).rejects.toThrow("U+0000");
    expect(await write("c", "d")).toEqual([1, 1]);
    expect(await database.query("SELECT name FROM kept ORDER BY name")).toEqual([
      { name: "c" },
      { name: "d" },
    ]);
    await database.script("DROP TABLE kept");
  });

  test("texts longer than the buffer that is kept come back whole", async () => {
    const values = ["short", "é".repeat(3_000_000), null, "x".repeat(100_000)];
    const rows = await database.query<{ v: string | null }>("SELECT * FROM unnest($1::text[]) AS r(v)", [
      { type: "text", values },
    ]);
    expect(rows.map(({ v }) => v)).toEqual(values);
  });
});

test("what one statement sends is not overwritten by the next", () => {
  const send = (value: string) => sentParameters(["tenant", { type: "text", values: [value] }]);
  const [first, second] = [send("first"), send("other")];
  expect(first[0]).toBe("tenant");
  expect(String(first[1])).toContain("first");
  expect(String(second[1])).toContain("other");
});
