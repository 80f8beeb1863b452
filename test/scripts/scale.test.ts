import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import {
  bytesText,
  type Costs,
  type Load,
  needLines,
  needsOf,
  numberText,
  s3RequestsOf,
} from "../../scripts/scale/needs.ts";
import { readOptions } from "../../scripts/scale.ts";

const operation = {
  ...{ serviceCpuUs: 200, databaseCpuUs: 100, walBytes: 2_000 },
  ...{ logBytes: 500, dataBytes: 300, fileBytes: 400 },
};
const costs: Costs = {
  operations: { create: { ...operation, dataBytes: 2_000 }, mixed: operation },
  requests: {
    read: { serviceCpuUs: 1_000, databaseCpuUs: 200, walBytes: 0 },
    mutation: { serviceCpuUs: 3_000, databaseCpuUs: 600, walBytes: 4_000 },
  },
};
const load: Load = {
  ...{ tenants: 1_000, operations: 86_400, requests: 8_640, mutations: 0.25, peak: 5 },
  ...{ products: 10_000, days: 365, fileOperations: 1_000, retentionDays: 30 },
};
const needs = (change: Partial<Load> = {}) => needsOf({ ...load, ...change }, costs);

describe("the needs of a load", () => {
  test("1,000 tenants of 86,400 operations are 1,000 a second, and 5,000 in the busiest hour", () => {
    expect(needs()).toMatchObject({ operationsADay: 86_400_000, peakOperations: 5_000, peakRequests: 500 });
  });

  test("half of each core stays free in the busiest hour", () => {
    // 5,000 × 200 µs = 1 core; 500 × (0.75 × 1,000 + 0.25 × 3,000) µs = 0.75 of one.
    expect(needs()).toMatchObject({ runnerCores: 2, runnerProcesses: 2, apiCores: 1.5, apiProcesses: 2 });
    // 5,000 × 100 µs + 500 × (0.75 × 200 + 0.25 × 600) µs = 0.65 of a core.
    expect(needs().databaseCores).toBeCloseTo(1.3);
  });

  test("each role has at least two processes, and one more per started core", () => {
    expect(needs({ tenants: 1 })).toMatchObject({ runnerProcesses: 2, apiProcesses: 2 });
    expect(needs({ tenants: 1_001 }).runnerProcesses).toBe(3);
  });

  test("a process of the API opens up to 14 connections, and a runner up to 13", () => {
    expect(needs().connections).toBe(2 * 14 + 2 * 13);
  });

  test("the write-ahead log includes operations and mutations", () => {
    // 86.4 million × 2,000 B, and 8.64 million requests × 0.25 × 4,000 B
    expect(needs().walADay).toBe(172_800_000_000 + 8_640_000_000);
  });

  test("storage of tables has 50 % headroom, storage of files has none", () => {
    expect(needs()).toMatchObject({
      logStorage: 86_400_000 * 30 * 500 * 1.5,
      dataStorage: (1_000 * 10_000 * 2_000 + 86_400_000 * 365 * 300) * 1.5,
      uploadStorage: 86_400_000 * 30 * 400,
    });
  });

  test("a file takes one request per piece, in two passes", () => {
    expect(s3RequestsOf(1)).toBe(1 + 1 + 2 * (1 + 1) + 1);
    // 0.25 + 0.5 + 1 + 2 MiB, and two of 4 MiB
    expect(s3RequestsOf(11.75 * 1024 ** 2)).toBe(1 + 1 + 2 * (1 + 6) + 1);
    // 86,400 files of 1,000 operations, 400 kB each: two pieces
    expect(needs().s3RequestsADay).toBe(86_400 * (1 + 1 + 2 * (1 + 2) + 1));
  });

  test("tenants need a further database for each 5,000 operations a second, and for each TB", () => {
    const short = { days: 0, retentionDays: 0 };
    expect(needs(short).databases).toBe(1);
    expect(needs({ ...short, tenants: 1_001 }).databases).toBe(2);
    // 30 days × 86.4 million × 500 B × 1.5 = 1.944 TB of log, and 0.03 TB of products
    expect(needs({ days: 0 }).databases).toBe(2);
    // and 365 days × 86.4 million × 300 B × 1.5 = 14.2 TB of what they created
    expect(needs().databases).toBe(17);
  });
});

describe("the options of npm run scale", () => {
  test.each([
    [["--tenants", "10"], "--operations is missing; --help lists the options"],
    [
      ["--tenants", "0", "--operations", "1"],
      '--tenants is "0"; it must be a whole number from 1 to 1000000000',
    ],
    [["--tenants", "1.5", "--operations", "1"], '--tenants is "1.5"; it must be a whole number'],
    [["--tenants", "ten", "--operations", "1"], '--tenants is "ten"; it must be a whole number'],
    [["--tenants", "", "--operations", "1"], '--tenants is ""; it must be a whole number'],
    [
      ["--tenants", "1", "--operations", "1", "--mutations", "2"],
      '--mutations is "2"; it must be a number from 0 to 1',
    ],
    [["--tenant", "1"], "Unknown option '--tenant'"],
    [["1000"], "Unexpected argument '1000'"],
  ])("refuses %j in one sentence", (args, message) => {
    expect(() => readOptions(args)).toThrow(message);
  });

  test("missing options have defaults", () => {
    expect(readOptions(["--tenants", "3", "--operations=7", "--peak", "2.5"])).toEqual({
      ...{ help: false, json: false },
      load: {
        ...{ tenants: 3, operations: 7, requests: 1_000, mutations: 0.1, peak: 2.5 },
        ...{ products: 10_000, days: 365, fileOperations: 1_000, retentionDays: 30 },
      },
    });
  });
});

test.each([
  [999, "999 B"],
  [1_500, "1.5 kB"],
  [1.944e12, "1.94 TB"],
  [2e18, "2,000 PB"],
])("%d bytes are shown as %s", (bytes, text) => {
  expect(bytesText(bytes)).toBe(text);
});

test.each([
  [0, "0"],
  [0.009, "below 0.01"],
  [0.123, "0.12"],
  [12.34, "12.3"],
  [5_958.4, "5,958"],
])("%d is shown as %s", (value, text) => {
  expect(numberText(value)).toBe(text);
});

describe("npm run scale", () => {
  const script = join(import.meta.dirname, "../../scripts/scale.ts");
  const load = ["--tenants", "10", "--operations", "1000"];

  test("prints a line for each need, or JSON", { tags: "release" }, () => {
    const text = execFileSync(process.execPath, [script, ...load], { encoding: "utf8" });
    expect(text.trim().split("\n")).toHaveLength(needLines.length);
    const json = JSON.parse(
      execFileSync(process.execPath, [script, ...load, "--json"], { encoding: "utf8" }),
    );
    expect(json).toMatchObject({ load: { tenants: 10 }, needs: { operationsADay: 10_000 } });
  });

  test("exits with 1 and one line for bad input, and has --help", { tags: "release" }, () => {
    const bad = spawnSync(process.execPath, [script, "--tenants", "x"], { encoding: "utf8" });
    expect([bad.status, bad.stdout, bad.stderr.trim().split("\n")]).toEqual([1, "", [expect.any(String)]]);
    expect(execFileSync(process.execPath, [script, "--help"], { encoding: "utf8" })).toContain(
      "--retention-days N",
    );
  });
});
