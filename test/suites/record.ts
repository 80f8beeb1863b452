import { readFileSync, writeFileSync } from "node:fs";
import { type Origin, originOf } from "../../bench/results.ts";

export const suiteNames = ["crash", "failover", "hostile", "fuzz", "conformance"] as const;
export type SuiteName = (typeof suiteNames)[number];

/** What one run of a suite came to. A figure's name is its column's heading, with the unit. */
export interface Measured {
  run: string;
  figures: Readonly<Record<string, number | string>>;
  /** What must never be and was; empty if nothing. */
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

/** The record that a release has beside it, and docs/suites.md shows. */
const file = new URL("record.json", import.meta.url);
export const readRecord = (): SuiteRow[] => JSON.parse(readFileSync(file, "utf8"));

/** Writes the rows of a suite in place of its former ones, and drops those of other commits and machines. */
export function saveRows(program: SuiteName, rows: readonly SuiteRow[], origin: Origin): void {
  const stays = (row: SuiteRow) => originOf(row) === originOf(origin) && row.program !== program;
  const text = JSON.stringify([...readRecord().filter(stays), ...rows], null, 2);
  writeFileSync(file, `${text}\n`);
}
