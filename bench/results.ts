import { readFileSync, writeFileSync } from "node:fs";
import { arch, cpus, totalmem } from "node:os";
import type { Engine, Measured } from "./program.ts";

/** A run measured once or several times. */
export interface Row {
  /** ISO 8601, of the first measurement. */
  date: string;
  /** Version of Node. */
  node: string;
  /** Cores, memory and architecture. */
  machine: string;
  engine: Engine;
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
export function add(rows: Row[], engine: Engine, program: string, measured: Measured): void {
  const { workload = program, run, figures } = measured;
  let row = rows.find((each) => each.engine === engine && each.workload === workload && each.run === run);
  if (row === undefined) {
    row = { ...environment(), engine, workload, run, figures: {} };
    rows.push(row);
  }
  for (const [heading, value] of Object.entries(figures))
    if (value !== null) row.figures[heading] = [...(row.figures[heading] ?? []), rounded(value)];
}

function environment(): Pick<Row, "date" | "node" | "machine"> {
  const memory = Math.round(totalmem() / 1024 ** 3);
  return {
    date: new Date().toISOString(),
    node: process.version,
    machine: `${cpus().length} cores, ${memory} GiB, ${arch()}`,
  };
}

/** All rows except those measured again for a workload on a database, and the new ones. */
export function merged(kept: readonly Row[], measured: readonly Row[]): Row[] {
  const again = new Set(measured.map(({ workload, engine }) => `${workload}\n${engine}`));
  return [...kept.filter(({ workload, engine }) => !again.has(`${workload}\n${engine}`)), ...measured];
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
