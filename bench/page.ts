// Merges files of results into bench/results/benchmarks.json and renews docs/benchmarks.md and its chart. New results
// replace those of the same workload and database: npm run bench:page -- results.json …
import { readFile, writeFile } from "node:fs/promises";
import { parseArgs } from "node:util";
import { merged, readResults, resultsFile } from "../scripts/docs/benchmark-tables.ts";
import { readRows } from "./program/rows.ts";

const { positionals } = parseArgs({ allowPositionals: true });
const files = await Promise.all(positionals.map((file) => readFile(file, "utf8")));
const measured = files.flatMap(readRows);
await writeFile(resultsFile, `${JSON.stringify(merged(readResults(), measured), null, 2)}\n`);
await import("../scripts/generate-docs.ts");
