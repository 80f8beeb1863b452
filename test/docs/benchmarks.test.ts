import { describe, expect, test } from "vitest";
import { helpOf } from "../../bench/program.ts";
import { add, merged, type Row, spread } from "../../bench/results.ts";
import { benchmarkTables } from "../../scripts/docs/benchmark-tables.ts";
import { withTables } from "../../scripts/docs/docs-tables.ts";
import { page } from "./pages.ts";

const row = (figures: Row["figures"], more: Partial<Row> = {}): Row => ({
  ...{ date: "2026-01-31T12:00:00.000Z", node: "v24.0.0", machine: "2 cores", engine: "postgresql" },
  ...{ workload: "upserts", run: "create", figures },
  ...more,
});

const tableOf = (rows: Row[], name: string) => benchmarkTables(rows)[name]?.() ?? "";
const cellsOf = (table: string, line: number) => {
  const lines = table
    .split("\n")
    .map((each) => each.split(" | ").map((cell) => cell.replace(/^\| | \|$/g, "")));
  return Object.fromEntries(lines[0]!.map((heading, i) => [heading, lines[line + 2]?.[i]]));
};

test("docs/benchmarks.md has the tables of bench/results.json: after a change, run `npm run generate`", () => {
  const file = "docs/benchmarks.md";
  expect(page(file)).toBe(withTables(file, page(file)));
});

describe("a table of results", () => {
  test("a table of results has a column for each figure, and shows what a run lacks as absent", () => {
    const rows = [row({ "Operations/s": [10] }), row({ "Peak MiB": [90.55] }, { run: "unchanged" })];
    const table = tableOf(rows, "figures of upserts");
    expect(cellsOf(table, 0)).toEqual({
      ...{ Database: "PostgreSQL", Run: "create", "Operations/s": "10", "Peak MiB": "–" },
    });
    expect(cellsOf(table, 1)).toMatchObject({ Run: "unchanged", "Operations/s": "–", "Peak MiB": "90.5" });
  });

  test("a table of results has the median and the spread of repeated measurements", () => {
    const table = tableOf(
      [row({ "Operations/s": [900, 1_100, 1_050], "Of floor": [0.5] })],
      "figures of upserts",
    );
    expect(cellsOf(table, 0)).toMatchObject({ "Operations/s": "1,050 (900–1,100)", "Of floor": "0.5" });
  });
});

test("a measurement that is repeated is added to the figures of its run", () => {
  const rows: Row[] = [];
  for (const rate of [12.345, 20])
    add(rows, "pglite", "plans", { run: "a", figures: { "Operations/s": rate } });
  add(rows, "pglite", "plans", { run: "a", workload: "b", figures: { "Peak MiB": null } });
  expect(rows.map(({ workload, run, figures }) => [workload, run, figures])).toEqual([
    ["plans", "a", { "Operations/s": [12.3, 20] }],
    ["b", "a", {}],
  ]);
});

test("a new measurement replaces only that of the same workload on the same database", () => {
  const kept = [
    row({}),
    row({}, { run: "update" }),
    row({}, { engine: "pglite" }),
    row({}, { workload: "mixed" }),
  ];
  const again = row({ "Operations/s": [1] });
  expect(merged(kept, [again])).toEqual([kept[2], kept[3], again]);
});

test("the median is the middle value, or between the two middle ones", () => {
  expect(spread([])).toBeUndefined();
  expect(spread([3, 1, 2])).toEqual({ median: 2, least: 1, greatest: 3 });
  expect(spread([4, 1])).toEqual({ median: 2.5, least: 1, greatest: 4 });
});

describe("the table at a glance", () => {
  const glance = (rows: Row[]) => tableOf(rows, "figures at a glance");

  test("the table at a glance has the rate and the share of the floor of each database", () => {
    const rows = [
      row({ "Operations/s": [1_000, 3_000], "Of floor": [0.5, 0.9] }),
      row({ "Operations/s": [1_234] }, { engine: "native" }),
    ];
    expect(glance(rows)).toContain("| Products created | 2,000 | 70 % | 1,234 | – | – | – |");
  });

  test("the table at a glance compares single mutations with plain transactions", () => {
    const rows = [row({ "One by one/s": [30], "One by one of plain": [0.25] }, { engine: "pglite" })];
    expect(glance(rows)).toContain("| Single mutations, products created | – | – | – | – | 30 | 25 % |");
  });
});

describe("the table of budgets", () => {
  const linesOf = (rows: Row[]) => tableOf(rows, "budgets").trim().split("\n").slice(2);

  test("the table of budgets begins with those that the median misses, and names each run that does", () => {
    const rows = [
      row({ "Of floor": [0.85] }),
      row({ "Times update": [2.5] }, { run: "unchanged" }),
      row({ "Of floor": [0.85, 0.6, 0.7] }, { run: "update" }),
    ];
    expect(linesOf(rows)).toEqual([
      "| missed | Share of the floor | PostgreSQL | at least 0.8 | 0.7 update |",
      "| met | Unchanged, times update | PostgreSQL | at least 2 | 2.5 |",
    ]);
  });

  test("a budget that is met shows the run that comes closest to missing it", () => {
    const longest = (run: string, ms: number) => row({ "Longest, ms": [ms] }, { workload: "latency", run });
    expect(linesOf([longest("a", 120), longest("b", 251), longest("c", 90)])).toEqual([
      "| met | An entry is seen, ms | PostgreSQL | at most 500 | 251 b |",
    ]);
  });

  test("a budget may differ by database, or be of some only", () => {
    const plan = (engine: Row["engine"]) =>
      row({ "Times the run": [0.6] }, { workload: "plans", run: "mixed mixed: plan", engine });
    expect(linesOf([plan("postgresql"), plan("pglite")])).toEqual([
      "| missed | A plan, times its run | PostgreSQL | at least 0.7 | 0.6 |",
      "| met | A plan, times its run | PGlite | at least 0.5 | 0.6 |",
    ]);
    expect(linesOf([row({ "Of floor": [0.1] }, { engine: "native" })])).toEqual([]);
  });
});

test("the help of a program names each option with its meaning and default", () => {
  const help = helpOf("fairness", {
    runs: { default: "1", meaning: "times" },
    engine: { default: ["postgresql", "pglite"], meaning: "the databases" },
    json: { default: false, meaning: "prints JSON" },
  });
  expect(help.replace(/ {2,}/g, " ").split("\n")).toEqual([
    "npm run bench -- fairness [options]",
    "",
    expect.stringMatching(/^Measures how long/),
    "",
    " --runs <value> times (default: 1)",
    " --engine <value> the databases; may be repeated (default: postgresql, pglite)",
    " --json prints JSON",
  ]);
});
