import { presetMap, presets } from "@lading/transform/presets";
import { act, render, renderHook, screen, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { Choices } from "../src/pages/run/convert/choices.tsx";
import { Issues } from "../src/pages/run/convert/issues.tsx";
import { Preview } from "../src/pages/run/convert/preview.tsx";
import { useTable } from "../src/pages/run/convert/use-table.ts";
import type { ConversionReport, TableIssue } from "../src/pages/run/worker/jobs.ts";

const map = JSON.stringify({ operations: [{ intent: "topic/delete", id: "[[id]]" }] });
const file = (name: string, content = "") => new File([content], name);

function opened() {
  const onOperations = vi.fn();
  const { result } = renderHook(() => useTable());
  return {
    onOperations,
    result,
    take: (...files: File[]) => act(() => result.current.take(files, onOperations)),
  };
}

test("two tables, or a table and operations, are refused, and what was chosen stays", async () => {
  const { onOperations, result, take } = opened();
  await take(file("a.csv"));
  for (const other of ["b.csv", "b.json"]) {
    await take(file("a.tsv"), file(other, "{}"));
    expect(result.current.error).toMatchObject({ message: expect.stringMatching(/one table and its map/) });
    expect([result.current.chosen?.table?.name, onOperations.mock.calls]).toEqual(["a.csv", []]);
  }
  await take(file("c.csv"));
  expect([result.current.chosen?.table?.name, result.current.error]).toEqual(["c.csv", undefined]);
});

test.each([
  ["a file of operations with braces", "o.json", '{"version":"1.0.0","operations":[{"name":"[[x]]"}]}'],
  ["a file without a version", "o.json", '{"operations":[]}'],
  ["what is not JSON", "o.json", "{"],
  ["a compressed file", "o.json.gz", map],
  [
    "a file of operations with the name of one",
    "prices-price.map.json",
    '{"version":"1.0.0","operations":[]}',
  ],
])("%s is not a map", async (_what, name, content) => {
  const { onOperations, result, take } = opened();
  await take(file(name, content));
  expect([onOperations.mock.calls.length, result.current.chosen]).toEqual([1, undefined]);
});

test.each([
  ["by its content", "anything.json", map],
  ["by its fields", "anything.json", '{"columns":{},"operations":[]}'],
  ["by its name, although it is not JSON", "stock.map.json", "{"],
])("a map is recognized %s", async (_how, name, content) => {
  const { result, take } = opened();
  await take(file(name, content));
  expect(result.current.chosen).toMatchObject({ map: { name, text: content } });
  await take(file("stock.ndjson.gz"));
  expect(result.current.chosen).toMatchObject({ map: { name }, table: { name: "stock.ndjson.gz" } });
});

test("a preset is a map, and a later choice of a file wins over one that is still loaded", async () => {
  const { result, take } = opened();
  await act(async () => {
    result.current.takePreset("shopify-products");
    await result.current.take([file("m.json", map)], () => {});
    await presetMap(presets["shopify-products"] ?? expect.fail("no preset"));
  });
  expect(result.current.chosen?.map?.name).toBe("m.json");
  act(() => result.current.takePreset("shopify-products"));
  await vi.waitFor(() => expect(result.current.chosen?.map?.name).toBe("shopify-products"));
  expect(JSON.parse(result.current.chosen?.map?.text ?? "")).toMatchObject({ groupBy: "Handle" });
  await take(file("products.csv"));
  expect(result.current.chosen?.map?.name).toBe("shopify-products");
});

test("what was chosen before the step is closed does not open it again, and no error stays", async () => {
  const { result, take } = opened();
  await take(file("a.csv"), file("b.csv"));
  expect(result.current.error).toBeDefined();
  await act(async () => {
    const taken = result.current.take([file("m.json", map)], () => {});
    result.current.close();
    await taken;
  });
  expect([result.current.chosen, result.current.error]).toEqual([undefined, undefined]);
});

test("another table keeps the map, and forgets how the former one was read", async () => {
  const { result, take } = opened();
  await take(file("a.csv"), file("m.json", map));
  act(() => result.current.choose({ encoding: "windows-1252", delimiter: "|" }));
  await take(file("b.csv"));
  expect(result.current.chosen).toMatchObject({ map: { name: "m.json" }, table: { name: "b.csv" } });
  expect([result.current.chosen?.encoding, result.current.chosen?.delimiter]).toEqual([undefined, undefined]);
});

const issue = (more: Partial<TableIssue>): TableIssue => ({
  ...{ severity: "error", code: "InvalidNumber", message: '"x" is not a number', line: 3, column: "price" },
  ...more,
});

const reportOf = (more: Partial<ConversionReport> = {}): ConversionReport => ({
  table: { columns: ["sku", "price"], rows: [], encoding: "utf-8", format: "csv" },
  ...{ problems: [], columns: ["sku", "price", "note"], errorCount: 1, warningCount: 0 },
  issues: [issue({})],
  groups: [
    { rows: [{ line: 2, cells: ["a", "1", ""] }], operations: ['{\n "sku": "a"\n}'] },
    { rows: [{ line: 3, cells: ["b", "x", ""] }], operations: [] },
  ],
  counts: { rows: 2, leftOut: 0, operations: 1 },
  idle: 0,
  ...more,
});

test("the cell that is wrong is marked, with the reason; empty cells are left out", () => {
  render(<Preview report={reportOf()} />);
  const wrong = within(screen.getByRole("region", { name: "Line 3" }));
  expect(wrong.getByText("price").parentElement?.textContent).toBe('pricex"x" is not a number');
  const right = screen.getByRole("region", { name: "Line 2" });
  expect(right.textContent).toBe("Line 2skuaprice1");
  expect(screen.getByText('"sku": "a"', { exact: false }).tagName).toBe("PRE");
});

test("an empty cell that is wrong is shown, and what is wrong with a whole row", () => {
  const issues = [
    issue({ column: "note", code: "EmptyCell", message: "is empty" }),
    issue({ column: null, message: "the operation is too large" }),
  ];
  render(<Preview report={reportOf({ issues })} />);
  expect(screen.getByRole("region", { name: "Line 3" }).textContent).toBe(
    "Line 3the operation is too largeskubpricexnoteis empty",
  );
});

test("issues say where they are, and how many are not listed", () => {
  const problem = { code: "UnknownColumn", message: "no column", path: [], line: 4, column: 7, offset: 0 };
  const issues = [
    issue({}),
    issue({ cell: "Prices!C3" }),
    issue({ severity: "warning", table: "names", column: null, line: null }),
  ];
  render(<Issues report={reportOf({ issues, errorCount: 900, problems: [problem] })} />);
  expect(screen.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual([
    "errormap, line 4, column 7no column",
    'errorline 3price"x" is not a number',
    'errorPrices!C3price"x" is not a number',
    'warningtable names"x" is not a number',
    "and 897 more issues",
  ]);
});

test("encoding, delimiter and tables for lookups are asked for only if they are needed", () => {
  const labels = (report: ConversionReport) => {
    const chosen = { table: file("a.csv"), lookups: {} };
    const { unmount, container } = render(
      <Choices chosen={chosen} report={report} onChoose={() => {}} onPreset={() => {}} onFiles={() => {}} />,
    );
    const found = [
      ...screen.queryAllByRole("combobox").map((choice) => choice.parentElement?.firstChild?.textContent),
      ...container.querySelectorAll("input"),
    ].map((each) => (typeof each === "string" ? each : each?.getAttribute("aria-label")));
    unmount();
    return found;
  };
  expect(labels(reportOf())).toEqual(["Map", "Map file"]);
  expect(labels(reportOf({ issues: [issue({ code: "InvalidEncoding" })] }))).toEqual([
    "Map",
    "Encoding",
    "Map file",
  ]);
  expect(labels(reportOf({ sheets: ["A", "B"] }))).toEqual(["Map", "Sheet", "Map file"]);
  const oneColumn = { columns: ["sku|price"], rows: [], encoding: "utf-16le", format: "csv" } as const;
  expect(labels(reportOf({ table: oneColumn }))).toEqual(["Map", "Encoding", "Delimiter", "Map file"]);
  expect(labels(reportOf({ map: { tables: ["names"], isOfExport: true } }))).toEqual([
    ...["Map", "Map file", "Table names", null],
  ]);
  expect(screen.queryByRole("checkbox")).toBeNull();
});
