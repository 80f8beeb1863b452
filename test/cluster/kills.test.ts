// @module-tag release
import { expect, test } from "vitest";
import { clusterUrl } from "../support/postgres/create-database.ts";
import { torture } from "../torture/torture.ts";

/** A node of a cluster recovers in some seconds, and a kill counts only when a log has grown since the last. */
const kills = 50;

// Its report has how often a runner, a worker and the coordinator were killed.
test.skipIf(clusterUrl === undefined)(
  `${kills} kills of processes, workers and the coordinator lose nothing (needs LADING_TEST_CITUS_URL)`,
  async () => {
    const options = { cluster: true, engine: "postgresql", seed: 38, operations: 300, tenants: 2 } as const;
    const report = await torture({ ...options, kills, log: console.log });
    console.log(report.killed, report.tasks, report.operations);
    expect(report.wrong).toEqual([]);
    expect(Object.keys(report.killed)).toEqual(expect.arrayContaining(["worker", "coordinator", "runner"]));
  },
  1_800_000,
);
