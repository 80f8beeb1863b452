import { parseArgs } from "node:util";
import { attackOn } from "./attack-on.ts";
import { attacks } from "./attacks/index.ts";
import type { Figures } from "./siege.ts";
import { line, table } from "./table.ts";

/**
 * `npm run hostile [-- --engine pglite|postgresql --only name,… --seconds N --profile folder]`: all attacks on both
 * engines unless some are named. Ends with the figures as a Markdown table. `--profile` leaves a CPU profile of each
 * service in a folder.
 */
const { values } = parseArgs({
  options: {
    engine: { type: "string", multiple: true, default: ["postgresql", "pglite"] },
    only: { type: "string", default: "" },
    seconds: { type: "string", default: "25" },
    profile: { type: "string" },
  },
});
const names = values.only === "" ? attacks.map(({ name }) => name) : values.only.split(",");
const chosen = names.map((name) => attacks.find((attack) => attack.name === name) ?? unknown(name));

function unknown(name: string): never {
  throw new Error(`There is no attack "${name}"; there is ${attacks.map(({ name }) => name).join(", ")}`);
}

const all: Figures[] = [];
for (const engine of values.engine) {
  if (engine !== "pglite" && engine !== "postgresql")
    throw new Error(`--engine is "${engine}"; it must be pglite or postgresql`);
  const { seconds, profile } = values;
  for await (const figures of attackOn(engine, chosen, { seconds: Number(seconds), profile })) {
    all.push(figures);
    console.log(line(figures));
  }
}
console.log(`\n${table(all)}`);
if (all.some(({ beyond, wrong }) => beyond.length + wrong.length > 0)) process.exitCode = 1;
