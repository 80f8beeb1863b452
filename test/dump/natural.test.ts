import { describe, expect, test } from "vitest";
import { derivedId } from "../../packages/service/src/storage/ids.ts";
import type { TenantClient } from "../support/client.ts";
import { opened } from "../support/opened.ts";
import { openService, runFile, serviceEngines } from "../support/service.ts";
import { dumpOf, run } from "./dumping.ts";

type Operation = { intent: string; [field: string]: unknown };

const id = (number: number) => number.toString(16).padStart(24, "0");
const file = (operations: readonly object[]) => ({ version: "1.0.0", operations });
const root = { parentId: "{{ defaults.rootItemId }}" };

const relations = { id: "related", name: "Related", type: "itemRelations" };
const model = [
  {
    intent: "shape/upsert",
    ...{ identifier: "article", name: "Article", type: "document" },
    components: [{ ...relations, config: { itemRelations: { min: 1 } } }],
  },
  { intent: "shape/upsert", identifier: "shelf", name: "Shelf", type: "folder", components: [] },
  { intent: "shape/upsert", identifier: "tea", name: "Tea", type: "product", components: [relations] },
];
const food = (vatTypeId: string) => ({
  intent: "vatType/upsert",
  id: vatTypeId,
  name: "Food",
  percent: 12,
});

const item = (type: string, shapeIdentifier: string) => (itemId: string, name: string, more: object) => ({
  intent: `${type}/upsert`,
  ...{ itemId, language: "en", name, shapeIdentifier, tree: root, ...more },
});
const folder = item("folder", "shelf");
const document = item("document", "article");
const product = item("product", "tea");
const related = (...itemIds: string[]) => ({
  components: [{ componentId: "related", itemRelations: { itemIds } }],
});
const variants = (...skus: string[]) => ({ variants: skus.map((sku) => ({ sku, name: sku })) });
const order = (more: object) => ({
  intent: "order/upsert",
  ...{ createdAt: "2026-01-31T12:00:00Z", customer: { identifier: "nobody" } },
  ...{ cart: [{ name: "Tea", quantity: 1 }], ...more },
});
const topic = (topicId: string, name: string, more: object = {}) => ({
  intent: "topic/upsert",
  ...{ topicId, language: "en", name, ...more },
});

describe.each(serviceEngines)("a dump by natural keys, on %s", (engine) => {
  let tenants = 0;
  const service = opened(() => openService(engine));

  const newTenant = () => service.tenant(`tenant-${++tenants}`);

  async function tenantWith(operations: readonly object[]): Promise<TenantClient> {
    const client = await newTenant();
    await run(client, file(operations));
    return client;
  }

  const naturalOf = (client: TenantClient) => dumpOf(client, "?ids=natural");

  /** Runs a dump, which must succeed; returns the intents of operations that created something. */
  async function creationsOf(client: TenantClient, dump: string): Promise<string[]> {
    const { log } = await runFile(client, dump);
    expect(log.filter(({ status }) => status !== "success")).toEqual([]);
    return log.filter(({ action }) => action === "created").map(({ intent }) => intent);
  }

  test("recreates a tenant, and creates nothing the second time, whatever its relations", async () => {
    const stages = [{ identifier: "new", name: "New" }];
    const addShortcuts = (itemId: string, shortcut: object) => ({
      intent: "item/paths/addShortcuts",
      ...{ itemId, shortcuts: [shortcut] },
    });
    const source = await tenantWith([
      ...[...model, food(id(90)), topic(id(2), "Zen"), topic(id(1), "Green", { parentId: id(2) })],
      ...[folder(id(11), "Shelf", {}), folder(id(10), "Shelf", {})],
      document(id(20), "A", { resourceIdentifier: "a", ...related(id(21)), topicIds: [id(1)] }),
      document(id(21), "B", { ...related(id(22)), tree: { parentId: id(10) } }),
      document(id(22), "B", { externalReference: "b", ...related(id(20)), tree: { parentId: id(10) } }),
      { intent: "item/publish", itemId: id(20), language: "en" },
      product(id(30), "Tea", { ...variants("t-1", "t-2"), ...related(id(30), id(20)), vatTypeId: id(90) }),
      { intent: "item/publish", itemId: id(30), language: "en" },
      { intent: "product/update", itemId: id(30), language: "en", ...variants("t-3", "t-2") },
      ...[addShortcuts(id(30), { parentId: id(10), position: 2 }), addShortcuts(id(21), root)],
      { intent: "item/paths/setHistory", itemId: id(21), language: "en", paths: ["/was"] },
      { intent: "item/paths/addAliases", itemId: id(20), language: "en", paths: ["/first"] },
      { intent: "flow/upsert", identifier: "check", name: "Check", type: "item", stages },
      { intent: "item/flow/stage/addItems", stageIdentifier: "new", items: [{ id: id(21) }, { id: id(30) }] },
      order({ resourceIdentifier: "first", relatedOrderIds: [id(41)] }),
      order({ id: id(41), cart: [{ name: "Tea", quantity: 1, productId: id(30) }] }),
    ]);
    const dump = await naturalOf(source);
    const [keptOrder, initialVatType] = [id(41), id(1)];
    const withoutReport = dump.replace(/\n\],"report".*/, "\n]}");
    expect(withoutReport).not.toBe(dump);
    expect(new Set(withoutReport.match(/0{20}[0-9a-f]{4}/g))).toEqual(new Set([initialVatType, keptOrder]));
    const target = await newTenant();
    expect(await creationsOf(target, withoutReport)).toContain("document/upsert");
    expect(await naturalOf(target)).toContain(withoutReport.slice(0, -"\n]}\n".length));
    expect(await creationsOf(target, withoutReport)).toEqual([]);
    expect(await naturalOf(target)).toContain(withoutReport.slice(0, -"\n]}\n".length));
  });

  test("updates what another tenant has under other ids, and clears what is empty", async () => {
    const operations = (idOf: (number: number) => string, name: string, more: object) => [
      ...[...model, food(idOf(90)), topic(idOf(1), "Green")],
      folder(idOf(10), name, { resourceIdentifier: "shelf" }),
      product(idOf(30), name, { ...variants("t-1"), vatTypeId: idOf(90) }),
      document(idOf(20), name, {
        ...{ externalReference: "a", ...related(idOf(30)), tree: { parentId: idOf(10) } },
        ...more,
      }),
    ];
    const dump = await naturalOf(await tenantWith(operations(id, "New", {})));
    const other = (number: number) => "f".repeat(20) + id(number).slice(-4);
    const target = await tenantWith(operations(other, "Old", { topicIds: [other(1)] }));
    expect(await creationsOf(target, dump)).toEqual([]);
    const withoutTimes = (text: string) => text.replaceAll(/"createdAt":"[^"]*"/g, "");
    expect(withoutTimes(await naturalOf(target))).toBe(withoutTimes(dump));
    const ids = JSON.parse(await dumpOf(target)).operations.flatMap(
      ({ itemId, topicId }: Operation) => itemId ?? topicId ?? [],
    );
    expect(ids).toEqual([1, 10, 30, 20].map(other));
  });

  test("uses the next key if items share one or templates cannot express it, and reports rows without any", async () => {
    const source = await tenantWith([
      ...model,
      product(id(30), "Tea", { ...variants("t-1"), externalReference: "shared" }),
      product(id(31), "Mate", { ...variants("a\\b"), externalReference: "shared" }),
      document(id(20), "A", { resourceIdentifier: "a\\b", externalReference: 'c "d"', ...related(id(30)) }),
      folder(id(10), "Shelf", { externalReference: "shared" }),
      order({ id: id(40), cart: [{ name: "Gone", quantity: 1, productId: id(99) }] }),
    ]);
    const dump = await naturalOf(source);
    const { operations, report } = JSON.parse(dump);
    expect(operations.flatMap(({ itemId }: Operation) => itemId ?? [])).toEqual([
      '{{ idOf "product" "sku" "t-1" }}',
      expect.stringMatching(/^[0-9a-f]{24}$/),
      '{{ idOf "document" "externalReference" "c \\"d\\"" }}',
      '{{ idOf "folder" "externalReference" "shared" }}',
    ]);
    expect(report).toEqual([
      {
        what: expect.stringMatching(/^a natural key, for an item .* gets a second one$/),
        count: 1,
        examples: [id(31)],
      },
      { what: expect.stringMatching(/^a reference to an id/), count: 1, examples: [id(99)] },
    ]);
    const target = await newTenant();
    await creationsOf(target, dump);
    expect(JSON.parse(await naturalOf(target)).operations).toEqual(operations);
  });

  test("derives an id without a key from the folder, the name and its rank among equal names", async () => {
    const inFolder = (number: number) => ({ tree: { parentId: id(number) } });
    const names = ["Same", "Other", "Same", "Same", "Once"];
    const source = await tenantWith([
      ...[...model, folder(id(1), "Same", {}), folder(id(2), "Same", {}), folder(id(3), "Same", {})],
      ...names.map((name, i) => folder(id(10 + i), name, inFolder(2))),
      ...names.toReversed().map((name, i) => folder(id(20 + i), name, inFolder(1))),
      folder(id(30), "Same", inFolder(12)),
    ]);
    const { operations } = JSON.parse(await naturalOf(source));
    const before = new Map<string, number>();
    const folders = operations.filter(({ intent }: Operation) => intent === "folder/upsert");
    const expected = folders.map(({ name, tree }: { name: string; tree: { parentId: string } }) => {
      const location = [tree.parentId === root.parentId ? "root" : tree.parentId, "en", name];
      const count = before.get(location.join()) ?? 0;
      before.set(location.join(), count + 1);
      return derivedId("place", ...location, String(count));
    });
    expect(folders.map(({ itemId }: Operation) => itemId)).toEqual(expected);
    expect(new Set(expected).size).toBe(14);
  });

  test("has pseudonyms of resource identifiers if anonymised", async () => {
    const source = await tenantWith([order({ resourceIdentifier: "secret" })]);
    const [registered] = JSON.parse(await dumpOf(source, "?ids=natural&anonymise&only=orders")).operations;
    expect(JSON.stringify(registered)).not.toContain("secret");
    expect(registered.id).toBe(`{{ idOf "order" "resourceIdentifier" "${registered.resourceIdentifier}" }}`);
  });
});
