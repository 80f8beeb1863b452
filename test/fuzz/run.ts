import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Fuzzed, fuzzAll } from "./all.ts";

/** `npm run fuzz -- [--seed N] [--files N] [--requests N] [--rounds N] [--changes N] [--database-url URL]` */
const { values } = parseArgs({
  options: {
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    files: { type: "string", default: "10000" },
    requests: { type: "string", default: "10000" },
    rounds: { type: "string", default: "500" },
    changes: { type: "string", default: "500" },
    "database-url": { type: "string" },
  },
});
const seed = Number(values.seed);
const [files, requests] = [Number(values.files), Number(values.requests)];
const [rounds, changes] = [Number(values.rounds), Number(values.changes)];
const options = { seed, files, requests, rounds, changes, databaseUrl: values["database-url"] };
for await (const fuzzed of fuzzAll({ ...options, log: console.log })) await report(fuzzed);

async function report({ of, findings }: Fuzzed): Promise<void> {
  if (findings.length === 0) return console.log(`${of}: no crash, no hang, no defect`);
  const file = join(tmpdir(), `lading-fuzz-${seed}-${of.replaceAll(" ", "-")}.json`);
  await writeFile(file, JSON.stringify(findings, null, 2));
  for (const { what } of findings.slice(0, 20)) console.error(what.slice(0, 300));
  console.error(`${of}: ${findings.length} findings, with what brought them to light in ${file}`);
  process.exitCode = 1;
}
