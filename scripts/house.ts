// Prints the figures that keep the code readable, and fails over those that are beyond their limits.
import { excesses, sourceFiles, tableOf } from "./house/figures.ts";
import { wrongSteps } from "./house/walk.ts";

const files = sourceFiles();
for (const line of tableOf(files)) console.log(line);
console.log();
const wrong = [...excesses(files), ...(await wrongSteps())];
console.log(`\n${wrong.length} beyond a limit of scripts/house/limits.ts, or not as ARCHITECTURE.md says`);
for (const line of wrong) console.log(`  ${line}`);
process.exit(wrong.length > 0 ? 1 : 0);
