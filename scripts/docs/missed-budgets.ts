import { engines, type Row } from "../../bench/program/rows.ts";
import { budgetOf, engineNames, quotient, type Repeated, repeated, spread } from "./benchmark-tables.ts";

/** A budget besides the shares of the floor: the least that a figure of the runs of some workloads is to be. */
interface Budget {
  what: string;
  workloads: readonly string[];
  aim: number;
  figure(row: Row): number | null;
}

/** The rate of plans or undos by that of the runs that they are of, on some databases. */
const timesTheRun =
  (kind: "plan" | "undo", on: readonly Row["engine"][]) =>
  ({ engine, run, figures }: Row): number | null =>
    on.includes(engine) && run.endsWith(kind) ? (figures?.["Times the run"] ?? null) : null;

const budgets: readonly Budget[] = [
  {
    what: "One by one, share of plain transactions",
    workloads: ["upserts", "mixed", "content"],
    aim: 0.3,
    figure: ({ oneByOne, plain }) => quotient(oneByOne, plain),
  },
  {
    what: "A task, times one by one",
    workloads: ["upserts", "mixed", "content"],
    aim: 20,
    figure: ({ rate, oneByOne }) => quotient(rate, oneByOne),
  },
  {
    what: "A plan, times its run",
    workloads: ["plans"],
    aim: 0.7,
    figure: timesTheRun("plan", ["postgresql", "native"]),
  },
  { what: "A plan, times its run", workloads: ["plans"], aim: 0.5, figure: timesTheRun("plan", ["pglite"]) },
  { what: "An undo, times its run", workloads: ["plans"], aim: 0.7, figure: timesTheRun("undo", engines) },
];

/** A task that changes nothing is to be so many times as fast as one that updates. */
const unchangedAim = 2;

interface Reached {
  engine: Row["engine"];
  what: string;
  aim: number;
  run: string;
  reached: number | undefined;
}

/** The table of the budgets that the measured runs miss, by their medians: a line for each budget and database. */
export function missedBudgets(rows: readonly Row[]): string {
  const runs = repeated(rows);
  const all = [...runs.flatMap(sharesOfFloor), ...unchanged(runs), ...runs.flatMap(others)];
  const missed = all.filter(({ aim, reached }) => reached !== undefined && reached < aim);
  if (missed.length === 0) return "None is missed.\n";
  const lines = Map.groupBy(
    missed,
    ({ engine, what, aim }) => `| ${what} | ${engineNames[engine]} | ${aim} |`,
  );
  return [
    "| Budget | Database | Aim | Reached |\n| --- | --- | --- | --- |\n",
    ...[...lines].map(([begin, of]) => {
      const reached = of.map(({ run, reached }) => `${Number(reached!.toPrecision(2))} ${run}`);
      return `${begin} ${reached.join(", ")} |\n`;
    }),
  ].join("");
}

const median = ({ rows }: Repeated, figure: (row: Row) => number | null) => spread(rows.map(figure))?.median;

const nameOf = ({ workload, run }: Repeated) =>
  workload === run || ["upserts", "plans"].includes(workload) ? run : `${workload} ${run}`;

function sharesOfFloor(run: Repeated): Reached[] {
  const aim = budgetOf(run);
  const reached = median(run, ({ ratio }) => ratio);
  return aim === undefined
    ? []
    : [{ engine: run.engine, what: "Share of the floor", aim, run: nameOf(run), reached }];
}

function unchanged(runs: readonly Repeated[]): Reached[] {
  const rate = (engine: Row["engine"], name: string) => {
    const found = runs.find(
      (each) => each.engine === engine && each.workload === "upserts" && each.run === name,
    );
    return (found && median(found, (row) => row.rate)) ?? null;
  };
  return [...new Set(runs.map(({ engine }) => engine))].map((engine) => ({
    ...{ engine, what: "Unchanged, times update", aim: unchangedAim, run: "unchanged" },
    reached: quotient(rate(engine, "unchanged"), rate(engine, "update")) ?? undefined,
  }));
}

const others = (run: Repeated): Reached[] =>
  budgets
    .filter(({ workloads }) => workloads.includes(run.workload))
    .map(({ what, aim, figure }) => ({
      ...{ engine: run.engine, what, aim, run: nameOf(run), reached: median(run, figure) },
    }));
