import { parseArgs } from "node:util";
import { type TortureReport, torture } from "./torture.ts";

/**
 * `npm run torture [-- --kills N --engine pglite|postgresql --seed N --operations N --round N]` runs both engines
 * unless one is named. After each round everything is compared, and the next one begins with new databases.
 */
const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "50" },
    engine: { type: "string" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    operations: { type: "string", default: "3000" },
    round: { type: "string", default: "50" },
  },
});
const number = (name: "kills" | "seed" | "operations" | "round") => {
  const value = Number(values[name]);
  if (!Number.isInteger(value) || value < 1) throw new Error(`--${name} must be a whole number from 1`);
  return value;
};

/** The report of a round that did not end: as wrong as one with differences, and none of its kills count. */
const failedRound = (error: Error): TortureReport => ({
  ...{ kills: 0, killed: {}, tasks: 0, operations: 0 },
  wrong: [error.message],
});

async function rounds(engine: "pglite" | "postgresql"): Promise<void> {
  const began = performance.now();
  const total: TortureReport = { kills: 0, killed: {}, tasks: 0, operations: 0, wrong: [] };
  for (let seed = number("seed"), killsLeft = number("kills"); killsLeft > 0; seed++) {
    console.log(`${engine}, seed ${seed}`);
    const kills = Math.min(number("round"), killsLeft);
    killsLeft -= kills;
    const log = (line: string) => console.log(`  ${line}`);
    const report = await torture({ engine, seed, kills, operations: number("operations"), log }).catch(
      failedRound,
    );
    for (const name of ["kills", "tasks", "operations"] as const) total[name] += report[name];
    for (const [what, times] of Object.entries(report.killed))
      total.killed[what] = (total.killed[what] ?? 0) + times;
    total.wrong.push(...report.wrong.map((text) => `seed ${seed}: ${text}`));
    console.log(engine, { ...total, seconds: Math.round((performance.now() - began) / 1000) });
  }
  if (total.wrong.length > 0) process.exitCode = 1;
}

for (const engine of values.engine === undefined ? ["postgresql", "pglite"] : [values.engine]) {
  if (engine !== "pglite" && engine !== "postgresql")
    throw new Error(`--engine is "${engine}"; it must be pglite or postgresql`);
  await rounds(engine);
}
