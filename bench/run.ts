// `npm run bench -- <name> [options]` runs a bench program, or all; without a name it lists them.
import { spawnSync } from "node:child_process";
import { measuredCommit } from "./commit.ts";
import { type Engine, enginesOf, type Measured, programs, renewal } from "./program.ts";
import { add, dropped, environment, merged, type Row, readResults, saveResults, spread } from "./results.ts";

interface Program {
  values: { engine: string[]; runs: string; json: boolean; save: boolean };
  measure(engine: Engine): AsyncIterable<Measured> | Promise<Measured[]>;
}

const [name = "", ...args] = process.argv.slice(2);
if (name === "all") {
  if (args.join() !== "--save") {
    const commands = renewal.map((program) => `  npm run bench -- ${program.join(" ")} --save`);
    console.log(["npm run bench -- all --save measures what the pages have:", "", ...commands].join("\n"));
    process.exit(1);
  }
  commitToSave();
  for (const program of renewal) {
    console.error(`${new Date().toISOString().slice(11, 19)} ${program.join(" ")}`);
    const child = [import.meta.filename, ...program, "--save"];
    if (spawnSync(process.execPath, child, { stdio: "inherit" }).status !== 0) process.exitCode = 1;
  }
  process.exit();
}
if (!(name in programs)) {
  const all = { all: "what the pages have, by all of these" };
  const list = Object.entries({ ...programs, ...all }).map(
    ([name, purpose]) => `  ${name.padEnd(14)} ${purpose}`,
  );
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
const commit = values.save ? commitToSave() : "";
const kept = readResults();
const drops = values.save ? dropped(kept, environment(commit)) : undefined;
if (drops) console.error(drops);
const rows: Row[] = [];
for (let run = 1; run <= runs; run++)
  for (const engine of chosen) {
    console.error(`${name} on ${engine}, run ${run} of ${values.runs}`);
    try {
      for await (const measured of await measure(engine)) {
        const of = { ...environment(commit), engine, program: name };
        add(rows, of, measured);
      }
    } catch (error) {
      // A failure does not end the others.
      console.error(error);
      process.exitCode = 1;
    }
    if (values.save && commitToSave() !== commit) throw new Error("another commit was checked out meanwhile");
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

function commitToSave(): string {
  try {
    return measuredCommit();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    process.exit(1);
  }
}
