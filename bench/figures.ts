// Measures the tables of docs/benchmarks.md that follow from bench/results/benchmarks.json, and renews both. Each
// part is written when it is measured, so that an interrupted run loses one part at most.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { merged, readResults, resultsFile } from "../scripts/docs/benchmark-tables.ts";
import { readOptions } from "./program/options.ts";
import { engineOption, engines, enginesOf, type Row, readRows } from "./program/rows.ts";
import { workloads } from "./workloads/workloads.ts";

/** The program that measures each table, with its arguments, and the databases that it is measured on. */
const tables: Readonly<Record<string, { program: string[]; on: readonly Row["engine"][] }>> = {
  ...Object.fromEntries(
    Object.keys(workloads).map((name) => [name, { program: ["run.ts", "--workload", name], on: engines }]),
  ),
  latency: { program: ["latency.ts"], on: engines },
  plans: { program: ["plans.ts"], on: engines },
  tenants: { program: ["tenants.ts"], on: engines },
  million: { program: ["million.ts"], on: ["postgresql"] },
};

const values = readOptions(
  "bench:figures",
  "Measures the tables of docs/benchmarks.md and renews bench/results/benchmarks.json, the page and its chart.\n" +
    "New figures replace those of the same workload and database; the others stay.",
  {
    workload: { default: Object.keys(tables), meaning: "the tables, for example --workload mixed" },
    engine: engineOption,
    runs: { default: "1", meaning: "times that each is measured; the page has the median and the spread" },
  },
);

const chosen = values.workload.flatMap((workload) => {
  const table = tables[workload];
  if (table === undefined)
    throw new Error(`no --workload ${workload}: there are ${Object.keys(tables).join(", ")}`);
  const { program, on } = table;
  return enginesOf(values.engine)
    .filter((engine) => on.includes(engine))
    .map((engine) => ({ workload, program, engine }));
});

const kept = readResults();
const measured: Row[] = [];
for (let run = 1; run <= Number(values.runs); run++)
  for (const { workload, program, engine } of chosen) {
    const started = performance.now();
    try {
      measured.push(...(await measure([...program, "--engine", engine, "--json"])));
      await writeFile(resultsFile, `${JSON.stringify(merged(kept, measured), null, 2)}\n`);
    } catch (error) {
      console.error(error);
      process.exitCode = 1;
    }
    const seconds = ((performance.now() - started) / 1000).toFixed(0);
    console.error(`${workload} on ${engine}, run ${run} of ${values.runs}: ${seconds} s`);
  }
await import("../scripts/generate-docs.ts");

/** Runs a program of the bench in a process of its own; its progress goes to standard error. */
async function measure([program = "", ...parameters]: readonly string[]): Promise<Row[]> {
  const child = spawn(process.execPath, [join(import.meta.dirname, program), ...parameters], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "close");
  const printed = await text(child.stdout);
  const [code] = await ended;
  if (code !== 0) throw new Error(`${program} ${parameters.join(" ")} ended with ${code}`);
  return readRows(printed);
}
