import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { idForms } from "../../packages/service/src/domain/dump/dump.ts";
import type { Tenant } from "../../packages/service/src/storage/tenants/tenant.ts";
import { engines } from "../support/engines.ts";
import { openRunnerBench, type RunnerBench } from "../support/runner.ts";
import { dumpOf, failuresIn, logOf, newTenant, run, sourceFile } from "./bench-tenants.ts";
import { changes } from "./generated-tenants.ts";

/** Operations on each generated tenant. */
const changesEach = 150;

/**
 * Declares the tests of generated tenants: with the seed in its name, each is found again. `natural` of them are dumped
 * by natural keys, too, and the dumps of `planned` are planned in their own tenants.
 */
export function describeRoundTrips(choice: {
  firstSeed: number;
  tenants: number;
  natural: number;
  planned: number;
}): void {
  const { firstSeed, tenants, natural, planned } = choice;
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

    test.each(seeds.slice(0, planned))(
      "changes nothing in its own tenant, but where an item is published beside a draft (seed %i)",
      async (seed) => {
        const [operations = []] = fc.sample(changes(changesEach), { seed, numRuns: 1 });
        const tenant = await newTenant(bench);
        await run(bench, tenant, sourceFile(tenant, operations));
        const nameless = await namelessIn(bench, tenant);
        for (const ids of idForms) {
          const log = await logOf(bench, tenant, await dumpOf(bench, tenant, { ids }), "plan");
          expect(changedIn(log, nameless)).toEqual([]);
        }
      },
    );

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
  const entries = await logOf(bench, target, first);
  const restored = await dumpOf(bench, target, { ids: "natural" });
  const entriesAgain = await logOf(bench, target, first);
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
  const failures = await run(bench, target, first);
  const again = await dumpOf(bench, target);
  return { first, second, failures, restored: again.replaceAll(target.id, source.id) };
}

type Entry = Awaited<ReturnType<typeof logOf>>[number];

/**
 * The operations that changed something, but those of items whose published version differs from the draft, or a variant
 * of which has no name in one of their languages (`nameless`): a payload needs one; and those that lift the rule of a
 * stock location and restore it. A dump reports what no natural key names: in its own tenant that is made once more, and
 * what is below it moves.
 */
function changedIn(log: readonly Entry[], nameless: ReadonlySet<string>): string[] {
  const [published, excepted, made] = [new Set<string>(), new Set<string>(), new Set<string>()];
  const itemOf = ({ input }: Entry) => String(Reflect.get(input as object, "itemId"));
  for (const entry of log) {
    const id = String(Reflect.get(entry.output ?? {}, "id"));
    if (entry.action === "created") made.add(id);
    if (entry.intent === "item/publish") published.add(itemOf(entry));
    else if (nameless.has(id) || published.has(itemOf(entry))) excepted.add(itemOf(entry));
  }
  return log
    .filter((entry) => entry.action !== "unchanged" && !excepted.has(itemOf(entry)))
    .filter(({ input }) => !("settings" in (input as object) && !("position" in (input as object))))
    .map(({ intent, action, message, input }) => `${intent}: ${action ?? message} ${JSON.stringify(input)}`)
    .filter((text) => ![...made].some((id) => text.includes(id)));
}

/** The products of a tenant with a variant that has no name in one of their languages. */
async function namelessIn({ database }: RunnerBench, { id }: Tenant): Promise<ReadonlySet<string>> {
  const rows = await database.query<{ id: string }>(
    `SELECT v.product_id AS id FROM product_variants v
     JOIN item_contents c ON c.tenant_id = v.tenant_id AND c.item_id = v.product_id
     WHERE v.tenant_id = $1 AND v.contents::jsonb -> c.language IS NULL`,
    [id],
  );
  return new Set(rows.map((row) => row.id));
}
