// Prints the figures that keep the code readable, and fails over those that are beyond their limits.
import { excesses, sourceFiles, tableOf } from "./house/figures.ts";

const files = sourceFiles();
for (const line of tableOf(files)) console.log(line);
const wrong = excesses(files);
console.log(`\n${wrong.length} beyond a limit of scripts/house/limits.ts`);
for (const line of wrong) console.log(`  ${line}`);
if (wrong.length > 0) process.exitCode = 1;
