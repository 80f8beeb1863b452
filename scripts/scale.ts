/** `npm run scale -- --tenants N --operations M` says what so many tenants need; `--help` lists its options. */
import { needLines } from "./scale/describe.ts";
import { readFigures } from "./scale/figures.ts";
import { needsOf } from "./scale/needs.ts";
import { helpText, readOptions } from "./scale/options.ts";

try {
  const options = readOptions(process.argv.slice(2));
  if (options.help) console.log(helpText());
  else {
    const needs = needsOf(options.load, readFigures());
    if (options.json) console.log(JSON.stringify({ load: options.load, needs }, null, 2));
    else for (const [what, text] of needLines) console.log(`${what.padEnd(36)}${text(needs)}`);
  }
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
