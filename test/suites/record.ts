import { readFileSync, writeFileSync } from "node:fs";
import { type Origin, originOf } from "../../bench/results.ts";

export const suiteNames = ["crash", "failover", "hostile", "fuzz", "conformance"] as const;
export type SuiteName = (typeof suiteNames)[number];

/** The outcome of one run of a suite. A figure's name is its column's heading, with the unit. */
export interface Measured {
  run: string;
  figures: Readonly<Record<string, number | string>>;
  /** Each thing that must never be and was. */
  wrong: readonly string[];
}

/** The same, with when and where it was measured. */
export interface SuiteRow extends Measured, Origin {
  /** ISO 8601, of its end. */
  date: string;
  version: string;
  program: SuiteName;
  seed: number;
  /** The options that say how much was done. */
  sizes: Readonly<Record<string, number | string>>;
  minutes: number;
}

/** The record that is published with a release, and that docs/suites.md shows. */
const file = new URL("record.json", import.meta.url);
export const readRecord = (): SuiteRow[] => JSON.parse(readFileSync(file, "utf8"));

/** Writes the rows of a suite in place of its former ones, and drops those of other commits and machines. */
export function saveRows(program: SuiteName, rows: readonly SuiteRow[], origin: Origin): void {
  const stays = (row: SuiteRow) => originOf(row) === originOf(origin) && row.program !== program;
  const text = JSON.stringify([...readRecord().filter(stays), ...rows], null, 2);
  writeFileSync(file, `${text}\n`);
}
