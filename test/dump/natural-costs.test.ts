import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { beforeAll, describe, expect, test } from "vitest";
import { dumpReaders } from "../../packages/service/src/commands/registry.ts";
import { beginDump } from "../../packages/service/src/domain/dump/dump.ts";
import { NameRanks } from "../../packages/service/src/domain/dump/natural/name-ranks.ts";
import type { Queries } from "../../packages/service/src/storage/database.ts";
import { itemNames, lastingSkus } from "../../packages/service/src/storage/pages/natural-keys.ts";
import type { Tenant } from "../../packages/service/src/storage/tenants/tenant.ts";
import { watchBatches } from "../guards/watched.ts";
import { engines } from "../support/engines.ts";
import { opened } from "../support/opened.ts";
import { openRunnerBench } from "../support/runner.ts";

const id = (number: number) => number.toString(16).padStart(24, "0");
const folderOf = (itemId: string) => `f${itemId.slice(1)}`;
const tree = { parentId: "{{ defaults.rootItemId }}" };
const shape = (identifier: string, type: string) => ({
  intent: "shape/upsert",
  ...{ identifier, name: identifier, type, components: [] },
});

/** A node of an executed plan; its rows are per loop. */
interface Node {
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Join Filter"?: number;
  readonly Plans?: readonly Node[];
}

const rowsOf = (node: Node): number =>
  (node["Actual Rows"] + (node["Rows Removed by Join Filter"] ?? 0)) * node["Actual Loops"] +
  (node.Plans ?? []).reduce((sum, child) => sum + rowsOf(child), 0);

describe.each(engines)("the keys of a natural dump, on $name", ({ name, open }) => {
  const bench = opened(() => openRunnerBench(open));
  beforeAll(async () => {
    await bench.runner();
  });

  async function tenantWith(operations: readonly object[]): Promise<Tenant> {
    const tenant = await bench.newTenant();
    const { progress } = await bench.ended(await bench.start(operations, { tenant }), tenant);
    expect(progress.succeeded).toBe(operations.length);
    return tenant;
  }

  /** Total rows over all steps of the plans of `ask`'s statements. */
  async function rowsFor(ask: (queries: Queries) => Promise<unknown>): Promise<number> {
    let rows = 0;
    await ask({
      ...bench.database,
      query: async (sql, parameters) => {
        const [explained] = await bench.database.query<{ "QUERY PLAN": [{ Plan: Node }] }>(
          `EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${sql}`,
          parameters,
        );
        rows += rowsOf((explained as { "QUERY PLAN": [{ Plan: Node }] })["QUERY PLAN"][0].Plan);
        return bench.database.query(sql, parameters);
      },
    });
    return rows;
  }

  /** Rows read to rank items, in pages of 20 like a dump. */
  const rowsToRank = async (tenant: Tenant, ids: readonly string[]): Promise<number> => {
    const names = await itemNames(bench.database, tenant.id, ids);
    return rowsFor(async (queries) => {
      const ranks = new NameRanks({ tenant, page: (ask) => ask(queries) });
      for (let at = 0; at < names.length; at += 20) await ranks.of(names.slice(at, at + 20));
    });
  };

  test.each([
    ["one folder", () => tree],
    ["as many folders", (itemId: string) => ({ parentId: folderOf(itemId) })],
  ])(
    "are found by work that grows with the items of one name, not with their square, in %s",
    async (_, at) => {
      const costs: number[] = [];
      for (const count of [40, 320]) {
        const ids = Array.from({ length: count }, (_, number) => id(number));
        const upsert = { language: "en", name: "Untitled" };
        const tenant = await tenantWith([
          ...[shape("page", "document"), shape("shelf", "folder")],
          ...ids.map((itemId) => ({
            intent: "folder/upsert",
            ...{ ...upsert, itemId: folderOf(itemId), name: itemId, shapeIdentifier: "shelf", tree },
          })),
          ...ids.map((itemId) => ({
            intent: "document/upsert",
            ...{ ...upsert, itemId, shapeIdentifier: "page", tree: at(itemId) },
          })),
        ]);
        costs.push(await rowsToRank(tenant, ids));
      }
      expect(costs[1]).toBeLessThan(10 * (costs[0] ?? 0));
    },
  );

  test("are found in time linear in a product's variants", async () => {
    const costs: number[] = [];
    for (const count of [50, 400]) {
      const product = { itemId: id(1), language: "en" };
      const skus = Array.from({ length: count }, (_, number) => `sku-${number}`);
      const variants = (kept: readonly string[]) => kept.map((sku) => ({ sku, name: sku }));
      const upsert = { intent: "product/upsert", ...product, name: "Tea", shapeIdentifier: "tea", tree };
      const vatTypeId = "{{ defaults.vatTypeIds.[0] }}";
      const tenant = await tenantWith([
        shape("tea", "product"),
        { ...upsert, vatTypeId, variants: variants(skus) },
        { intent: "item/publish", ...product },
        { ...upsert, vatTypeId, variants: variants(["new", ...skus.slice(1)]) },
      ]);
      const lasting = await lastingSkus(bench.database, tenant.id, [id(1)]);
      expect(lasting.map(({ sku }) => sku)).toEqual(skus.slice(1));
      costs.push(await rowsFor((queries) => lastingSkus(queries, tenant.id, [id(1)])));
    }
    expect(costs[1]).toBeLessThan(10 * (costs[0] ?? 0));
  });

  // Batches on PGlite may be of a few operations.
  test.runIf(name === "PostgreSQL")("are prefetched in few statements when the dump runs again", async () => {
    const skus = Array.from({ length: 200 }, (_, number) => `again-${number}`);
    const shelf = {
      resourceIdentifier: "shelf",
      language: "en",
      name: "Shelf",
      shapeIdentifier: "shelf",
      tree,
    };
    const tenant = await tenantWith([
      ...[shape("tea", "product"), shape("shelf", "folder")],
      { intent: "folder/upsert", ...shelf },
      ...skus.map((sku) => ({
        ...{ intent: "product/upsert", language: "en", name: sku, shapeIdentifier: "tea" },
        ...{ tree: { parentId: "{{ idOf 'folder' 'resourceIdentifier' 'shelf' }}" } },
        ...{ vatTypeId: "{{ defaults.vatTypeIds.[0] }}", variants: [{ sku, name: sku }] },
      })),
    ]);
    const imageUrl = (key: string) => key;
    const { database } = bench;
    const begun = await beginDump({ database, imageUrl, dumpReaders }, tenant.id, { ids: "natural" });
    if (typeof begun === "string") throw new Error(begun);
    const dump = await text(Readable.from(begun));
    await bench.stopRunners();
    const watched = watchBatches(database);
    await bench.runner({ database: watched.database });
    const { progress } = await bench.ended(await bench.start(dump, { tenant }), tenant);
    expect(progress).toMatchObject({ failed: 0, unchanged: progress.total });
    expect(watched.asked.statements).toBeLessThan(skus.length);
  });
});
