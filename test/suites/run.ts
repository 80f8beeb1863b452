import { parseArgs } from "node:util";
import { measuredCommit, suiteSources } from "../../bench/commit.ts";
import { environment } from "../../bench/results.ts";
import { suiteNames as names, type SuiteName, type SuiteRow, saveRows } from "./record.ts";
import { rowsOf, suites } from "./suites.ts";

/**
 * `npm run suites`: all suites at full size, about two hours on two idle cores. `--only crash,fuzz` runs some, `--kills
 * 10` and its like less of them. With `--save` the record and docs/suites.md have the figures.
 */
const sizes = Object.assign({}, ...names.map((name) => suites[name].sizes)) as Record<
  string,
  number | string
>;

if (process.argv.includes("--help")) {
  for (const name of names)
    console.log(`${name}: ${suites[name].meaning}\n  ${optionsOf(suites[name].sizes).join(" ")}`);
  console.log("--only names, with commas between; --seed number; --save, in a clone without changes");
  process.exit();
}
const text = { type: "string" } as const;
const { values } = parseArgs({
  options: {
    ...Object.fromEntries(Object.keys(sizes).map((name) => [name, text])),
    ...{ only: { ...text, default: names.join(",") }, save: { type: "boolean", default: false } },
    seed: { ...text, default: String(Date.now() % 1_000_000) },
  },
});
const given: Readonly<Record<string, unknown>> = values;
const chosen = values.only.split(",").map((name) => names.find((each) => each === name) ?? unknown(name));
const commit = values.save ? measuredCommit(undefined, suiteSources) : "";
const rows: SuiteRow[] = [];
for (const name of chosen) {
  const own: SuiteRow[] = [];
  for await (const row of rowsOf(name, { ...sizesOf(name), seed: Number(values.seed) }, commit)) {
    own.push(row);
    for (const wrong of row.wrong) console.error(`${name}, ${row.run}: ${wrong}`);
  }
  rows.push(...own);
  if (values.save) saveRows(name, own, environment(commit));
}
if (values.save) await import("../../scripts/generate-docs.ts");
console.log(JSON.stringify(rows, null, 2));
if (rows.some(({ wrong }) => wrong.length > 0)) process.exitCode = 1;

function sizesOf(name: SuiteName): Record<string, number | string> {
  const read = ([option, full]: [string, number | string]) => {
    const value = given[option] ?? full;
    if (typeof full === "number" && !/^\d+$/.test(String(value)))
      throw new Error(`--${option} is "${value}"; it must be a whole number`);
    return [option, typeof full === "number" ? Number(value) : value];
  };
  return Object.fromEntries(Object.entries(suites[name].sizes).map(read));
}

function optionsOf(of: Readonly<Record<string, number | string>>): string[] {
  return Object.entries(of).map(([option, full]) => `--${option} ${full}`);
}

function unknown(name: string): never {
  throw new Error(`There is no suite "${name}"; there is ${names.join(", ")}`);
}
