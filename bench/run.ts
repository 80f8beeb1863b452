import { parseArgs } from "node:util";
import { measureWorkload } from "./measure.ts";
import { print, type Row } from "./rows.ts";
import { workloads } from "./workloads.ts";

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

const rows: Row[] = [];
for (let run = 1; run <= Number(values.runs); run++)
  for (const engine of values.engine as Row["engine"][])
    for (const name of values.workload) {
      const workload = workloads[name]?.(Number(values.products));
      if (workload === undefined)
        throw new Error(`no workload "${name}": ${Object.keys(workloads).join(", ")}`);
      console.error(`run ${run} of ${values.runs}`);
      rows.push(...(await measureWorkload(engine, workload, Number(values.single))));
    }
print(rows, values.json);
