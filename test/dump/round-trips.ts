import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { engines } from "../support/engines.ts";
import { openRunnerBench, type RunnerBench } from "../support/runner.ts";
import { dumpOf, failuresIn, imageKey, logOf, newTenant, run, sourceFile } from "./bench-tenants.ts";
import { changes } from "./generated-tenants.ts";

/** Operations on each generated tenant. */
const changesEach = 150;

/**
 * Declares the tests of generated tenants: with the seed in its name, each is found again. `natural` of them are dumped
 * by natural keys, too.
 */
export function describeRoundTrips(choice: { firstSeed: number; tenants: number; natural: number }): void {
  const { firstSeed, tenants, natural } = choice;
  const seeds = Array.from({ length: tenants }, (_, i) => firstSeed + i);
  describe.each(engines)("the dump of a generated tenant, on $name", ({ open }) => {
    let bench: RunnerBench;
    beforeAll(async () => {
      bench = await openRunnerBench(open);
      await bench.runner();
    });
    afterAll(() => bench?.close());

    test.each(seeds)("is the same twice, and after it was run in an empty tenant (seed %i)", async (seed) => {
      const [operations = []] = fc.sample(changes(changesEach), { seed, numRuns: 1 });
      const { first, second, failures, restored } = await roundTrip(bench, operations);
      expect(second).toBe(first);
      expect(failures).toEqual([]);
      expect(restored).toBe(first);
    });

    test.each(seeds.slice(0, natural))(
      "by natural keys is the same in another tenant, run twice (seed %i)",
      async (seed) => {
        const [operations = []] = fc.sample(changes(changesEach), { seed, numRuns: 1 });
        const { first, entries, restored, entriesAgain, again } = await naturalRoundTrip(bench, operations);
        expect(failuresIn(entries)).toEqual([]);
        expect(restored).toBe(first);
        expect(failuresIn(entriesAgain)).toEqual([]);
        expect(entriesAgain.filter(({ action }) => action === "created")).toEqual([]);
        expect(again).toBe(first);
      },
    );
  });
}

/** Makes a tenant with the operations, and runs its dump with natural keys in an empty tenant, twice. */
async function naturalRoundTrip(bench: RunnerBench, operations: readonly object[]) {
  const [source, target] = [await newTenant(bench), await newTenant(bench)];
  await run(bench, source, sourceFile(source, operations));
  const first = await dumpOf(bench, source, { ids: "natural" });
  const dump = first.replaceAll(/\{\{ upload \\"[^"]*\\" \}\}/g, imageKey(target));
  const entries = await logOf(bench, target, dump);
  const restored = await dumpOf(bench, target, { ids: "natural" });
  const entriesAgain = await logOf(bench, target, dump);
  const again = await dumpOf(bench, target, { ids: "natural" });
  const inSource = (text: string) => text.replaceAll(target.id, source.id);
  return { first, entries, restored: inSource(restored), entriesAgain, again: inSource(again) };
}

/** The results of a dump that was run in an empty tenant; reports of what no operation can write are left out. */
interface RoundTrip {
  /** Two dumps of the tenant. */
  first: string;
  second: string;
  /** Operations of the dump that did not succeed. */
  failures: string[];
  /** The dump of the tenant in which the dump was run. */
  restored: string;
}

/** Makes a tenant with the operations, some of which may fail, and runs its dump in an empty tenant. */
async function roundTrip(bench: RunnerBench, operations: readonly object[]): Promise<RoundTrip> {
  const [source, target] = [await newTenant(bench), await newTenant(bench)];
  await run(bench, source, sourceFile(source, operations));
  const [first, second] = [await dumpOf(bench, source), await dumpOf(bench, source)];
  const dump = first.replaceAll(/\{\{ upload \\"[^"]*\\" \}\}/g, imageKey(target));
  const failures = await run(bench, target, dump);
  const again = await dumpOf(bench, target);
  return { first, second, failures, restored: again.replaceAll(target.id, source.id) };
}
