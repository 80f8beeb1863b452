import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPostgres } from "../support/postgres/postgres.ts";
import { startServiceProcess } from "../support/service-process.ts";
import { diffRounds } from "./diffs.ts";
import { dumpRounds } from "./dumps.ts";
import { type Finding, fuzz } from "./fuzz.ts";
import { undoRounds } from "./undos.ts";
import { writeOn } from "./writers/run.ts";

/** Numbers of what is made at random; 0 for none. */
export interface FuzzOptions {
  seed: number;
  files: number;
  requests: number;
  rounds: number;
  /** Of each of eight writers. */
  changes: number;
  databaseUrl?: string | undefined;
  log(text: string): void;
}

export interface Fuzzed {
  of: string;
  /** Numbers of what was made, by name. */
  counts: Readonly<Record<string, number>>;
  findings: readonly Finding[];
}

/** Suites of tenants that are made at random, by what they are about. */
const suites = { dumps: dumpRounds, diffs: diffRounds, undos: undoRounds } as const;

/**
 * Fuzzes a service, then runs the rounds of each suite, then lets concurrent writers make changes, on a server of
 * PostgreSQL and on the embedded database.
 */
export async function* fuzzAll(options: FuzzOptions): AsyncGenerator<Fuzzed> {
  const { seed, files, requests, rounds, changes, log } = options;
  if (files + requests > 0) {
    log(`seed ${seed}: ${files} files, ${requests} requests`);
    const counts = { Files: files, Requests: requests, "Session requests": requests };
    yield { of: "files and requests", counts, findings: await sendMutated(options) };
  }
  for (const [of, suite] of rounds > 0 ? Object.entries(suites) : []) {
    log(`seed ${seed}: ${rounds} rounds of ${of}`);
    yield { of, counts: { Rounds: rounds }, findings: await suite({ seed, rounds, onProgress: log }) };
  }
  if (changes > 0) yield* writeAtOnce(options);
}

async function* writeAtOnce({ seed, changes, log }: FuzzOptions): AsyncGenerator<Fuzzed> {
  const server = await startPostgres();
  try {
    const databases = { "writers on PostgreSQL": server.url, "writers on PGlite": undefined };
    for (const [of, url] of Object.entries(databases)) {
      log(`seed ${seed}: ${of}, ${changes} changes each`);
      const found = await writeOn(url, { seed, changes, onProgress: log });
      const input = `--seed ${seed} --changes ${changes}`;
      yield { of, counts: { "Changes of each": changes }, findings: found.map((what) => ({ what, input })) };
    }
  } finally {
    await server.stop();
  }
}

async function sendMutated({ seed, files, requests, databaseUrl, log }: FuzzOptions): Promise<Finding[]> {
  const folder = await mkdtemp(join(tmpdir(), "lading-fuzz-"));
  const service = await startServiceProcess(folder, databaseUrl);
  const crashed = new Promise<never>((_, reject) =>
    service.process.once("exit", (code, signal) =>
      reject(new Error(`the service ended by ${signal ?? code}; see it again with --seed ${seed}`)),
    ),
  );
  crashed.catch(() => {});
  try {
    const { url, operatorToken } = service;
    return await Promise.race([
      fuzz({ url, operatorToken, seed, files, requests, onProgress: log }),
      crashed,
    ]);
  } finally {
    service.process.removeAllListeners("exit");
    if (service.process.exitCode === null) await service.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
