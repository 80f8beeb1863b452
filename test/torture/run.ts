import { parseArgs } from "node:util";
import { clusterUrl } from "../support/postgres/create-database.ts";
import { missingPatroni } from "../support/postgres/patroni.ts";
import { missingServerPrograms } from "../support/postgres/server-programs.ts";
import { spreadByKind, spreadOf, tortureInRounds } from "./rounds.ts";
import { type TortureEngine, type TortureOptions, tortureEngines } from "./torture.ts";

/**
 * `npm run torture [-- --kills N --engine postgresql|native|pglite --seed N --operations N --round N]` runs all engines
 * unless one is named. After each round everything is compared, and the next one begins with new databases.
 * `--failover` kills the primary of two replicated servers instead, `--cut-off SECONDS` cuts processes off from theirs,
 * and both together do both. `--patroni` is `--failover` of two servers that Patroni manages, behind HAProxy.
 * `--cluster` kills the nodes of the Citus cluster that LADING_TEST_CITUS_URL names, instead of one server.
 */
const { values } = parseArgs({
  options: {
    kills: { type: "string", default: "50" },
    engine: { type: "string" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    operations: { type: "string", default: "3000" },
    round: { type: "string", default: "50" },
    failover: { type: "boolean", default: false },
    patroni: { type: "boolean", default: false },
    cluster: { type: "boolean", default: false },
    "cut-off": { type: "string" },
  },
});
const number = (name: "kills" | "seed" | "operations" | "round" | "cut-off") => {
  const value = Number(values[name]);
  if (!Number.isInteger(value) || value < 1) throw new Error(`--${name} must be a whole number from 1`);
  return value;
};

function hit(): Pick<TortureOptions, "prey" | "patroni" | "cluster" | "cutMs"> {
  const cut = values["cut-off"] === undefined ? {} : { cutMs: 1_000 * number("cut-off") };
  const { patroni, cluster } = values;
  if (cluster) return { cluster, ...cut };
  if (values.failover || patroni) return { prey: "primary", patroni, ...cut };
  return values["cut-off"] === undefined ? {} : { prey: "network", ...cut };
}

async function rounds(engine: TortureEngine): Promise<void> {
  const began = performance.now();
  const { wrong } = await tortureInRounds({
    ...{ engine, seed: number("seed"), kills: number("kills"), operations: number("operations") },
    ...{ round: number("round"), log: console.log, ...hit() },
    onRound(report) {
      const times = {
        strikes: spreadOf(report.strikes),
        outages: spreadByKind(report.outages),
        writeOutages: spreadByKind(report.writeOutages),
      };
      const seconds = Math.round((performance.now() - began) / 1000);
      console.dir({ engine, ...report, ...times, seconds }, { depth: null });
    },
  });
  if (wrong.length > 0) process.exitCode = 1;
}

const serverOnly = values.failover || values.patroni || values.cluster || values["cut-off"] !== undefined;
const missing = values.cluster
  ? clusterUrl === undefined && "LADING_TEST_CITUS_URL names no cluster"
  : values.patroni
    ? missingPatroni()
    : values.failover && missingServerPrograms();
if (missing) console.log(`skipped: ${missing}`);
const all = serverOnly ? ["postgresql"] : tortureEngines;
for (const engine of missing ? [] : values.engine === undefined ? all : [values.engine]) {
  const known = tortureEngines.find((each) => each === engine);
  if (known === undefined)
    throw new Error(`--engine is "${engine}"; it must be one of ${tortureEngines.join(", ")}`);
  await rounds(known);
}
