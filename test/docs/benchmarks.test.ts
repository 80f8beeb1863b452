import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Row } from "../../bench/rows.ts";
import { benchmarkChart, chartFile } from "../../scripts/docs/benchmark-chart.ts";
import { benchmarkTables, merged, readResults, spread } from "../../scripts/docs/benchmark-tables.ts";
import { withTables } from "../../scripts/docs/docs-tables.ts";
import { page } from "./pages.ts";

const file = "docs/benchmarks.md";

const row = (more: Partial<Row>): Row => ({
  ...{ date: "2026-01-31T12:00:00.000Z", node: "v24.0.0", machine: "2 cores", engine: "postgresql" },
  ...{ workload: "upserts", run: "create", operations: 103, rate: 1_000, floor: 2_000, way: "copy, 500" },
  ...{ ratio: 0.5, oneByOne: 50, plain: 100, firstEntryMs: 12.34, peakMiB: 200 },
  ...more,
});

const tableOf = (rows: Row[], name: string) => benchmarkTables(rows)[`figures of ${name}`]?.() ?? "";
/** The cells of a line of a table, by their headings. */
const cellsOf = (table: string, line: number) => {
  const lines = table
    .split("\n")
    .map((each) => each.split(" | ").map((cell) => cell.replace(/^\| | \|$/g, "")));
  return Object.fromEntries(lines[0]!.map((heading, i) => [heading, lines[line + 2]?.[i]]));
};

describe(file, () => {
  test("docs/benchmarks.md has the tables of benchmarks.json: after a change, run `npm run generate`", () => {
    expect(page(file)).toBe(withTables(file, page(file)));
  });

  test("docs/benchmarks.md has the chart of benchmarks.json: after a change, run `npm run generate`", () => {
    expect(readFileSync(chartFile, "utf8")).toBe(benchmarkChart(readResults()));
  });
});

describe("a table of results", () => {
  test("a table of results leaves out columns that were not measured", () => {
    const table = tableOf([row({ oneByOne: null, plain: null })], "upserts");
    expect(table).not.toContain("One by one");
    expect(table).not.toContain("Plain");
  });

  test("a table of results shows what one of its runs lacks as absent", () => {
    const table = tableOf([row({}), row({ run: "unchanged", plain: null })], "upserts");
    expect(cellsOf(table, 1)).toMatchObject({ Run: "unchanged", "Plain transactions/s": "–", Budget: "–" });
  });

  test("a table of results has the median and the spread of repeated measurements", () => {
    const rows = [{ rate: 900 }, { rate: 1_100 }, { rate: 1_050, way: "unnest, 500" }].map(row);
    expect(cellsOf(tableOf(rows, "upserts"), 0)).toMatchObject({
      ...{ Database: "PostgreSQL", Run: "create", Operations: "103", "Operations/s": "1,050 (900–1,100)" },
      ...{ "Of floor": "0.5", Budget: "0.8", "Fastest floor": "copy, 500; unnest, 500" },
      ...{ "Times one by one": "21 (18–22)", "One by one of plain": "0.5" },
    });
  });

  test("a table of results has a column for each further figure of its workload", () => {
    const rows = [
      row({ workload: "latency", figures: { "p50, ms": 20 } }),
      row({ workload: "latency", figures: { "p50, ms": 30, "p99, ms": 90.55 } }),
    ];
    expect(cellsOf(tableOf(rows, "latency"), 0)).toMatchObject({
      "p50, ms": "25 (20–30)",
      "p99, ms": "90.5",
    });
  });
});

test("a new measurement replaces only that of the same workload on the same database", () => {
  const kept = [
    row({ run: "create" }),
    row({ run: "update" }),
    row({ engine: "pglite" }),
    row({ workload: "mixed" }),
  ];
  const again = row({ run: "create", rate: 1 });
  expect(merged(kept, [again])).toEqual([kept[2], kept[3], again]);
});

test("the median is the middle value, or between the two middle ones", () => {
  expect(spread([null, undefined])).toBeUndefined();
  expect(spread([3, null, 1, 2])).toEqual({ median: 2, least: 1, greatest: 3 });
  expect(spread([4, 1])).toEqual({ median: 2.5, least: 1, greatest: 4 });
});

describe("the chart", () => {
  test("the chart leaves out workloads without a floor", () => {
    expect(benchmarkChart([row({ ratio: null, run: "nothing" })])).not.toContain("nothing");
  });

  test("the chart has a bar for each run, and a red line where there is a budget", () => {
    const chart = benchmarkChart([row({}), row({ ratio: 0.6 }), row({ run: "unchanged" })]);
    expect(chart.match(/fill="#336791"/g)).toHaveLength(2);
    expect(chart.match(/stroke="#d00"/g)).toHaveLength(1);
    expect(chart).toContain(">0.55<");
  });
});
