import { readFileSync, writeFileSync } from "node:fs";
import { arch, cpus, totalmem } from "node:os";
import type { Engine, Measured } from "./program.ts";

/** A run measured once or several times. */
export interface Row {
  /** ISO 8601, of the first measurement. */
  date: string;
  /** The last one that changed what figures depend on; empty for figures that are not saved. */
  commit: string;
  /** Version of Node. */
  node: string;
  /** Cores, memory and architecture. */
  machine: string;
  engine: Engine;
  program: string;
  workload: string;
  /** The name of the run within its workload, such as "create". */
  run: string;
  /** The measured values, by column heading. */
  figures: Record<string, number[]>;
}

/** The results behind docs/benchmarks.md, docs/scale.md and `npm run scale`. */
const file = new URL("results.json", import.meta.url);
export const readResults = (): Row[] => JSON.parse(readFileSync(file, "utf8"));

export function saveResults(rows: readonly Row[]): void {
  const text = JSON.stringify(rows, null, 2);
  const short = text.replaceAll(
    /\[\s+([\d.,\s-]+?)\s+\]/g,
    (_, numbers) => `[${numbers.replace(/\s+/g, " ")}]`,
  );
  writeFileSync(file, `${short}\n`);
}

/** Adds a measurement to the row of the same run, or a new row. */
export function add(rows: Row[], of: Omit<Row, "workload" | "run" | "figures">, measured: Measured): void {
  const { engine, program } = of;
  const { workload = program, run, figures } = measured;
  let row = rows.find((each) => each.engine === engine && each.workload === workload && each.run === run);
  if (row === undefined) {
    row = { ...of, workload, run, figures: {} };
    rows.push(row);
  }
  for (const [heading, value] of Object.entries(figures))
    if (value !== null) row.figures[heading] = [...(row.figures[heading] ?? []), rounded(value)];
}

export function environment(commit: string): Pick<Row, "date" | keyof Origin> {
  const memory = Math.round(totalmem() / 1024 ** 3);
  return {
    ...{ date: new Date().toISOString(), commit },
    node: process.version,
    machine: `${cpus().length} cores, ${memory} GiB, ${arch()}`,
  };
}

/** The new rows, and those of the same origin that were not measured again for a workload on a database. */
export function merged(kept: readonly Row[], measured: readonly Row[]): Row[] {
  const stays = (row: Row) =>
    measured.every(
      (each) =>
        originOf(each) === originOf(row) && (each.workload !== row.workload || each.engine !== row.engine),
    );
  return [...kept.filter(stays), ...measured];
}

/** Only figures of one origin are comparable. */
export type Origin = Pick<Row, "commit" | "node" | "machine">;

export const originOf = ({ commit, node, machine }: Origin) =>
  `commit ${commit}, Node ${node.slice(1)}, ${machine}`;

const programsOf = (rows: readonly { program: string }[]) =>
  [...new Set(rows.map(({ program }) => program))].join(", ");

/** Tells which rows are dropped when figures of another origin are saved. */
export function dropped(kept: readonly Row[], by: Origin): string | undefined {
  const rows = kept.filter((row) => originOf(row) !== originOf(by));
  if (rows.length === 0) return undefined;
  const origins = [...new Set(rows.map(originOf))].join(" and ");
  return `--save drops ${rows.length} rows of ${origins}; measure again: ${programsOf(rows)}`;
}

/** @throws Error if the rows of a file have several origins, with the command that measures all of them */
export function requireOneOrigin(
  rows: readonly (Origin & { program: string })[],
  name = "bench/results.json",
  command = "npm run bench -- all --save",
): void {
  const origins = [...Map.groupBy(rows, originOf)].map(([origin, of]) => `of ${origin} (${programsOf(of)})`);
  if (origins.length > 1)
    throw new Error(`${name} has figures ${origins.join(" and ")}; measure all again: ${command}`);
}

/** Formats a number, with more decimal places the smaller it is: 5,958; 12.3; 0.547. */
export function rounded(value: number): number {
  const decimals = Math.abs(value) < 10 ? 3 : Math.abs(value) < 100 ? 1 : 0;
  return Number(value.toFixed(decimals));
}

/** Median, minimum and maximum of the measurements; undefined without any. */
export function spread(values: readonly number[] = []) {
  const sorted = values.toSorted((a, b) => a - b);
  const [low, high] = [sorted[(sorted.length - 1) >> 1], sorted[sorted.length >> 1]];
  if (low === undefined || high === undefined) return undefined;
  return { median: (low + high) / 2, least: sorted[0]!, greatest: sorted.at(-1)! };
}
