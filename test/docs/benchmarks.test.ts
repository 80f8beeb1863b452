import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { helpOf } from "../../bench/program/options.ts";
import { type Row, readRows } from "../../bench/program/rows.ts";
import { benchmarkChart, chartFile } from "../../scripts/docs/benchmark-chart.ts";
import { benchmarkTables, merged, readResults, spread } from "../../scripts/docs/benchmark-tables.ts";
import { withTables } from "../../scripts/docs/docs-tables.ts";
import { missedBudgets } from "../../scripts/docs/missed-budgets.ts";
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

describe("the table at a glance", () => {
  const glance = (rows: Row[]) => benchmarkTables(rows)["figures at a glance"]?.() ?? "";

  test("the table at a glance has the rate and the share of the floor of each database", () => {
    const rows = [
      row({}),
      row({ rate: 3_000, ratio: 0.9 }),
      row({ engine: "native", rate: 1_234, ratio: null }),
    ];
    expect(glance(rows)).toContain("| Products created | 2,000 | 70 % | 1,234 | – | – | – |");
  });

  test("the table at a glance compares single mutations with plain transactions", () => {
    const rows = [row({ engine: "pglite", oneByOne: 30, plain: 120 })];
    expect(glance(rows)).toContain("| Single mutations, products created | – | – | – | – | 30 | 25 % |");
  });
});

describe("the table of missed budgets", () => {
  test("the table of missed budgets has those that the median misses, and no others", () => {
    const good = { rate: 1_000, ratio: 0.85, oneByOne: 40, plain: 100 };
    expect(missedBudgets([row(good)])).toBe("None is missed.\n");
    const table = missedBudgets([row(good), row({ ...good, ratio: 0.6 }), row({ ...good, ratio: 0.7 })]);
    expect(table.split("\n").slice(2)).toEqual([
      "| Share of the floor | PostgreSQL | 0.8 | 0.7 create |",
      "",
    ]);
  });

  test("the table of missed budgets has plans and undos that are too slow beside their run", () => {
    const kind = (run: string, times: number, more: Partial<Row> = {}) =>
      row({ workload: "plans", run, figures: { "Times the run": times }, ...more });
    const table = missedBudgets([
      kind("upserts create: first plan", 0.6),
      kind("upserts create: run", 0.1),
      kind("upserts create: undo", 0.7),
      kind("mixed mixed: plan", 0.6, { engine: "pglite" }),
      kind("mixed mixed: undo", 0.6, { engine: "pglite" }),
    ]);
    expect(table.split("\n").slice(2)).toEqual([
      "| A plan, times its run | PostgreSQL | 0.7 | 0.6 upserts create: first plan |",
      "| An undo, times its run | PGlite | 0.7 | 0.6 mixed mixed: undo |",
      "",
    ]);
  });

  test("the table of missed budgets compares unchanged with update on the same database", () => {
    const rows = [row({ run: "update", rate: 100, oneByOne: 5, ratio: 1, plain: 10 })];
    const unchanged = { run: "unchanged", oneByOne: 5, plain: 10 };
    const table = missedBudgets([
      ...rows,
      row({ ...unchanged, rate: 150 }),
      row({ ...unchanged, rate: 500, engine: "pglite" }),
    ]);
    expect(table).toContain("| Unchanged, times update | PostgreSQL | 2 | 1.5 unchanged |");
    expect(table).not.toContain("PGlite");
  });
});

test("the help of a program names each option with its meaning and default", () => {
  const help = helpOf("bench:some", "Measures something.", {
    runs: { default: "1", meaning: "times" },
    engine: { default: ["postgresql", "pglite"], meaning: "the databases" },
    json: { default: false, meaning: "prints JSON" },
  });
  expect(help.replace(/ {2,}/g, " ").split("\n")).toEqual([
    "npm run bench:some -- [options]",
    "",
    "Measures something.",
    "",
    " --runs <value> times (default: 1)",
    " --engine <value> the databases; may be repeated (default: postgresql, pglite)",
    " --json prints JSON",
  ]);
});

test("the rows that a program printed are found between lines of npm and of services", () => {
  const rows = [row({}), row({ figures: { "p50, ms": 1 } })];
  const printed = JSON.stringify(rows, null, 2);
  expect(readRows(`> npm run bench\n{"level":40,"msg":"[a]"}\n${printed}\n{"level":40}\n`)).toEqual(rows);
  expect(() => readRows('{"level":40}')).toThrow("no rows were printed");
});
