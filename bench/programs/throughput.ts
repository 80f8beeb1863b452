import { type Engine, type Measured, readOptions } from "../program.ts";
import { measureWorkload } from "../throughput/measure.ts";
import { workloads } from "../workloads/workloads.ts";

export const values = readOptions({
  workload: {
    default: Object.keys(workloads),
    meaning: "the operations: products upserted, several intents mixed, documents of 20 components",
  },
  products: { default: "20000", meaning: "operations of a run; of content, a quarter" },
  single: {
    default: "300",
    meaning: "mutations one by one; with 0, only tasks are measured, without a floor",
  },
});

export async function* measure(engine: Engine): AsyncGenerator<Measured> {
  const chosen = values.workload.map((name) => {
    const workload = workloads[name];
    if (workload === undefined)
      throw new Error(`no --workload ${name}: ${Object.keys(workloads).join(", ")}`);
    return workload(Number(values.products));
  });
  for (const workload of chosen) yield* await measureWorkload(engine, workload, Number(values.single));
}
