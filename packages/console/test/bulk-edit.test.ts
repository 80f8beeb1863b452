import { exportMark } from "@lading/schema/internal";
import { expect, test } from "vitest";
import { type Change, changed, readChange } from "../src/pages/export/change.ts";
import { exportAddress } from "../src/pages/export/exported.ts";
import { columnFacts, mapFor } from "../src/pages/export/read-table.ts";
import { convertTable } from "../src/pages/run/worker/convert.ts";
import { editTable } from "../src/pages/run/worker/edit.ts";

const context = () => ({ signal: new AbortController().signal, onBytes: () => {} });

const tableOf = (...rows: [sku: string, price: number | null][]) => {
  const lines = rows.map(([sku, price]) => {
    const _exported = exportMark(price);
    return `${JSON.stringify({ sku, price, _updatedAt: "2026-11-01T00:00:00.000Z", _exported })}\n`;
  });
  const bytes = Buffer.from(lines.join(""));
  return new Blob(
    Array.from({ length: Math.ceil(bytes.length / 1001) }, (_, i) =>
      bytes.subarray(i * 1001, (i + 1) * 1001),
    ),
  );
};

const map = {
  columns: { sku: { type: "text" }, price: { type: "number", empty: "refuse" } },
  exported: { column: "_exported", of: ["price"] },
  operations: [
    {
      ...{ intent: "product/variant/price/modify", sku: "[[sku]]", priceVariantIdentifier: "default" },
      ...{ price: "[[price]]", $edited: "price" },
    },
    { intent: "item/publish", itemId: "0".repeat(24), language: "en", $edited: ["price"] },
  ],
};

const everyRow = { all: true, except: [] as string[] };

const edited = (table: Blob, change: Change, chosen = everyRow, maxBytes = 1e9) =>
  editTable({ table, column: "price", keys: ["sku"], change, chosen, maxBytes }, context());

async function operationsOf(table: Blob, change: Change, publishes = false) {
  const { json, problems, issues } = await convertTable(
    {
      table: { file: (await edited(table, change)).table, format: "ndjson", encoding: "utf-8" },
      ...{ map: mapFor(map, change, publishes), allCells: false, lookups: {}, maxBytes: 1e9 },
    },
    context(),
  );
  expect([problems, issues]).toEqual([[], []]);
  const { operations }: { operations: Record<string, unknown>[] } = JSON.parse((await json?.text()) ?? "{}");
  return operations.map(({ intent, price }) => (price === undefined ? intent : price));
}

const byPercent: Change = { do: "percent", by: 10, decimals: 2 };

test.each([
  ["number", "percent", "ten", "2", /^Write a number/],
  ["number", "amount", "1", "1.5", /^Round to 0 to 6/],
  ["number", "percent", "10", "", /^Round to 0 to 6/],
  ["number", "percent", "0x10", "2", /^Write a number/],
  ["number", "set", "0x10", "", /^Write a number/],
  ["number", "set", "9,5", "", /^Write a number/],
  ["boolean", "set", "yes", "", /^Write true or false/],
  ["json", "set", "[1", "", /^Write JSON/],
  ["text", "set", " ", "", /^Write a value/],
] as const)("of a column of %s, a change (%s) by %j is refused", (type, what, text, decimals, reason) => {
  expect(readChange(type, { do: what, text, decimals })).toMatch(reason);
});

test.each([
  [-1.005, 0, 2, -1.01],
  [-2.5, 0, 0, -3],
  [2.5, 0, 0, 3],
  [8.165, 0, 2, 8.17],
  [1, -100, 2, 0],
] as const)("%s by %s percent, rounded to %s decimal places, is %s", (value, by, decimals, result) => {
  expect(changed(value, { do: "percent", by, decimals })).toBe(result);
});

test("stock is rounded to whole numbers, as its operation takes no others, and prices to cents", () => {
  const operations = [
    { intent: "product/variant/price/modify", $edited: "price" },
    { intent: "product/variant/stock/modify", $edited: "stock" },
  ];
  const decimals = (column: string) => columnFacts({ columns: {}, operations }, column).decimals;
  expect([decimals("price"), decimals("stock")]).toEqual(["2", "0"]);
});

test("more edited rows than a file takes are refused", async () => {
  await expect(edited(tableOf(["a", 1], ["b", 2]), byPercent, everyRow, 100)).rejects.toThrow(
    /more than 100 bytes/,
  );
});

test("only rows that change, and are chosen, are edited", async () => {
  const table = tableOf(["a", 1.005], ["b", null], ["c", 0], ["d", 4.35]);
  const report = await edited(table, byPercent, { all: true, except: ["a"] });
  expect(report).toMatchObject({ rows: 4, changing: 2, edited: 1 });
  expect(report.first.map(({ key, old, value }) => [key, old, value])).toEqual([
    ["a", "1.005", "1.11"],
    ["d", "4.35", "4.79"],
  ]);
  expect(await edited(table, byPercent, { all: false, except: ["a"] })).toMatchObject({ edited: 1 });
});

test("every row is edited of a table that comes in chunks", async () => {
  const rows = Array.from({ length: 3_000 }, (_, i): [string, number] => [`tee-ü-${i}`, i]);
  const report = await edited(tableOf(...rows), { do: "amount", by: 1, decimals: 0 });
  expect(report).toMatchObject({ rows: 3_000, changing: 3_000, edited: 3_000 });
  expect(report.first).toHaveLength(100);
  expect((await report.table.text()).split("\n").at(-2)).toContain('"tee-ü-2999","price":3000');
});

test("edited rows become operations of the exported map, which publishes if asked to, or only publishes", async () => {
  const table = tableOf(["a", 10], ["b", null]);
  expect(await operationsOf(table, byPercent)).toEqual([11]);
  expect(await operationsOf(table, byPercent, true)).toEqual([11, "item/publish"]);
  expect(await operationsOf(table, { do: "publish" })).toEqual(["item/publish", "item/publish"]);
});

test("an export has the rows of the folder that is shown, and of no other, unless it says so", () => {
  const where = (exported: Parameters<typeof exportAddress>[1]) =>
    new URL(exportAddress("shop", exported, {}), "http://shop").searchParams.get("where");
  expect(where({ kind: "products", folder: "f1" })).toBe("below = f1 and parentId = f1");
  expect(where({ kind: "products", folder: "f1", deep: true, where: "name = A*" })).toBe(
    "below = f1 and name = A*",
  );
  expect(where({ kind: "variants", folder: "f1" })).toBe("below = f1");
  expect(where({ kind: "customers", folder: "f1" })).toBeNull();
});
