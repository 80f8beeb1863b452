import { readOptions } from "./program/options.ts";
import { engineOption, enginesOf, jsonOption, print, type Row } from "./program/rows.ts";
import { measureWorkload } from "./throughput/measure.ts";
import { workloads } from "./workloads/workloads.ts";

const values = readOptions(
  "bench",
  "Measures throughput beside its floor and one by one. A run that fails does not end the others.",
  {
    workload: {
      default: Object.keys(workloads),
      meaning: "the operations: products upserted, several intents mixed, documents of 20 components",
    },
    engine: engineOption,
    products: { default: "20000", meaning: "operations of a run; of content, a quarter as many" },
    single: {
      default: "300",
      meaning: "mutations one by one; with 0, only tasks are measured, without a floor",
    },
    runs: { default: "1", meaning: "times that each workload is measured" },
    json: jsonOption,
  },
);

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
