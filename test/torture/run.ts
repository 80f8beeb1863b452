import { parseArgs } from "node:util";
import { missingServerPrograms } from "../support/postgres/server-programs.ts";
import type { Outage } from "./progress.ts";
import {
  type TortureEngine,
  type TortureOptions,
  type TortureReport,
  torture,
  tortureEngines,
} from "./torture.ts";

/**
 * `npm run torture [-- --kills N --engine postgresql|native|pglite --seed N --operations N --round N]` runs all engines
 * unless one is named. After each round everything is compared, and the next one begins with new databases.
 * `--failover` kills the primary of two replicated servers instead, `--cut-off SECONDS` cuts processes off from theirs,
 * and both together do both.
 */
const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "50" },
    engine: { type: "string" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    operations: { type: "string", default: "3000" },
    round: { type: "string", default: "50" },
    failover: { type: "boolean", default: false },
    "cut-off": { type: "string" },
  },
});
const number = (name: "kills" | "seed" | "operations" | "round" | "cut-off") => {
  const value = Number(values[name]);
  if (!Number.isInteger(value) || value < 1) throw new Error(`--${name} must be a whole number from 1`);
  return value;
};

const nothing = (): TortureReport => ({
  ...{ kills: 0, killed: {}, strikes: [], outages: [], writeOutages: [], tasks: 0, operations: 0 },
  mutations: { acknowledged: 0, unanswered: 0 },
  wrong: [],
});

/** The report of a round that did not end: it failed, and none of its kills count. */
const failedRound = (error: Error): TortureReport => ({ ...nothing(), wrong: [error.message] });

function hit(): Pick<TortureOptions, "prey" | "cutMs"> {
  const cut = values["cut-off"] === undefined ? {} : { cutMs: 1_000 * number("cut-off") };
  if (values.failover) return { prey: "primary", ...cut };
  return values["cut-off"] === undefined ? {} : { prey: "network", ...cut };
}

/** The median and the longest of some times in milliseconds. */
function described(times: readonly number[]): object {
  const sorted = times.toSorted((a, b) => a - b);
  return { medianMs: sorted[Math.floor(sorted.length / 2)], longestMs: sorted.at(-1) };
}

function describedByKind(outages: readonly Outage[]): object {
  const groups = Object.entries(Object.groupBy(outages, ({ what }) => what));
  return Object.fromEntries(
    groups.map(([what, those = []]) => [
      what,
      { times: those.length, ...described(those.map(({ ms }) => ms)) },
    ]),
  );
}

async function rounds(engine: TortureEngine): Promise<void> {
  const began = performance.now();
  const total: TortureReport = nothing();
  for (let seed = number("seed"), killsLeft = number("kills"); killsLeft > 0; seed++) {
    console.log(`${engine}, seed ${seed}`);
    const kills = Math.min(number("round"), killsLeft);
    killsLeft -= kills;
    const log = (line: string) => console.log(`  ${line}`);
    const options = { engine, seed, kills, operations: number("operations"), log, ...hit() };
    const report = await torture(options).catch(failedRound);
    for (const name of ["kills", "tasks", "operations"] as const) total[name] += report[name];
    for (const [what, times] of Object.entries(report.killed))
      total.killed[what] = (total.killed[what] ?? 0) + times;
    total.strikes.push(...report.strikes);
    total.outages.push(...report.outages);
    total.writeOutages.push(...report.writeOutages);
    for (const name of ["acknowledged", "unanswered"] as const)
      total.mutations[name] += report.mutations[name];
    total.wrong.push(...report.wrong.map((text) => `seed ${seed}: ${text}`));
    const seconds = Math.round((performance.now() - began) / 1000);
    const times = {
      strikes: described(total.strikes),
      outages: describedByKind(total.outages),
      writeOutages: describedByKind(total.writeOutages),
    };
    console.dir({ engine, ...total, ...times, seconds }, { depth: null });
  }
  if (total.wrong.length > 0) process.exitCode = 1;
}

const serverOnly = values.failover || values["cut-off"] !== undefined;
const missing = values.failover ? missingServerPrograms() : undefined;
if (missing !== undefined) console.log(`skipped: ${missing}`);
const all = serverOnly ? ["postgresql"] : tortureEngines;
for (const engine of missing !== undefined ? [] : values.engine === undefined ? all : [values.engine]) {
  const known = tortureEngines.find((each) => each === engine);
  if (known === undefined)
    throw new Error(`--engine is "${engine}"; it must be one of ${tortureEngines.join(", ")}`);
  await rounds(known);
}
