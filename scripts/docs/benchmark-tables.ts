import { readFileSync } from "node:fs";
import { engines, type Row, rounded } from "../../bench/program/rows.ts";

/** The results that docs/benchmarks.md and its chart are made of. */
export const resultsFile = new URL("../../bench/results/benchmarks.json", import.meta.url);
export const readResults = (): Row[] => JSON.parse(readFileSync(resultsFile, "utf8"));

/** The least share of the floor that a run is to reach. */
const budgets: Readonly<Record<Row["engine"], Readonly<Record<string, number>>>> = {
  postgresql: { "upserts create": 0.8, "upserts update": 0.8, "mixed mixed": 0.6 },
  native: {},
  pglite: { "upserts create": 0.65, "upserts update": 0.65 },
};

export const engineNames: Readonly<Record<Row["engine"], string>> = {
  postgresql: "PostgreSQL",
  native: "native embedded",
  pglite: "PGlite",
};

/** The same run, measured once or several times. */
export interface Repeated {
  engine: Row["engine"];
  workload: string;
  run: string;
  rows: readonly Row[];
}

/** The rows by what they measure, in the order of the rows. */
export function repeated(rows: readonly Row[]): Repeated[] {
  const groups = Map.groupBy(rows, ({ engine, workload, run }) => `${engine}\n${workload}\n${run}`);
  return [...groups.values()].map((group) => {
    const { engine, workload, run } = group[0]!;
    return { engine, workload, run, rows: group };
  });
}

/** Median, least and greatest of what was measured; undefined when nothing was. */
export function spread(values: readonly (number | null | undefined)[]) {
  const sorted = values.filter((value) => typeof value === "number").toSorted((a, b) => a - b);
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  if (low === undefined || high === undefined) return undefined;
  return { median: (low + high) / 2, least: sorted[0]!, greatest: sorted.at(-1)! };
}

/** All rows but those of a workload on a database that was measured again, and the new ones. */
export function merged(kept: readonly Row[], measured: readonly Row[]): Row[] {
  const again = new Set(measured.map(({ workload, engine }) => `${workload}\n${engine}`));
  return [...kept.filter(({ workload, engine }) => !again.has(`${workload}\n${engine}`)), ...measured];
}

/** The tables of docs/benchmarks.md, by the name of their marker: a summary, and one for each workload. */
export function benchmarkTables(rows: readonly Row[]): Record<string, () => string> {
  const workloads = new Set(rows.map(({ workload }) => workload));
  const tables = [...workloads].map((name) => [
    `figures of ${name}`,
    () => table(repeated(rows.filter(({ workload }) => workload === name))),
  ]);
  return { "figures at a glance": () => glance(repeated(rows)), ...Object.fromEntries(tables) };
}

/** A row of the summary: a sentence, the run that it is of, its figure, and the share of what it is compared with. */
interface GlanceRow {
  what: string;
  workload: string;
  run: string;
  figure(row: Row): number | null;
  share?(row: Row): number | null;
}

/** `a / b`, or null when one of them was not measured. */
export const quotient = (a: number | null, b: number | null): number | null =>
  a !== null && b ? a / b : null;

const rateOf = (what: string, workload: string, run: string): GlanceRow => ({
  ...{ what, workload, run, figure: ({ rate }) => rate, share: ({ ratio }) => ratio },
});

const singlesOf = (what: string, workload: string, run: string): GlanceRow => ({
  ...{ what, workload, run, figure: ({ oneByOne }) => oneByOne },
  share: ({ oneByOne, plain }) => quotient(oneByOne, plain),
});

const glanceRows: readonly GlanceRow[] = [
  rateOf("Products created", "upserts", "create"),
  rateOf("Products updated", "upserts", "update"),
  rateOf("The same file again, nothing changes", "upserts", "unchanged"),
  rateOf("Stocks, prices, content, orders, mixed", "mixed", "mixed"),
  rateOf("The same, planned", "plans", "mixed mixed: plan"),
  rateOf("The same, undone", "plans", "mixed mixed: undo"),
  rateOf("Documents of 20 components created", "content", "create"),
  rateOf("Documents of 20 components updated", "content", "update"),
  rateOf("Four tenants together", "tenants", "4 tenants"),
  rateOf("A million operations, with validation", "million", "all"),
  singlesOf("Single mutations, products created", "upserts", "create"),
  singlesOf("Single mutations, products updated", "upserts", "update"),
];

/** One figure for each database, the median, without its spread, and beside it the share of the floor. */
function glance(runs: readonly Repeated[]): string {
  const cells = (engine: Row["engine"], { workload, run, figure, share }: GlanceRow): string[] => {
    const found = runs.find(
      (each) => each.engine === engine && each.workload === workload && each.run === run,
    );
    const median = spread(found?.rows.map(figure) ?? [])?.median;
    const part = share && spread(found?.rows.map(share) ?? [])?.median;
    return [
      median === undefined ? absent : Math.round(median).toLocaleString("en"),
      part === undefined ? absent : `${Math.round(100 * part)} %`,
    ];
  };
  const line = (parts: readonly string[]) => `| ${parts.join(" | ")} |\n`;
  const headings = engines.flatMap((engine) => [engineNames[engine], "of floor"]);
  return [
    line(["Operations a second", ...headings]),
    line(["---", ...headings.map(() => "--:")]),
    ...glanceRows.map((row) => line([row.what, ...engines.flatMap((engine) => cells(engine, row))])),
  ].join("");
}

type Column = [heading: string, cell: (repeated: Repeated) => string];

function table(runs: readonly Repeated[]): string {
  const columns = [...columnsOf(runs), ...figureColumns(runs)];
  const measured = columns.filter(([, cell]) => runs.some((run) => cell(run) !== absent));
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |\n`;
  const when = runs.flatMap(({ rows }) =>
    rows.map(({ date, node, machine }) => `${date.slice(0, 10)}, Node ${node.slice(1)}, ${machine}`),
  );
  return [
    line(measured.map(([heading]) => heading)),
    line(measured.map(() => "---")),
    ...runs.map((run) => line(measured.map(([, cell]) => cell(run)))),
    `\nMeasured ${[...new Set(when)].join("; ")}.\n`,
  ].join("");
}

const absent = "–";

function columnsOf(runs: readonly Repeated[]): Column[] {
  const value = (heading: string, of: (row: Row) => number | null): Column => [
    heading,
    ({ rows }) => text(spread(rows.map(of))),
  ];
  const hasBudget = runs.some((run) => budgetOf(run) !== undefined);
  return [
    ["Database", ({ engine }) => engineNames[engine]],
    ["Run", ({ run }) => run],
    value("Operations", ({ operations }) => operations),
    value("Operations/s", ({ rate }) => rate),
    value("Floor/s", ({ floor }) => floor),
    ["Fastest floor", ({ rows }) => [...new Set(rows.flatMap(({ way }) => way ?? []))].join("; ") || absent],
    value("Of floor", ({ ratio }) => ratio),
    value("Floor of today's rows/s", ({ todaysFloor }) => todaysFloor ?? null),
    value("Of today's floor", ({ todaysRatio }) => todaysRatio ?? null),
    ...(hasBudget ? [["Budget", (run) => String(budgetOf(run) ?? absent)] satisfies Column] : []),
    value("One by one/s", ({ oneByOne }) => oneByOne),
    value("Times one by one", ({ rate, oneByOne }) => quotient(rate, oneByOne)),
    value("Plain transactions/s", ({ plain }) => plain),
    value("One by one of plain", ({ oneByOne, plain }) => quotient(oneByOne, plain)),
    value("First entry, ms", ({ firstEntryMs }) => firstEntryMs),
    value("Peak MiB", ({ peakMiB }) => peakMiB),
    value("Service CPU, µs", ({ serviceCpuUs }) => serviceCpuUs ?? null),
    value("Database CPU, µs", ({ databaseCpuUs }) => databaseCpuUs ?? null),
  ];
}

function figureColumns(runs: readonly Repeated[]): Column[] {
  const headings = new Set(
    runs.flatMap(({ rows }) => rows.flatMap(({ figures }) => Object.keys(figures ?? {}))),
  );
  return [...headings].map((heading) => [
    heading,
    ({ rows }) => text(spread(rows.map(({ figures }) => figures?.[heading]))),
  ]);
}

export const budgetOf = ({ engine, workload, run }: Repeated): number | undefined =>
  budgets[engine][`${workload} ${run}`];

function text(values: ReturnType<typeof spread>): string {
  if (values === undefined) return absent;
  const { median, least, greatest } = values;
  const [middle, low, high] = [median, least, greatest].map((each) => rounded(each).toLocaleString("en"));
  return low === high ? middle! : `${middle} (${low}–${high})`;
}
