import { parseArgs } from "node:util";
import { measureWorkload } from "./measure.ts";
import { enginesOf, print, type Row } from "./rows.ts";
import { workloads } from "./workloads/workloads.ts";

/** Measures throughput beside its floor and one by one. A run that fails does not end the others. */
const { values } = parseArgs({
  options: {
    workload: { type: "string", multiple: true, default: Object.keys(workloads) },
    engine: { type: "string", multiple: true, default: ["postgresql", "pglite"] },
    products: { type: "string", default: "20000" },
    single: { type: "string", default: "300" },
    runs: { type: "string", default: "1" },
    json: { type: "boolean", default: false },
  },
});

/** Looks up the value of an option; throws when it does not exist. */
function named<Value>(option: string, all: Readonly<Record<string, Value>>, name: string): Value {
  const value = all[name];
  if (value === undefined) throw new Error(`no --${option} ${name}: ${Object.keys(all).join(", ")}`);
  return value;
}

const chosen = enginesOf(values.engine).flatMap((engine) =>
  values.workload.map((workload) => ({
    engine,
    workload: named("workload", workloads, workload)(Number(values.products)),
  })),
);

const rows: Row[] = [];
for (let run = 1; run <= Number(values.runs); run++)
  for (const { engine, workload } of chosen) {
    console.error(`run ${run} of ${values.runs}`);
    try {
      rows.push(...(await measureWorkload(engine, workload, Number(values.single))));
    } catch (error) {
      console.error(error);
      process.exitCode = 1;
    }
  }
print(rows, values.json);
