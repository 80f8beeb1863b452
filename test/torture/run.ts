import { parseArgs } from "node:util";
import { torture } from "./torture.ts";

/** `npm run torture [-- --kills N --engine pglite|postgresql --seed N --operations N]`; both engines unless one is named. */
const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "50" },
    engine: { type: "string" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    operations: { type: "string", default: "5000" },
  },
});
const engines = values.engine === undefined ? ["postgresql", "pglite"] : [values.engine];
for (const engine of engines) {
  if (engine !== "pglite" && engine !== "postgresql")
    throw new Error(`--engine is "${engine}"; it must be pglite or postgresql`);
  console.log(`${engine}, seed ${values.seed}`);
  const began = performance.now();
  const report = await torture({
    engine,
    kills: Number(values.kills),
    seed: Number(values.seed),
    operations: Number(values.operations),
    log: (line) => console.log(`  ${line}`),
  });
  console.log({ ...report, seconds: Math.round((performance.now() - began) / 1000) });
  if (report.wrong.length > 0) process.exitCode = 1;
}
