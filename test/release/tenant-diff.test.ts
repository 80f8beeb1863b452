import { expect, test } from "vitest";
import { diffRoundsOn } from "../fuzz/diffs.ts";
import { bothEngines } from "../support/engines.ts";
import { openRunnerBench } from "../support/runner.ts";

test.each(bothEngines)(
  "random tenants become like other ones, on $name",
  async ({ open }) => {
    const bench = await openRunnerBench(open);
    try {
      await bench.runner();
      expect(await diffRoundsOn(bench, { seed: 20, rounds: 25 })).toEqual([]);
    } finally {
      await bench.close();
    }
  },
  600_000,
);
