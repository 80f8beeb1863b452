import { describe, expect, test } from "vitest";
import { dumpRoundsOn } from "../fuzz/dumps.ts";
import { bothEngines } from "../support/engines.ts";
import { openRunnerBench } from "../support/runner.ts";

/** `npm run fuzz` takes other seeds. */
const seed = Number(process.env.DUMP_SEED ?? 20);

describe.each(bothEngines)("the dumps of tenants that are made at random, on $name", ({ open }) => {
  test(`of seed ${seed} make the same tenant, empty or their own, by ids and by natural keys`, async () => {
    const bench = await openRunnerBench(open);
    try {
      await bench.runner();
      expect(await dumpRoundsOn(bench, { seed, rounds: 20 })).toEqual([]);
    } finally {
      await bench.close();
    }
  }, 600_000);
});
