import { type Engine, engines } from "../../bench/program.ts";
import { type Row, rounded, spread } from "../../bench/results.ts";
import { table } from "./markdown.ts";

const engineNames: Readonly<Record<Engine, string>> = {
  postgresql: "PostgreSQL",
  native: "native embedded",
  pglite: "PGlite",
};

/** The minimum or maximum for the median of a figure, in some runs of some workloads. */
interface Budget {
  what: string;
  workload: string;
  run?: RegExp;
  figure: string;
  least?: Aim;
  most?: Aim;
}

/** Of every database, or of some. */
type Aim = number | Partial<Record<Engine, number>>;

const aimOn = (engine: Engine, aim: Aim | undefined) => (typeof aim === "number" ? aim : aim?.[engine]);

const floor = { what: "Share of the floor", figure: "Of floor" };
const throughput = "upserts|mixed|content";
const plans = { workload: "plans", figure: "Times the run" };

const budgets: readonly Budget[] = [
  { ...floor, workload: "upserts", run: /create|update/, least: { postgresql: 0.8, pglite: 0.65 } },
  { ...floor, what: "Share of the floor, mixed", workload: "mixed", least: { postgresql: 0.6 } },
  { what: "Unchanged, times update", workload: "upserts", figure: "Times update", least: 2 },
  {
    what: "One by one of plain transactions",
    workload: throughput,
    figure: "One by one of plain",
    least: 0.3,
  },
  { what: "A task, times one by one", workload: throughput, figure: "Times one by one", least: 20 },
  {
    what: "A plan, times its run",
    ...plans,
    run: /plan$/,
    least: { postgresql: 0.7, native: 0.7, pglite: 0.5 },
  },
  { what: "An undo, times its run", ...plans, run: /undo$/, least: 0.7 },
  { what: "A million operations: memory, MiB", workload: "million", figure: "Peak MiB", most: 600 },
  { what: "Last tenth to first", workload: "million", figure: "Last tenth to first", least: 0.85 },
  { what: "An entry is seen, ms", workload: "latency", figure: "Longest, ms", most: { postgresql: 500 } },
  { what: "Fairness: longest, ms", workload: "fairness", figure: "Longest, ms", most: 10_000 },
  { what: "Fairness: longest, times idle", workload: "fairness", figure: "Longest, times idle", most: 5 },
  { what: "Two writers: errors", workload: "two-writers", figure: "Errors", most: 0 },
  { what: "Two writers: stock missing", workload: "two-writers", figure: "Stock missing", most: 0 },
  { what: "A reference costs more by, %", workload: "templates", figure: "More by, %", most: 10 },
];

/** The tables of docs/benchmarks.md, by the name of their marker: a summary, the budgets, and one per workload. */
export function benchmarkTables(rows: readonly Row[]): Record<string, () => string> {
  const workloads = new Set(rows.map(({ workload }) => workload));
  const tables = [...workloads].map((name) => [
    `figures of ${name}`,
    () => figuresTable(rows.filter(({ workload }) => workload === name)),
  ]);
  return {
    "figures at a glance": () => glance(rows),
    budgets: () => budgetTable(rows),
    ...Object.fromEntries(tables),
  };
}

const absent = "–";
const median = ({ figures }: Row, figure: string) => spread(figures[figure])?.median;

/** A row of the summary: workload and run, the figure, and its share of its baseline. */
type GlanceRow = readonly [what: string, workload: string, run: string, figure: string, share: string];

const rates = ["Operations/s", "Of floor"] as const;
const singles = ["One by one/s", "One by one of plain"] as const;

const glanceRows: readonly GlanceRow[] = [
  ["Products created", "upserts", "create", ...rates],
  ["Products updated", "upserts", "update", ...rates],
  ["The same file again, nothing changes", "upserts", "unchanged", ...rates],
  ["Stocks, prices, content, orders, mixed", "mixed", "mixed", ...rates],
  ["The same, planned", "plans", "mixed mixed: plan", ...rates],
  ["The same, undone", "plans", "mixed mixed: undo", ...rates],
  ["Documents of 20 components created", "content", "create", ...rates],
  ["Documents of 20 components updated", "content", "update", ...rates],
  ["A million operations, with validation", "million", "all", ...rates],
  ["Single mutations, products created", "upserts", "create", ...singles],
  ["Single mutations, products updated", "upserts", "update", ...singles],
];

function glance(rows: readonly Row[]): string {
  const cells = (engine: Engine, [, workload, run, figure, share]: GlanceRow): string[] => {
    const row = rows.find((each) => each.engine === engine && each.workload === workload && each.run === run);
    const [value, part] = row ? [median(row, figure), median(row, share)] : [];
    return [
      value === undefined ? absent : Math.round(value).toLocaleString("en"),
      part === undefined ? absent : `${Math.round(100 * part)} %`,
    ];
  };
  return table(
    ["Operations per second", ...engines.flatMap((engine) => [engineNames[engine], "of floor"])],
    glanceRows.map((row) => [row[0], ...engines.flatMap((engine) => cells(engine, row))]),
    engines.flatMap(() => ["--:", "--:"]),
  );
}

/** Missed budgets first, each with all runs that miss it; a met one has the run that comes closest to missing it. */
function budgetTable(rows: readonly Row[]): string {
  const lines = budgets.flatMap((budget) =>
    engines.flatMap((engine) => budgetLine(budget, engine, rows) ?? []),
  );
  const sorted = lines.toSorted((a, b) => Number(b.isMissed) - Number(a.isMissed));
  return table(
    ["", "Budget", "Database", "Aim", "Reached"],
    sorted.map(({ isMissed, cells }) => [isMissed ? "missed" : "met", ...cells]),
  );
}

function budgetLine(budget: Budget, engine: Engine, rows: readonly Row[]) {
  const [least, most] = [aimOn(engine, budget.least), aimOn(engine, budget.most)];
  const aim = least ?? most;
  const runs = rows.flatMap((row) => {
    const reached = row.engine === engine && isOf(row, budget) ? median(row, budget.figure) : undefined;
    return reached === undefined ? [] : [{ name: nameOf(row), reached }];
  });
  if (runs.length === 0 || aim === undefined) return undefined;
  const worstFirst = runs.toSorted((a, b) =>
    least === undefined ? b.reached - a.reached : a.reached - b.reached,
  );
  const missed = runs.filter(({ reached }) => (least === undefined ? reached > aim : reached < aim));
  const shown = missed.length > 0 ? missed : worstFirst.slice(0, 1);
  const text = shown.map(({ name, reached }) => numberText(reached) + (runs.length > 1 ? ` ${name}` : ""));
  const aimText = `${least === undefined ? "at most" : "at least"} ${aim.toLocaleString("en")}`;
  return {
    isMissed: missed.length > 0,
    cells: [budget.what, engineNames[engine], aimText, text.join(", ")],
  };
}

const isOf = ({ workload, run }: Row, budget: Budget) =>
  budget.workload.split("|").includes(workload) && (budget.run?.test(run) ?? true);

const numberText = (value: number) =>
  value >= 100 ? Math.round(value).toLocaleString("en") : String(Number(value.toPrecision(2)));

const nameOf = ({ workload, run }: Row) =>
  ["mixed", "content"].includes(workload) && workload !== run ? `${workload} ${run}` : run;

/** A workload's runs: a column per figure, with the median and, of several measurements, minimum and maximum. */
export function figuresTable(rows: readonly Row[]): string {
  const headings = [...new Set(rows.flatMap(({ figures }) => Object.keys(figures)))];
  const when = rows.map(
    ({ date, node, machine }) => `${date.slice(0, 10)}, Node ${node.slice(1)}, ${machine}`,
  );
  const cells = rows.map((row) => [
    ...[engineNames[row.engine], row.run],
    ...headings.map((heading) => figureText(row.figures[heading])),
  ]);
  return `${table(["Database", "Run", ...headings], cells)}\nMeasured ${[...new Set(when)].join("; ")}.\n`;
}

function figureText(values: readonly number[] | undefined): string {
  const found = spread(values);
  if (found === undefined) return absent;
  const { median, least, greatest } = found;
  const [middle, low, high] = [median, least, greatest].map((each) => rounded(each).toLocaleString("en"));
  return low === high ? middle! : `${middle} (${low}–${high})`;
}
