// `npm run bench -- <name> [options]` runs a bench program; without a name it lists them.
import { type Engine, enginesOf, type Measured, programs } from "./program.ts";
import { add, merged, type Row, readResults, saveResults, spread } from "./results.ts";

interface Program {
  values: { engine: string[]; runs: string; json: boolean; save: boolean };
  measure(engine: Engine): AsyncIterable<Measured> | Promise<Measured[]>;
}

const name = process.argv[2] ?? "";
if (!(name in programs)) {
  const list = Object.entries(programs).map(([name, purpose]) => `  ${name.padEnd(14)} ${purpose}`);
  console.log(
    ["npm run bench -- <name> [options]", "", ...list, "", "<name> --help lists options."].join("\n"),
  );
  process.exit(["", "--help"].includes(name) ? 0 : 1);
}
const { values, measure }: Program = await import(`./programs/${name}.ts`);
const chosen = enginesOf(values.engine);
const runs = Number(values.runs);
if (!Number.isInteger(runs) || runs < 1)
  throw new Error(`--runs is ${values.runs}; use a whole number from 1`);
const kept = readResults();
const rows: Row[] = [];
for (let run = 1; run <= runs; run++)
  for (const engine of chosen) {
    console.error(`${name} on ${engine}, run ${run} of ${values.runs}`);
    try {
      for await (const measured of await measure(engine)) add(rows, engine, name, measured);
    } catch (error) {
      // A failure does not end the others.
      console.error(error);
      process.exitCode = 1;
    }
    if (values.save) saveResults(merged(kept, rows));
  }
if (values.save) await import("../scripts/generate-docs.ts");
if (values.json) console.log(JSON.stringify(rows, null, 2));
else
  console.table(
    rows.map(({ engine, workload, run, figures }) => {
      const medians = Object.entries(figures).map(([heading, of]) => [heading, spread(of)?.median]);
      return { engine, workload, run, ...Object.fromEntries(medians) };
    }),
  );
