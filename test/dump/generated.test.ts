import { describe, expect, test } from "vitest";
import { diffRoundsOn } from "../fuzz/diffs.ts";
import { dumpRoundsOn } from "../fuzz/dumps.ts";
import { engines } from "../support/engines.ts";
import { runs } from "../support/extent.ts";
import { openRunnerBench, type RunnerBench } from "../support/runner.ts";

const seed = Number(process.env.DUMP_SEED ?? 1);

describe.each(engines)("random tenants on $name", ({ open }) => {
  async function onBench<Found>(rounds: (bench: RunnerBench) => Promise<Found>): Promise<Found> {
    const bench = await openRunnerBench(open);
    try {
      await bench.runner();
      return await rounds(bench);
    } finally {
      await bench.close();
    }
  }

  test("have dumps that recreate them, in an empty tenant or their own, by ids and by natural keys", async () => {
    expect(await onBench((bench) => dumpRoundsOn(bench, { seed, rounds: runs(5) }))).toEqual([]);
  }, 180_000);

  test("become like one another", async () => {
    expect(await onBench((bench) => diffRoundsOn(bench, { seed, rounds: runs(5) }))).toEqual([]);
  }, 180_000);
});
