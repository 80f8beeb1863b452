import type { Outage } from "./progress.ts";
import { type TortureOptions, type TortureReport, torture } from "./torture.ts";

export interface Rounds extends Omit<TortureOptions, "tenants"> {
  /** Kills between two comparisons. After each round the next one begins with new databases, and the next seed. */
  round: number;
  /** Called after each round with the report of all so far. */
  onRound?(report: TortureReport): void;
}

const nothing = (): TortureReport => ({
  ...{ kills: 0, killed: {}, strikes: [], outages: [], writeOutages: [], tasks: 0, operations: 0 },
  mutations: { acknowledged: 0, unanswered: 0 },
  wrong: [],
});

/** The report of a round that did not end: it failed, and none of its kills count. */
const failedRound = (error: Error): TortureReport => ({ ...nothing(), wrong: [error.message] });

/** Kills in rounds, and adds up their reports. */
export async function tortureInRounds({ round, onRound, ...options }: Rounds): Promise<TortureReport> {
  const total = nothing();
  let { seed } = options;
  for (let left = options.kills; left > 0; left -= round, seed++) {
    options.log?.(`${options.engine}, seed ${seed}`);
    const report = await torture({ ...options, seed, kills: Math.min(round, left) }).catch(failedRound);
    add(total, report, seed);
    onRound?.(total);
  }
  return total;
}

function add(total: TortureReport, report: TortureReport, seed: number): void {
  for (const name of ["kills", "tasks", "operations"] as const) total[name] += report[name];
  for (const [what, times] of Object.entries(report.killed))
    total.killed[what] = (total.killed[what] ?? 0) + times;
  total.strikes.push(...report.strikes);
  total.outages.push(...report.outages);
  total.writeOutages.push(...report.writeOutages);
  for (const name of ["acknowledged", "unanswered"] as const) total.mutations[name] += report.mutations[name];
  total.wrong.push(...report.wrong.map((text) => `seed ${seed}: ${text}`));
}

/** The median and the longest of some times in milliseconds. */
export function spreadOf(times: readonly number[]): { medianMs?: number; longestMs?: number } {
  const sorted = times.toSorted((a, b) => a - b);
  const [median, longest] = [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)];
  return median === undefined || longest === undefined ? {} : { medianMs: median, longestMs: longest };
}

/** By what was killed. */
export function spreadByKind(outages: readonly Outage[]): object {
  const groups = Object.entries(Object.groupBy(outages, ({ what }) => what));
  return Object.fromEntries(
    groups.map(([what, those = []]) => [
      what,
      { times: those.length, ...spreadOf(those.map(({ ms }) => ms)) },
    ]),
  );
}
