import { beforeAll, describe, expect, test } from "vitest";
import { openPostgres } from "../../packages/service/src/storage/engines/postgres.ts";
import { page, rows } from "../docs/pages.ts";
import { migratedDatabase } from "../support/database.ts";
import { inRelease } from "../support/extent.ts";
import { sum } from "./blocks.ts";
import { fillTenant } from "./filled-tenant.ts";
import { type Measured, openGrowthBench } from "./growing.ts";
import { exceptions, grownWith } from "./growth.ts";

/** Items of the smaller and the larger tenant, and the blocks of tables that may as well be read as a whole. */
const [small, large, slack] = inRelease ? [2_000, 200_000, 100] : [500, 5_000, 150];

const documented = new Map(
  rows(page("docs/limits.md"))
    .filter(([, , blocks = ""]) => /^[\d,]+$/.test(blocks))
    .map(([what = "", , blocks = ""]) => [what, Number(blocks.replaceAll(",", ""))]),
);

describe("a tenant that grows", () => {
  let measured: Map<string, Measured>;
  let grown: Map<string, string>;

  beforeAll(async () => {
    const fresh = await migratedDatabase();
    const open = async () => openPostgres(fresh.url, { connections: 1 });
    const bench = await openGrowthBench(open, !inRelease);
    try {
      const measure = async (from: number, to: number) => {
        await fillTenant(bench.database, bench.owner.tenant, { from, to });
        return bench.measure();
      };
      const before = await measure(0, small);
      measured = await measure(small, large);
      grown = grownWith(before, measured, slack);
    } finally {
      await bench.close();
      await fresh.drop();
    }
  }, 300_000);

  const isException = (name: string) => Object.values(exceptions).some((pattern) => pattern.test(name));

  test("no query and no operation reads more than its answer is longer, but for what docs/limits.md names", () => {
    expect([...grown].flatMap(([name, line]) => (isException(name) ? [] : [line]))).toEqual([]);
  });

  test.runIf(inRelease).each(Object.entries(exceptions))(
    "%s reads as many blocks as docs/limits.md says, or fewer",
    (what, pattern) => {
      const matching = [...measured].filter(([name]) => pattern.test(name));
      expect(Math.max(...matching.map(([, { blocks }]) => sum(blocks)))).toBeLessThanOrEqual(
        documented.get(what)! * 1.1,
      );
    },
  );
});

test("docs/limits.md names the exceptions of the guard, and no others", () => {
  expect([...documented.keys()].sort()).toEqual(Object.keys(exceptions).sort());
});
