import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { startPostgres } from "../support/postgres/postgres.ts";
import { startServiceProcess } from "../support/service-process.ts";
import { diffRounds } from "./diffs.ts";
import { dumpRounds } from "./dumps.ts";
import { type Finding, fuzz } from "./fuzz.ts";
import { undoRounds } from "./undos.ts";
import { writeOn } from "./writers/run.ts";

/**
 * `npm run fuzz -- [--seed N] [--files N] [--requests N] [--rounds N] [--changes N] [--database-url URL]`: a service of
 * its own is fuzzed, then each of the suites has its rounds, then concurrent writers make changes, on a
 * server of PostgreSQL and on the embedded database.
 */
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
const [files, requests, changes] = [Number(values.files), Number(values.requests), Number(values.changes)];
const rounds = Number(values.rounds);

/** Suites of tenants that are made at random, by what they are about. */
const suites = { dumps: dumpRounds, diffs: diffRounds, undos: undoRounds } as const;

await sendMutated();
if (rounds > 0)
  for (const [of, suite] of Object.entries(suites)) {
    console.log(`seed ${seed}: ${rounds} rounds of ${of}`);
    await report(of, await suite({ seed, rounds, onProgress: console.log }));
  }
if (changes > 0) await writeAtOnce();

async function report(of: string, findings: readonly Finding[]): Promise<void> {
  if (findings.length === 0) return console.log(`${of}: no crash, no hang, no defect`);
  const file = join(tmpdir(), `lading-fuzz-${seed}-${of.replaceAll(" ", "-")}.json`);
  await writeFile(file, JSON.stringify(findings, null, 2));
  for (const { what } of findings.slice(0, 20)) console.error(what.slice(0, 300));
  console.error(`${of}: ${findings.length} findings, with what brought them to light in ${file}`);
  process.exitCode = 1;
}

async function writeAtOnce(): Promise<void> {
  const server = await startPostgres();
  try {
    for (const [of, url] of Object.entries({
      "writers on PostgreSQL": server.url,
      "writers on PGlite": undefined,
    })) {
      console.log(`seed ${seed}: ${of}, ${changes} changes each`);
      const found = await writeOn(url, { seed, changes, onProgress: console.log });
      await report(
        of,
        found.map((what) => ({ what, input: `--seed ${seed} --changes ${changes}` })),
      );
    }
  } finally {
    await server.stop();
  }
}

async function sendMutated(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "lading-fuzz-"));
  const service = await startServiceProcess(folder, values["database-url"]);
  const crashed = new Promise<never>((_, reject) =>
    service.process.once("exit", (code, signal) =>
      reject(new Error(`the service ended by ${signal ?? code}; see it again with --seed ${seed}`)),
    ),
  );
  crashed.catch(() => {});
  console.log(`seed ${seed}: ${files} files, ${requests} requests`);
  try {
    const { url, operatorToken } = service;
    const onProgress = console.log;
    const findings = await Promise.race([
      fuzz({ url, operatorToken, seed, files, requests, onProgress }),
      crashed,
    ]);
    await report("files and requests", findings);
  } finally {
    service.process.removeAllListeners("exit");
    if (service.process.exitCode === null) await service.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
