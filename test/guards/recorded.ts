import { readFileSync, writeFileSync } from "node:fs";
import { keysOf } from "@lading/schema/internal";
import type { Costs } from "./costs.ts";

export type Recorded = Record<string, Record<string, Costs>>;

const path = new URL("recorded.json", import.meta.url);

/**
 * By how much of what was recorded a cost may be higher. The database answers while operations are executed, so that
 * the rows to ask for again are not always the same, and allocation depends on the code that is compiled so far.
 */
const tolerances: Readonly<Record<keyof Costs, number>> = {
  batches: 0,
  statements: 0.15,
  sentBytes: 0.05,
  walBytes: 0.1,
  allocatedBytes: 0.25,
};

/** WAL bytes per operation that pruning of dead rows moves from one run to the next on a busy server. */
const movedByPruning = 16;

const recordCommand = (engine: string) =>
  `${engine === "PGlite" ? "LADING_TEST_RELEASE=1 " : ""}RECORD=1 npx vitest run test/guards`;

/** The costs that have grown since they were recorded, one line each. */
export function grown(engine: string, costs: Record<string, Costs>, recorded: Recorded): string[] {
  return Object.entries(costs).flatMap(([run, cost]) => {
    const before = recorded[engine]?.[run];
    if (before === undefined) return [`${run} on ${engine} was never recorded: ${recordCommand(engine)}`];
    return keysOf(tolerances).flatMap((what) => {
      const [from, to] = [before[what], cost[what]];
      const slack = what === "walBytes" ? movedByPruning : 0;
      if (from === null || to === null || to <= from * (1 + tolerances[what]) + slack) return [];
      const by = `${((to / from - 1) * 100).toFixed(1)} %`;
      return [
        `${run} on ${engine}: ${what} grew from ${from} to ${to} (${by}); if it has to: ${recordCommand(engine)}`,
      ];
    });
  });
}

export const readRecorded = (): Recorded => JSON.parse(readFileSync(path, "utf8")) as Recorded;

export function record(engine: string, costs: Record<string, Costs>): void {
  writeFileSync(path, `${JSON.stringify({ ...readRecorded(), [engine]: costs }, null, 2)}\n`);
}
