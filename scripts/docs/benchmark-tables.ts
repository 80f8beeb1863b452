import { type Engine, engines, programs } from "../../bench/program.ts";
import { originOf, type Row, requireOneOrigin, rounded, spread } from "../../bench/results.ts";
import { table } from "./markdown.ts";

const engineNames: Readonly<Record<Engine, string>> = {
  postgresql: "PostgreSQL",
  native: "native embedded",
  pglite: "PGlite",
};

/** The minimum or maximum for the median of a figure, in some runs of a program. */
interface Budget {
  what: string;
  program: string;
  /** Of the names of its runs; all by default. */
  run?: RegExp;
  figure: string;
  least?: Aim;
  most?: Aim;
}

/** Of every database, or of some. */
type Aim = number | Partial<Record<Engine, number>>;

const aimOn = (engine: Engine, aim: Aim | undefined) => (typeof aim === "number" ? aim : aim?.[engine]);

const throughput = { program: "throughput" };
const floor = { ...throughput, what: "Share of the floor", figure: "Of floor" };
const plans = { program: "plans", figure: "Times the run" };
const million = { program: "million", run: /^all$/ };
const cpu = { program: "start", figure: "CPU, s" };

const budgets: readonly Budget[] = [
  { ...floor, run: /^upserts (create|update)$/, least: { postgresql: 0.8, pglite: 0.65 } },
  { ...floor, what: "Share of the floor, mixed", run: /^mixed$/, least: { postgresql: 0.6 } },
  { ...throughput, what: "Unchanged, times update", figure: "Times update", least: 2 },
  {
    ...throughput,
    what: "One by one of plain transactions",
    figure: "One by one of plain",
    least: { postgresql: 0.4, native: 0.4, pglite: 0.3 },
  },
  { ...throughput, what: "A task, times one by one", figure: "Times one by one", least: 20 },
  {
    what: "A plan, times its run",
    ...plans,
    run: /plan$/,
    least: { postgresql: 0.7, native: 0.7, pglite: 0.5 },
  },
  { what: "An undo, times its run", ...plans, run: /undo$/, least: 0.7 },
  { ...million, what: "A million operations: validation, s", figure: "Validation, s", most: 20 },
  { ...million, what: "A million operations: memory, MiB", figure: "Peak MiB", most: 550 },
  { ...million, what: "Last tenth to first", figure: "Last tenth to first", least: 0.85 },
  { ...cpu, what: "First start: CPU, s", run: /first$/, most: { native: 1 } },
  { ...cpu, what: "Next start: CPU, s", run: /again$/, most: { native: 0.5 } },
  { ...cpu, what: "`lading --version`: CPU, s", run: /^--version$/, most: { native: 0.2 } },
  { what: "An entry is seen, ms", program: "latency", figure: "Longest, ms", most: { postgresql: 500 } },
  { what: "Fairness: longest, ms", program: "fairness", figure: "Longest, ms", most: 10_000 },
  { what: "Fairness: longest, times idle", program: "fairness", figure: "Longest, times idle", most: 5 },
  { what: "Two writers: errors", program: "two-writers", figure: "Errors", most: 0 },
  { what: "Two writers: stock missing", program: "two-writers", figure: "Stock missing", most: 0 },
  { what: "A reference costs more by, %", program: "templates", figure: "More by, %", most: 10 },
];

/** The tables of docs/benchmarks.md, by the name of their marker. @throws Error for rows of several commits */
export function benchmarkTables(results: readonly Row[]): Record<string, () => string> {
  requireOneOrigin(results);
  const rows = results.filter(({ program }) => program !== "scale");
  const tables = Object.keys(programs)
    .filter((name) => name !== "scale")
    .map((name) => [
      `figures of ${name}`,
      () => figuresTable(rows.filter(({ program }) => program === name)),
    ]);
  return {
    measured: () => measuredLine(rows),
    "figures at a glance": () => glance(rows),
    instead: () => insteadTable(rows),
    budgets: () => budgetTable(rows),
    ...Object.fromEntries(tables),
  };
}

export const notMeasured = "Not measured at this commit.\n";

export function measuredLine(rows: readonly Row[]): string {
  if (rows[0] === undefined) return "Not measured at this commit: run `npm run bench -- all --save`.\n";
  const days = [...new Set(rows.map(({ date }) => date.slice(0, 10)))].sort();
  return `Measured on ${days.join(" and ")}: ${originOf(rows[0])}.\n`;
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

const findRow = (rows: readonly Row[], engine: Engine, [, workload, run]: GlanceRow) =>
  rows.find((each) => each.engine === engine && each.workload === workload && each.run === run);

const rateText = (value: number | undefined) =>
  value === undefined ? absent : Math.round(value).toLocaleString("en");

function glance(rows: readonly Row[]): string {
  if (rows.length === 0) return notMeasured;
  const cells = (engine: Engine, glanceRow: GlanceRow): string[] => {
    const [, , , figure, share] = glanceRow;
    const row = findRow(rows, engine, glanceRow);
    const [value, part] = row ? [median(row, figure), median(row, share)] : [];
    return [rateText(value), part === undefined ? absent : `${Math.round(100 * part)} %`];
  };
  return table(
    ["Operations per second", ...engines.flatMap((engine) => [engineNames[engine], "of floor"])],
    glanceRows.map((row) => [row[0], ...engines.flatMap((engine) => cells(engine, row))]),
    engines.flatMap(() => ["--:", "--:"]),
  );
}

/** The headings of what writes the same as a file, with their figures. */
const ways = {
  "a file": "Operations/s",
  "single mutations": "One by one/s",
  "own transactions": "Plain transactions/s",
  "own bulk writes": "Floor/s",
};

function insteadTable(rows: readonly Row[]): string {
  const lines = glanceRows.flatMap((glanceRow) =>
    engines.flatMap((engine) => {
      const row = glanceRow[3] === ways["a file"] ? findRow(rows, engine, glanceRow) : undefined;
      if (row?.figures[ways["own transactions"]] === undefined) return [];
      const cells = Object.values(ways).map((figure) => rateText(median(row, figure)));
      return [[glanceRow[0], engineNames[engine], ...cells]];
    }),
  );
  const head = ["Operations per second", "Database", ...Object.keys(ways)];
  const alignment = ["---", ...Object.keys(ways).map(() => "--:")];
  return lines.length === 0 ? notMeasured : table(head, lines, alignment);
}

/** Missed budgets first, each with all runs that miss it; a met one has the run that comes closest to missing it. */
function budgetTable(rows: readonly Row[]): string {
  const lines = budgets.flatMap((budget) =>
    engines.flatMap((engine) => budgetLine(budget, engine, rows) ?? []),
  );
  if (lines.length === 0) return notMeasured;
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

const isOf = (row: Row, { program, run }: Budget) =>
  row.program === program && (run?.test(nameOf(row)) ?? true);

const numberText = (value: number) =>
  value >= 100 ? Math.round(value).toLocaleString("en") : String(Number(value.toPrecision(2)));

const nameOf = ({ program, workload, run }: Row) =>
  workload === program || workload === run ? run : `${workload} ${run}`;

/** A column per figure, with the median and, of several measurements, minimum and maximum. */
export function figuresTable(rows: readonly Row[], nameOfRun = nameOf): string {
  if (rows.length === 0) return notMeasured;
  const headings = [...new Set(rows.flatMap(({ figures }) => Object.keys(figures)))];
  const cells = rows.map((row) => [
    ...[engineNames[row.engine], nameOfRun(row)],
    ...headings.map((heading) => figureText(row.figures[heading])),
  ]);
  return table(["Database", "Run", ...headings], cells);
}

function figureText(values: readonly number[] | undefined): string {
  const found = spread(values);
  if (found === undefined) return absent;
  const { median, least, greatest } = found;
  const [middle, low, high] = [median, least, greatest].map((each) => rounded(each).toLocaleString("en"));
  return low === high ? middle! : `${middle} (${low}–${high})`;
}
