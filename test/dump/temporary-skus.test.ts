import { describe, expect, test } from "vitest";
import { opened } from "../support/opened.ts";
import { openService, serviceEngines } from "../support/service.ts";
import { dumpOf, restored, run } from "./dumping.ts";

const file = (...operations: object[]) => ({ version: "1.0.0", operations });
const variants = (...skus: string[]) => ({ variants: skus.map((sku) => ({ sku, name: sku })) });

/** The products of a tenant, the first two of which swapped their only SKUs after they were published. */
function swapped(prefix: string): object[] {
  const id = (number: number) => `${prefix}${number}`.padStart(24, "0");
  const product = (number: number, ...skus: string[]) => ({
    ...{ intent: "product/upsert", itemId: id(number), language: "en", name: `${prefix} ${number}` },
    ...{ shapeIdentifier: "tea", resourceIdentifier: `${prefix}-${number}` },
    ...{ tree: { parentId: "{{ defaults.rootItemId }}" }, ...variants(...skus) },
  });
  const edit = (number: number, ...skus: string[]) => ({
    ...{ intent: "product/update", itemId: id(number), language: "en", ...variants(...skus) },
  });
  const publish = (number: number) => ({ intent: "item/publish", itemId: id(number), language: "en" });
  const [left, right] = [`${prefix}-left`, `${prefix}-right`];
  return [
    { intent: "shape/upsert", identifier: "tea", name: "Tea", type: "product", components: [] },
    ...[product(1, left), product(2, right), publish(1), publish(2)],
    ...[edit(1, `${prefix}-free`), edit(2, left), edit(1, right)],
    ...[product(3, `${prefix}-own`)],
  ];
}

/** A dump's operations up to the last item's creation, when the temporary SKUs exist. */
function halfOf(dump: string): object[] {
  const { operations }: { operations: { intent: string; name?: string }[] } = JSON.parse(dump);
  return operations.slice(0, operations.findLastIndex(({ intent }) => intent === "product/upsert") + 1);
}

const temporaryIn = (dump: string): string[] => [...new Set(dump.match(/temporary-[0-9a-f]{24}/g))];

describe.each(serviceEngines)("temporary SKUs of a dump, on %s", (engine) => {
  const service = opened(() => openService(engine));

  test.each(["keep", "natural"])("differ from those of another tenant, with the ids of %s", async (ids) => {
    const target = await service.tenant(`both-${ids}`);
    const dumps: string[] = [];
    for (const prefix of ["a", "b"]) {
      const client = await service.tenant(`${prefix}-${ids}`);
      await run(client, file(...swapped(prefix)));
      const dump = await dumpOf(client, `?ids=${ids}`);
      expect(temporaryIn(dump)).toHaveLength(2);
      await run(target, file(...halfOf(dump)));
      dumps.push(dump);
    }
    for (const dump of dumps) await run(target, dump);
    expect(temporaryIn(await dumpOf(target, "?ids=natural"))).toHaveLength(4);
  });

  test("are unused in the tenant's variants and published versions", async () => {
    const client = await service.tenant("taken");
    await run(client, file(...swapped("c")));
    const [first = "", second = ""] = temporaryIn(await dumpOf(client));
    const edit = { intent: "product/update", itemId: "c3".padStart(24, "0"), language: "en" };
    await run(
      client,
      file(
        ...[
          { ...edit, ...variants(first) },
          { intent: "item/publish", itemId: edit.itemId, language: "en" },
        ],
        { ...edit, ...variants(second) },
      ),
    );
    const dump = await dumpOf(client);
    expect(temporaryIn(dump)).toHaveLength(4);
    const copy = await restored(service, "copy", dump);
    expect(await dumpOf(copy)).toBe(dump);
  });

  test("separate two languages published with the same SKU but different variants", async () => {
    const client = await service.tenant("returned");
    const tree = { parentId: "{{ defaults.rootItemId }}" };
    const product = { itemId: "d1".padStart(24, "0"), name: "Tea", shapeIdentifier: "tea", tree };
    const priced = (sku: string, price: number) => ({
      variants: [{ sku, name: sku, priceVariants: [{ identifier: "default", price }] }],
    });
    const update = (language: string, sku: string, price: number) => ({
      ...{ intent: "product/update", itemId: product.itemId, language, name: "Tea", ...priced(sku, price) },
    });
    const publish = (language: string) => ({ intent: "item/publish", itemId: product.itemId, language });
    await run(
      client,
      file(
        { intent: "language/upsert", code: "no", name: "Norsk" },
        { intent: "shape/upsert", identifier: "tea", name: "Tea", type: "product", components: [] },
        { intent: "product/upsert", language: "en", ...product, ...priced("away", 2) },
        ...[publish("en"), update("en", "own", 1), update("no", "away", 3), publish("no")],
        update("en", "own", 1),
      ),
    );
    const dump = await dumpOf(client);
    expect(temporaryIn(dump)).toHaveLength(1);
    expect(await dumpOf(await restored(service, "returned-copy", dump))).toBe(dump);
    await run(client, dump);
    expect(await dumpOf(client)).toBe(dump);
  });
});
