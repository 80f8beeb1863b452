import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { measuredCommit } from "../../bench/commit.ts";
import { helpOf, programs, renewal } from "../../bench/program.ts";
import { add, dropped, environment, merged, type Row, spread } from "../../bench/results.ts";
import { benchmarkTables } from "../../scripts/docs/benchmark-tables.ts";
import { withTables } from "../../scripts/docs/docs-tables.ts";
import { page } from "./pages.ts";

const row = (figures: Row["figures"], more: Partial<Row> = {}): Row => ({
  ...{ date: "2026-01-31T12:00:00.000Z", commit: "0123456789ab", node: "v24.0.0", machine: "2 cores" },
  ...{ engine: "postgresql", program: "throughput", workload: "upserts", run: "create", figures },
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

describe("figures of one page", () => {
  const other = row({}, { commit: "ba9876543210", program: "plans", workload: "plans" });

  test("rows of two commits are refused, with the command that measures all of them", () => {
    expect(() => benchmarkTables([row({}), other])).toThrow(
      "bench/results.json has figures of commit 0123456789ab, Node 24.0.0, 2 cores (throughput) and of commit " +
        "ba9876543210, Node 24.0.0, 2 cores (plans); measure all again: npm run bench -- all --save",
    );
  });

  test.each([{ node: "v26.0.0" }, { machine: "4 cores" }])("rows of %j and of others are refused", (more) => {
    expect(() => benchmarkTables([row({}), row({}, { run: "update", ...more })])).toThrow(
      "measure all again",
    );
  });

  test("a table without rows says so", () => {
    const tables = benchmarkTables([]);
    expect(Object.keys(tables)).toContain("figures of million");
    for (const table of Object.values(tables)) expect(table()).toMatch(/^Not measured/);
  });

  test("the page begins with the commit, the days and the machine", () => {
    const rows = [row({}, { date: "2026-02-01T00:10:00.000Z", run: "update" }), row({})];
    expect(tableOf(rows, "measured")).toBe(
      "Measured on 2026-01-31 and 2026-02-01: commit 0123456789ab, Node 24.0.0, 2 cores.\n",
    );
  });
});

describe("the commit of figures", () => {
  /** A repository with one commit; `write` changes a file, `git` runs a command of it. */
  function repository() {
    const root = mkdtempSync(join(tmpdir(), "lading-commit-"));
    onTestFinished(() => rmSync(root, { recursive: true }));
    const write = (path: string, text: string) => {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), text);
    };
    const git = (...args: string[]) =>
      execFileSync("git", ["-C", root, "-c", "user.name=a", "-c", "user.email=a@b", ...args], {
        encoding: "utf8",
      });
    const commit = (path: string) => {
      write(path, path + Math.random());
      git("add", ".");
      git("commit", "--quiet", "--message", path);
      return git("rev-parse", "HEAD").slice(0, 12);
    };
    git("init", "--quiet");
    return { root, write, commit };
  }

  test("there is none without git", () => {
    const root = mkdtempSync(join(tmpdir(), "lading-commit-"));
    onTestFinished(() => rmSync(root, { recursive: true }));
    expect(() => measuredCommit(root)).toThrow("--save needs git and a clone: each row has its commit");
  });

  test.each(["packages/cli/src/main.ts", "bench/run.ts", "package-lock.json", "test/support/new.ts"])(
    "there is none while %s has changes that are not committed",
    (path) => {
      const { root, write, commit } = repository();
      commit("bench/run.ts");
      write(path, "changed");
      expect(() => measuredCommit(root)).toThrow(
        `--save measures a commit; these files have changes that are not committed: ${path}`,
      );
    },
  );

  test("it is the last one that changed what figures depend on", () => {
    const { root, write, commit } = repository();
    const measured = commit("packages/service/src/a.ts");
    for (const path of [
      "docs/a.md",
      "bench/results.json",
      "packages/cli/README.md",
      "packages/cli/test/a.test.ts",
      "packages/console/src/main.tsx",
      "test/release/a.test.ts",
      "test/suites/record.json",
    ])
      commit(path);
    write("bench/results.json", "[]");
    expect(measuredCommit(root)).toBe(measured);
    const next = commit("package-lock.json");
    expect(measuredCommit(root)).toBe(next);
  });
});

test("one command measures every program", () => {
  expect(new Set(renewal.map(([name]) => name))).toEqual(new Set(Object.keys(programs)));
});

describe("a table of results", () => {
  test("a table of results has a column for each figure, and shows what a run lacks as absent", () => {
    const rows = [row({ "Operations/s": [10] }), row({ "Peak MiB": [90.55] }, { run: "unchanged" })];
    const table = tableOf(rows, "figures of throughput");
    expect(cellsOf(table, 0)).toEqual({
      ...{ Database: "PostgreSQL", Run: "upserts create", "Operations/s": "10", "Peak MiB": "–" },
    });
    expect(cellsOf(table, 1)).toMatchObject({
      Run: "upserts unchanged",
      "Operations/s": "–",
      "Peak MiB": "90.5",
    });
  });

  test("a table of results has the median and the spread of repeated measurements", () => {
    const table = tableOf(
      [row({ "Operations/s": [900, 1_100, 1_050], "Of floor": [0.5] })],
      "figures of throughput",
    );
    expect(cellsOf(table, 0)).toMatchObject({ "Operations/s": "1,050 (900–1,100)", "Of floor": "0.5" });
  });
});

test("a measurement that is repeated is added to the figures of its run", () => {
  const rows: Row[] = [];
  const of = { ...environment("0123456789ab"), engine: "pglite", program: "plans" } as const;
  for (const rate of [12.345, 20]) add(rows, of, { run: "a", figures: { "Operations/s": rate } });
  add(rows, of, { run: "a", workload: "b", figures: { "Peak MiB": null } });
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

test("a measurement of another commit drops the rows of the one before, and names what to measure again", () => {
  const scale = row({}, { program: "scale" });
  const kept = [scale, row({}), row({}, { run: "update" }), row({}, { engine: "pglite" })];
  const again = row({}, { commit: "ba9876543210", engine: "native" });
  expect(merged(kept, [again])).toEqual([again]);
  expect(dropped(kept, again)).toBe(
    "--save drops 4 rows of commit 0123456789ab, Node 24.0.0, 2 cores; measure again: scale, throughput",
  );
  expect(dropped(kept, scale)).toBeUndefined();
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

test("what users would use instead is next to the rate of a file", () => {
  const rates = {
    "Operations/s": [8_000],
    "One by one/s": [250],
    "Plain transactions/s": [1_000],
    "Floor/s": [16_000],
  };
  expect(tableOf([row(rates), row(rates, { workload: "mixed", run: "x" })], "instead")).toMatch(
    /\n\| Products created \| PostgreSQL \| 8,000 \| 250 \| 1,000 \| 16,000 \|\n$/,
  );
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
      "| missed | Share of the floor | PostgreSQL | at least 0.8 | 0.7 upserts update |",
      "| met | Unchanged, times update | PostgreSQL | at least 2 | 2.5 |",
    ]);
  });

  test("a budget that is met shows the run that comes closest to missing it", () => {
    const longest = (run: string, ms: number) =>
      row({ "Longest, ms": [ms] }, { program: "latency", workload: "latency", run });
    expect(linesOf([longest("a", 120), longest("b", 251), longest("c", 90)])).toEqual([
      "| met | An entry is seen, ms | PostgreSQL | at most 500 | 251 b |",
    ]);
  });

  test.each([
    ["throughput", "update", "One by one of plain", 0.35, "One by one of plain transactions", "at least 0.4"],
    ["million", "all", "Validation, s", 21, "A million operations: validation, s", "at most 20"],
    ["million", "all", "Peak MiB", 560, "A million operations: memory, MiB", "at most 550"],
    ["start", "serve, first", "CPU, s", 1.1, "First start: CPU, s", "at most 1"],
    ["start", "serve, again", "CPU, s", 0.6, "Next start: CPU, s", "at most 0.5"],
    ["start", "--version", "CPU, s", 0.3, "`lading --version`: CPU, s", "at most 0.2"],
  ])(
    "%s, %s: %s of %d misses the budget on the native database",
    (program, run, figure, value, what, aim) => {
      const missed = row({ [figure]: [value] }, { engine: "native", program, workload: program, run });
      expect(linesOf([missed])).toEqual([`| missed | ${what} | native embedded | ${aim} | ${value} |`]);
    },
  );

  test("a budget may differ by database, or be of some only", () => {
    const plan = (engine: Row["engine"]) =>
      row(
        { "Times the run": [0.6] },
        { program: "plans", workload: "plans", run: "mixed mixed: plan", engine },
      );
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
