import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { environment } from "../../bench/results.ts";
import { versionAndCommit } from "../../packages/service/src/system/version.ts";
import { fuzzAll } from "../fuzz/all.ts";
import { attackOn } from "../hostile/attack-on.ts";
import { attacks } from "../hostile/attacks/index.ts";
import type { Figures } from "../hostile/siege.ts";
import { missingServerPrograms } from "../support/postgres/server-programs.ts";
import type { Outage } from "../torture/progress.ts";
import { type Rounds, spreadOf, tortureInRounds } from "../torture/rounds.ts";
import { tortureEngines } from "../torture/torture.ts";
import { fullSizes, type Measured, type SuiteName, type SuiteRow } from "./record.ts";

interface Suite<Sizes extends Record<string, number | string>> {
  meaning: string;
  sizes: Sizes;
  measure(sizes: Sizes & { seed: number; log(line: string): void }): AsyncIterable<Measured>;
}

const suite = <Sizes extends Record<string, number | string>>(one: Suite<Sizes>) => one;

const crash = suite({
  meaning:
    "processes and the database are killed at random, and what they did is compared with undisturbed runs",
  sizes: fullSizes.crash,
  async *measure(options) {
    for (const engine of tortureEngines) yield await tortured(engineNames[engine], { ...options, engine });
  },
});

const failover = suite({
  meaning: "the primary of two PostgreSQL servers is killed, and processes are cut off from them",
  sizes: fullSizes.failover,
  async *measure({ "cut-seconds": seconds, ...options }) {
    const missing = missingServerPrograms();
    const cuts = { engine: "postgresql", prey: "primary", cutMs: 1_000 * seconds } as const;
    if (missing === undefined) yield await tortured(engineNames.postgresql, { ...options, ...cuts });
    else yield { run: engineNames.postgresql, figures: {}, wrong: [`not measured: ${missing}`] };
  },
});

const hostile = suite({
  meaning: "one tenant attacks a service, and what another one notices is measured",
  sizes: fullSizes.hostile,
  async *measure({ seconds, attacks: count, log }) {
    for (const engine of ["postgresql", "pglite"] as const)
      for await (const figures of attackOn(engine, attacks.slice(0, count), { seconds })) {
        log(`${engine} ${figures.attack}`);
        yield besieged(figures);
      }
  },
});

const fuzz = suite({
  meaning: "files, requests, tenants and concurrent writers are made at random",
  sizes: fullSizes.fuzz,
  async *measure(options) {
    for await (const { of, counts, findings } of fuzzAll(options))
      yield { run: of, figures: counts, wrong: findings.map(({ what }) => what) };
  },
});

const conformance = suite({
  meaning: "what tasks, mutations, plans and undos do, compared with what they must do",
  sizes: fullSizes.conformance,
  async *measure({ tests }) {
    yield tested(engineNames.postgresql, tests, "vitest.config.ts", "node");
    yield tested(engineNames.pglite, tests, "vitest.release.config.ts", "npm test", "tagged");
  },
});

export const suites = { crash, failover, hostile, fuzz, conformance } satisfies Record<SuiteName, unknown>;

const engineNames = { postgresql: "PostgreSQL", native: "native embedded", pglite: "PGlite" } as const;

async function tortured(run: string, options: Rounds): Promise<Measured> {
  const report = await tortureInRounds(options);
  const { kills, killed, tasks, operations, mutations, outages, writeOutages, wrong } = report;
  const kinds = Object.entries(killed).map(([what, times]) => `${times} ${what}`);
  const figures = {
    ...{ Kills: kills, "Of these": kinds.join(", "), Tasks: tasks, Operations: operations },
    ...{ "Mutations acknowledged": mutations.acknowledged, "Mutations unanswered": mutations.unanswered },
    ...secondsOf("Until a task continued, s", outages),
    ...secondsOf("Until a mutation was acknowledged, s", writeOutages),
  };
  return { run, figures, wrong };
}

function secondsOf(heading: string, outages: readonly Outage[]): Record<string, string> {
  const { medianMs, longestMs } = spreadOf(outages.map(({ ms }) => ms));
  if (medianMs === undefined || longestMs === undefined) return {};
  const text = (ms: number) => (ms / 1_000).toFixed(1);
  return { [heading]: `${text(medianMs)}, at most ${text(longestMs)}` };
}

function besieged({
  attack,
  engine,
  slowestQuery,
  slowestTask,
  stall,
  peak,
  outcome,
  beyond,
  wrong,
}: Figures): Measured {
  const figures = {
    Database: engineNames[engine],
    "Slowest query, s": slowestQuery / 1_000,
    "Slowest task, s": slowestTask / 1_000,
    "Longest stall, s": stall / 1_000,
    "Memory, MiB": peak / 1024 ** 2,
    "Beyond its limit": beyond.join(", ") || "none",
    Answered: outcome,
  };
  return { run: attack, figures, wrong };
}

/** The parts of Vitest's report in JSON that are read. */
interface VitestReport {
  success: boolean;
  numPassedTests: number;
  testResults: {
    message: string;
    status: string;
    assertionResults: { status: string; fullName: string }[];
  }[];
}

function tested(run: string, tests: string, config: string, ...projects: string[]): Measured {
  const folder = mkdtempSync(join(tmpdir(), "lading-suites-"));
  const file = join(folder, "report.json");
  try {
    const chosen = projects.flatMap((project) => ["--project", project]);
    const output = ["--reporter", "json", "--outputFile", file];
    const args = ["run", "--config", config, ...chosen, ...output, ...tests.split(",")];
    const { stderr } = spawnSync(process.execPath, ["node_modules/vitest/vitest.mjs", ...args], {
      encoding: "utf8",
    });
    const { success, numPassedTests, testResults } = readReport(file, stderr);
    const failed = testResults.flatMap(({ status, message, assertionResults }) => {
      const names = assertionResults.filter((test) => test.status === "failed").map((test) => test.fullName);
      return names.length === 0 && status === "failed" ? [message] : names;
    });
    if (!success && failed.length === 0) failed.push(`the tests failed: ${stderr.slice(-500)}`);
    return { run, figures: { Files: testResults.length, "Tests passed": numPassedTests }, wrong: failed };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function readReport(file: string, stderr: string): VitestReport {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (cause) {
    throw new Error(`the tests did not run: ${stderr.slice(-2_000)}`, { cause });
  }
}

/** Runs a suite, and yields each of its rows. A suite that cannot end has a row that says so. */
export async function* rowsOf(
  program: SuiteName,
  chosen: Readonly<Record<string, number | string>>,
  commit: string,
): AsyncGenerator<SuiteRow> {
  const { seed, ...sizes } = chosen;
  let began = performance.now();
  const row = (measured: Measured): SuiteRow => {
    const minutes = Math.round((performance.now() - began) / 6_000) / 10;
    began = performance.now();
    const { version } = versionAndCommit();
    return { ...environment(commit), version, program, seed: Number(seed), sizes, minutes, ...measured };
  };
  const suite: { measure(options: object): AsyncIterable<Measured> } = suites[program];
  try {
    for await (const measured of suite.measure({ ...chosen, log: console.error })) yield row(measured);
  } catch (error) {
    yield row({ run: "did not end", figures: {}, wrong: [String(error)] });
  }
}
