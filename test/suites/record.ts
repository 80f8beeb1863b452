import { readFileSync, writeFileSync } from "node:fs";
import { type Origin, originOf } from "../../bench/results.ts";
import { attacks } from "../hostile/attacks/index.ts";

type Sizes = Readonly<Record<string, number | string>>;

/** The options of each suite that say how much is done, with the size of a release. */
export const fullSizes = {
  crash: { kills: 100, operations: 300, round: 50 },
  failover: { kills: 28, operations: 2_000, round: 28, "cut-seconds": 60 },
  hostile: { seconds: 8, attacks: attacks.length },
  fuzz: { files: 10_000, requests: 10_000, rounds: 500, changes: 500 },
  conformance: { tests: "test/conformance" },
} satisfies Record<string, Sizes>;

export type SuiteName = keyof typeof fullSizes;
export const suiteNames = Object.keys(fullSizes) as SuiteName[];

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
  /** As of `fullSizes`. */
  sizes: Sizes;
  minutes: number;
}

/** The record that is published with a release, and that docs/suites.md shows. */
const file = new URL("record.json", import.meta.url);
export const readRecord = (): SuiteRow[] => JSON.parse(readFileSync(file, "utf8"));

/** Where rows did less than a release does, such as `fuzz --rounds 10, not 500`. */
export function lessThanFull(rows: readonly Pick<SuiteRow, "program" | "sizes">[]): string[] {
  const found = rows.flatMap(({ program, sizes }) =>
    Object.entries<number | string>(fullSizes[program] ?? {}).flatMap(([name, full]) => {
      const size = sizes[name] ?? "none";
      const isFull = typeof full === "number" ? Number(size) >= full : size === full;
      return isFull ? [] : `${program} --${name} ${size}, not ${full}`;
    }),
  );
  return [...new Set(found)];
}

/** Writes the rows of a suite in place of its former ones, and drops those of other commits and machines. */
export function saveRows(program: SuiteName, rows: readonly SuiteRow[], origin: Origin): void {
  const stays = (row: SuiteRow) => originOf(row) === originOf(origin) && row.program !== program;
  const text = JSON.stringify([...readRecord().filter(stays), ...rows], null, 2);
  writeFileSync(file, `${text}\n`);
}
