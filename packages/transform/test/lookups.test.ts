import { locateProblems } from "@lading/schema/internal";
import fc from "fast-check";
import { expect, test } from "vitest";
import { runs } from "../../../test/support/extent.ts";
import { numberReader } from "../src/cells/number.ts";
import { compileMap, convert, DataIssues, InvalidData, rowsOf, UnknownColumns } from "../src/index.ts";

const operation = {
  intent: "customer/upsert",
  identifier: "[[id]]",
  firstName: "[[City]]",
  type: "individual",
};
const mapOf = (settings: object, more: object = {}) => ({
  tables: { cities: { key: "Zip" } },
  columns: { City: { type: "text", from: "zip", lookup: { table: "cities", column: "Name" }, ...settings } },
  operations: [operation],
  ...more,
});

async function* bytesOf(text: string) {
  yield new TextEncoder().encode(text);
}

/** Converts rows by a map whose cells are looked up in a table; or what is wrong. */
async function looked(map: object, cities: string, table: string): Promise<unknown> {
  const text = JSON.stringify(map);
  const { map: compiled } = compileMap(text);
  if (compiled === undefined) expect.fail("the map is wrong");
  const [issues, options] = [new DataIssues(), { format: "csv", encoding: "utf-8" } as const];
  const read = compiled.tables.get("cities")!;
  let written = "";
  try {
    await read.read(rowsOf(bytesOf(cities), read.columns, issues, options), issues);
    const rows = rowsOf(bytesOf(table), compiled.columns, issues, options);
    const counts = { rows: 0, leftOut: 0, operations: 0 };
    for await (const piece of convert(rows, compiled, issues, counts)) written += piece;
  } catch (error) {
    if (error instanceof UnknownColumns)
      return locateProblems(text, error.problems).map(({ message }) => message);
    if (!(error instanceof InvalidData)) throw error;
    return issues.kept.map(({ line, message }) => `${line}: ${message}`);
  }
  return JSON.parse(written).operations.map(({ firstName }: { firstName?: unknown }) => firstName);
}

const cities = "Zip,Name\n10115,Berlin\n 8000 ,Zürich\n,\n1,\n";

test.each([
  ["a missing key", {}, cities, ['2: "9" is not in the column "Zip" of the table "cities"']],
  ["a duplicate key", {}, `${cities}8000,Aarhus\n`, ['6: the key "8000" is on line 3, too']],
  ["a missing column", {}, "Zip,Nmae\n", ['the table "cities" has no column "Name"; did you mean "Nmae"?']],
  ["a row with too few cells", {}, "Zip,Name\n1\n", ["2: the row has 1 cell, and the header 2 cells"]],
])("%s of a table is refused", async (_what, settings, cities, messages) => {
  expect(await looked(mapOf(settings), cities, "id,zip\na,9\n")).toEqual(messages);
});

test.each([
  ["omit", ["Berlin", undefined, undefined, undefined]],
  ["null", ["Berlin", null, undefined, undefined]],
  ["keep", ["Berlin", "9", undefined, undefined]],
] as const)("a cell is looked up, and a missing one is as asked: %s", async (missing, names) => {
  expect(await looked(mapOf({ missing }), cities, "id,zip\na,10115\nb,9\nc,\nd,1\n")).toEqual(names);
});

test("conditions and groups compare what is looked up", async () => {
  const when = { City: ["Berlin", "Zürich"] };
  const table = "id,zip\na,8000\nb,10115\nc,9\n";
  expect(await looked(mapOf({ missing: "omit" }, { when }), cities, table)).toEqual(["Zürich", "Berlin"]);
  const map = mapOf({}, { groupBy: "City" });
  expect(await looked(map, "Zip,Name\n1,A\n2,A\n3,B\n", "id,zip\na,1\nb,2\nc,3\n")).toEqual(["A", "B"]);
});

test("a table that was not read is an error of the program", async () => {
  const { map } = compileMap(JSON.stringify(mapOf({})));
  expect(() => map!.tables.get("cities")!.row("1")).toThrow('The table "cities" was not read.');
});

/** Numbers of at most 12 digits: a whole number, and the places of its decimals. */
const decimal = fc.tuple(fc.integer({ min: -999_999, max: 999_999 }), fc.integer({ min: 0, max: 3 }));
const written = ([digits, places]: readonly [number, number]) => Number(`${digits}e-${places}`);

test("products of decimals are exact, as whole numbers are", () => {
  const property = fc.property(decimal, decimal, (one, other) => {
    fc.pre(other[0] !== 0);
    const product = BigInt(one[0]) * BigInt(other[0]);
    const read = numberReader({ factor: written(other) });
    expect(read(String(written(one)))).toBe(Number(`${product}e-${one[1] + other[1]}`));
  });
  fc.assert(property, { numRuns: runs(1_000) });
});

test("a quotient is rounded to the nearest number of N decimals", () => {
  const property = fc.property(decimal, decimal, fc.integer({ min: 0, max: 3 }), (one, other, round) => {
    fc.pre(other[0] !== 0);
    const result = numberReader({ divisor: written(other), round })(String(written(one)));
    expect(Number(result.toFixed(round))).toBe(result);
    expect(Math.abs(result - written(one) / written(other))).toBeLessThanOrEqual(
      0.5 * 10 ** -round * 1.000001 + 1e-7,
    );
  });
  fc.assert(property, { numRuns: runs(1_000) });
});
