import { describe, expect, test } from "vitest";
import { openPostgres } from "../../packages/service/src/storage/engines/postgres.ts";
import { migrate } from "../../packages/service/src/storage/migrate.ts";
import { freshDatabase } from "../support/database.ts";
import { openTestPglite, type TestEngine } from "../support/engines.ts";
import { inRelease } from "../support/extent.ts";
import { type Costs, measureCosts } from "./costs.ts";
import { grown, readRecorded, record } from "./recorded.ts";

const engine: TestEngine = inRelease
  ? { name: "PGlite", open: openTestPglite }
  : { name: "PostgreSQL", open: openOneConnection };

/** One connection, whose log is counted. */
async function openOneConnection() {
  const fresh = await freshDatabase();
  const database = openPostgres(fresh.url, { connections: 1 });
  await migrate(database);
  const close = async () => {
    await database.close();
    await fresh.drop();
  };
  return { ...database, close };
}

test.each([engine])(
  "no workload of the bench costs more on $name than recorded",
  async ({ name, open }) => {
    const costs = await measureCosts(open);
    if (process.env.RECORD) record(name, costs);
    const recorded = readRecorded();
    const first = grown(name, costs, recorded);
    if (first.length === 0) return;
    // Background work of a busy server is rare; the code's own costs recur.
    const second = grown(name, await measureCosts(open), recorded);
    const subject = (growth: string) => growth.split(" grew ", 1)[0];
    expect(second.filter((growth) => first.map(subject).includes(subject(growth)))).toEqual([]);
  },
  300_000,
);

describe("reports of costs", () => {
  const costs: Costs = {
    batches: 3,
    statements: 40,
    sentBytes: 2_000,
    walBytes: 3_000,
    allocatedBytes: 80_000,
  };
  const told = (now: Partial<Costs>) =>
    grown("PGlite", { create: { ...costs, ...now } }, { PGlite: { create: costs } });

  test("a run without a recorded cost is reported", () => {
    expect(grown("PGlite", { create: costs }, {})).toEqual([expect.stringContaining("never recorded")]);
  });

  test("a higher cost is reported with both values and how to record it", () => {
    expect(told({ statements: 50 })).toEqual([
      "create on PGlite: statements grew from 40 to 50 (25.0 %); if it has to: LADING_TEST_RELEASE=1 RECORD=1 npx vitest run test/guards",
    ]);
  });

  test.each([
    ["batches", 4, 3],
    ["statements", 47, 46],
    ["sentBytes", 2_110, 2_090],
    ["walBytes", 3_317, 3_316],
    ["allocatedBytes", 100_100, 99_900],
  ])("%s may not grow to %i, but may to %i", (what, tooMuch, allowed) => {
    expect(told({ [what]: tooMuch })).toHaveLength(1);
    expect(told({ [what]: allowed })).toEqual([]);
  });

  test("lower costs are not reported", () => {
    expect(told({ statements: 39, sentBytes: 1_000, walBytes: null, allocatedBytes: 40_000 })).toEqual([]);
  });
});
