import type { ComponentDefinition, Intent } from "@lading/schema/internal";
import { beforeEach, describe, expect, test } from "vitest";
import { sharedPostgres } from "../../../../test/support/engines.ts";
import { inRelease } from "../../../../test/support/extent.ts";
import { opened } from "../../../../test/support/opened.ts";
import { commandOf } from "../../src/commands/registry.ts";
import { storedImages } from "../../src/media/stored-images.ts";
import { itemAliases } from "../../src/storage/collections/item-aliases.ts";
import { itemShortcuts } from "../../src/storage/collections/item-shortcuts.ts";
import { itemTopics } from "../../src/storage/collections/item-topics.ts";
import { items } from "../../src/storage/collections/items.ts";
import { priceListVariants } from "../../src/storage/collections/price-lists.ts";
import { topicContents } from "../../src/storage/collections/topic-contents.ts";
import { topics } from "../../src/storage/collections/topics.ts";
import { sqlStateOf, sqlStates } from "../../src/storage/sql-states.ts";
import { UnitOfWork } from "../../src/storage/unit-of-work/unit-of-work.ts";
import { operator } from "../../src/tenants/audit.ts";
import { executing, openShop, type Shop, type WrittenPayload } from "../support/commands.ts";
import {
  addShape,
  create,
  draftOf,
  newItem,
  newTopic,
  prepare,
  variantBySku,
  variantsOf,
} from "./item/support.ts";

const rounds = inRelease ? 10 : 3;

describe("two writers on PostgreSQL", () => {
  const shop = onPostgres();

  const execute = (intent: Intent, payload: WrittenPayload) =>
    executing(shop, [intent, payload])(shop.database);

  const open = (intent: Intent, payload: WrittenPayload) => holdWriter(shop, intent, payload);

  const orphans = () =>
    shop.database.query(
      `SELECT c.id FROM items c LEFT JOIN items p ON p.tenant_id = c.tenant_id AND p.id = c.parent_id
       WHERE c.parent_id IS NOT NULL AND p.id IS NULL`,
    );

  const raceBetween = (...operations: [Intent, WrittenPayload][]) => race(shop, operations);

  test.each([0, 1])(
    "two writers share content of a language being added (%i commits first)",
    async (first) => {
      const config = { singleLine: { multilingual: false } };
      const shared: ComponentDefinition[] = [{ id: "code", name: "Code", type: "singleLine", config }];
      await addShape(shop, "product", "shared", { components: shared, variantComponents: shared });
      const code = (text: string) => [{ componentId: "code", singleLine: { text } }];
      const variants = [{ sku: "a", name: "A" }];
      const made = { shapeIdentifier: "shared", components: code("1"), variants };
      const itemId = await create(shop, "product", made);
      const adding = { itemId, language: "no", name: "Stol" };
      for (const change of [
        { itemId, components: code("2") },
        { itemId, variants: [{ sku: "a", name: "A", components: code("v") }] },
      ]) {
        const writers = [
          open("product/update", adding),
          open("product/update", { ...change, language: "en" }),
        ];
        await Promise.all(writers.map(({ executed }) => executed));
        await writers[first]?.commit();
        const error = await writers[1 - first]?.commit().catch((reason) => reason);
        expect(sqlStateOf(error)).toBe(sqlStates.serializationFailure);
        await shop.database.execute("DELETE FROM item_contents WHERE tenant_id = $1 AND language = 'no'", [
          shop.tenant.id,
        ]);
      }
    },
  );

  test.each(["the parent's deletion", "the child's creation"])(
    "a folder deleted while a child is being created leaves no orphan, and %s commits first",
    async (first) => {
      const parentId = await create(shop, "folder");
      const deletion = open("item/delete", { itemId: parentId });
      const creation = open("document/create", newItem(shop, "document", { tree: { parentId } }));
      const [faster, slower] = first.startsWith("the parent") ? [deletion, creation] : [creation, deletion];
      const state = await stateOfSlower(faster, slower);
      expect([sqlStates.foreignKeyViolation, sqlStates.serializationFailure]).toContain(state);
      expect(await orphans()).toEqual([]);
    },
  );

  test("a folder deleted while a child is being created ends with both or neither, whichever is faster", async () => {
    for (let round = 0; round < rounds; round++) {
      const parentId = await create(shop, "folder");
      const child = newItem(shop, "document", { tree: { parentId } });
      const outcome = await raceBetween(["item/delete", { itemId: parentId }], ["document/create", child]);
      expect([
        ["deleted", "ItemNotFoundError"],
        ["ItemHasChildrenError", "created"],
      ]).toContainEqual(outcome);
      expect((await shop.get(items, parentId)) !== undefined).toBe(outcome[1] === "created");
    }
    expect(await orphans()).toEqual([]);
  });

  test("two writers who create items of one name get a path each", async () => {
    for (let round = 0; round < rounds; round++) {
      const payload = newItem(shop, "folder", { name: `Chairs ${round}` });
      expect(await raceBetween(["folder/create", payload], ["folder/create", payload])).toEqual([
        "created",
        "created",
      ]);
    }
    const rows = await shop.database.query<{ segment: string }>(
      "SELECT segment FROM item_contents WHERE tenant_id = $1 AND segment IS NOT NULL",
      [shop.tenant.id],
    );
    const expected = Array.from({ length: rounds }, (_, i) => [`chairs-${i}`, `chairs-${i}-2`]).flat();
    expect(rows.map(({ segment }) => segment).sort()).toEqual(expected.sort());
  });

  test("two writers cannot take the same SKU: the slower one's error names its owner", async () => {
    for (let round = 0; round < rounds; round++) {
      const payload = () => newItem(shop, "product", { variants: [{ sku: `sku-of-${round}`, name: "A" }] });
      const outcome = await raceBetween(["product/create", payload()], ["product/create", payload()]);
      expect(outcome.sort()).toEqual(["SkuTakenError", "created"]);
    }
  });

  test("two writers of one resource identifier make one item", async () => {
    for (let round = 0; round < rounds; round++) {
      const payload = newItem(shop, "document", { resourceIdentifier: `mine-${round}` });
      const outcome = await raceBetween(["document/upsert", payload], ["document/upsert", payload]);
      expect(outcome.sort()).toEqual(["created", "unchanged"]);
    }
  });

  test("two writers of one variant's stock lose no change", async () => {
    await create(shop, "product", { variants: [{ sku: "a", name: "A" }] });
    const payload = { sku: "a", stockLocationIdentifier: "default", operation: "increase", quantity: 1 };
    await Promise.all(Array.from({ length: 12 }, () => execute("product/variant/stock/modify", payload)));
    expect((await variantBySku(shop, "a"))?.stockLocations).toEqual([{ identifier: "default", stock: 12 }]);
  });

  test.each(["the publishing", "the change"])(
    "the first publishing of a changing product publishes no outdated stock, and %s commits first",
    async (first) => {
      const itemId = await create(shop, "product", { variants: [{ sku: "a", name: "A" }] });
      const stock = { sku: "a", stockLocationIdentifier: "default", operation: "increase", quantity: 5 };
      const publishing = open("item/publish", { itemId, language: "en" });
      const change = open("product/variant/stock/modify", stock);
      const [faster, slower] = first === "the change" ? [change, publishing] : [publishing, change];
      expect(await stateOfSlower(faster, slower)).toBe(sqlStates.serializationFailure);
    },
  );

  test.each(["the publishing", "the rename"])(
    "a rename does not change the path that is being published for the first time, and %s commits first",
    async (first) => {
      const itemId = await create(shop, "document", { name: "Chair" });
      const publishing = open("item/publish", { itemId, language: "en" });
      const renaming = open("document/update", { itemId, language: "en", name: "Seat" });
      const [faster, slower] = first === "the rename" ? [renaming, publishing] : [publishing, renaming];
      expect(await stateOfSlower(faster, slower)).toBe(sqlStates.serializationFailure);
    },
  );

  test.each(["the publishing", "the change"])(
    "publishing again publishes no outdated stock when it is changed too, and %s commits first",
    async (first) => {
      const stockLocations = [{ identifier: "default", stock: 7 }];
      const itemId = await create(shop, "product", { variants: [{ sku: "a", name: "A", stockLocations }] });
      const stock = { sku: "a", stockLocationIdentifier: "default", operation: "increase", quantity: 2 };
      await execute("item/publish", { itemId, language: "en" });
      await execute("product/variant/update", {
        ...{ sku: "a", language: "en", name: "Changed" },
        stockLocations: [{ identifier: "default", stock: 5 }],
      });
      const publishing = open("item/publish", { itemId, language: "en" });
      const change = open("product/variant/stock/modify", stock);
      const [faster, slower] = first === "the change" ? [change, publishing] : [publishing, change];
      expect(await stateOfSlower(faster, slower)).toBe(sqlStates.serializationFailure);
    },
  );

  test("two writers cannot move two folders under each other", async () => {
    for (let round = 0; round < rounds; round++) {
      const [a, b] = [await create(shop, "folder"), await create(shop, "folder")];
      const move = (itemId: string, parentId: string): [Intent, WrittenPayload] => [
        "folder/update",
        { itemId, language: "en", tree: { parentId } },
      ];
      expect((await raceBetween(move(a, b), move(b, a))).sort()).toEqual(["ConflictError", "updated"]);
      const parents = [(await shop.get(items, a))?.parentId, (await shop.get(items, b))?.parentId];
      expect(parents).toContain(shop.tenant.rootItemId);
    }
  });

  test("one default variant is left when two writers each mark another", async () => {
    const variants = ["a", "b", "c"].map((sku) => ({ sku, name: sku }));
    const productId = await create(shop, "product", { variants });
    for (let round = 0; round < rounds; round++) {
      const mark = (sku: string): [Intent, WrittenPayload] => [
        "product/variant/upsert",
        { productId, sku, name: sku, language: "en", isDefault: true },
      ];
      await raceBetween(mark(round % 2 ? "a" : "b"), mark("c"));
      expect((await variantsOf(shop, productId)).filter(({ isDefault }) => isDefault)).toHaveLength(1);
    }
  });

  test("an item that is being deleted gets no new language", async () => {
    for (let round = 0; round < rounds; round++) {
      const itemId = await create(shop, "document");
      const outcome = await raceBetween(
        ["item/delete", { itemId }],
        ["document/update", { itemId, language: "no", name: "Artikkel" }],
      );
      expect([
        ["deleted", "ItemNotFoundError"],
        ["deleted", "updated"],
      ]).toContainEqual(outcome);
      expect([await shop.get(items, itemId), await draftOf(shop, itemId, "no")]).toEqual([
        undefined,
        undefined,
      ]);
    }
  });
});

/** On the shared PostgreSQL: a new shop before each test of a `describe`. */
function onPostgres(): Shop {
  const database = opened(sharedPostgres);
  const shop = {} as Shop;
  beforeEach(async () => {
    Object.assign(shop, await openShop(database));
    await prepare(shop);
  });
  return shop;
}

/** Commits two writers that are both executed; the SQL state with which the slower one fails. */
async function stateOfSlower(...[faster, slower]: ReturnType<typeof holdWriter>[]) {
  await Promise.all([faster?.executed, slower?.executed]);
  await faster?.commit();
  return sqlStateOf(await slower?.commit().catch((reason) => reason));
}

/** Executes operations concurrently. */
const race = (shop: Shop, operations: readonly (readonly [Intent, WrittenPayload])[]): Promise<string[]> =>
  Promise.all(operations.map((operation) => executing(shop, operation)(shop.database)));

/**
 * Executes a command in its own transaction, and writes and commits on request; `executed` is fulfilled before. On
 * PostgreSQL only: the embedded database would block everyone else meanwhile.
 */
function holdWriter(
  { database, tenant, store }: Shop,
  intent: Intent,
  payload: WrittenPayload,
): { executed: Promise<void>; commit(): Promise<void> } {
  const [executed, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const done = database.transaction(async (transaction) => {
    const unit = new UnitOfWork(transaction, tenant.id);
    const media = storedImages(store, tenant.id);
    const context = { unit, tenant, actor: operator, media, now: new Date().toISOString() };
    await commandOf(intent).execute(context, payload);
    executed.resolve();
    await released.promise;
    await unit.flush();
  });
  done.catch(executed.reject);
  const commit = () => {
    released.resolve();
    return done;
  };
  return { executed: executed.promise, commit };
}

describe("two writers of one list on PostgreSQL", () => {
  const shop = onPostgres();

  const execute = (intent: Intent, payload: WrittenPayload) =>
    executing(shop, [intent, payload])(shop.database);

  const variant = (sku: string, more: object = {}) => ({ sku, name: sku, ...more });
  const skus = async (itemId: string) =>
    (await variantsOf(shop, itemId)).map(({ sku, position }) => `${position} ${sku}`).sort();
  const sorted = async (table: string, column: string, owner: string) =>
    (
      await shop.database.query<{ at: string }>(
        `SELECT concat(position, ' ', ${column}) AS at FROM ${table} WHERE tenant_id = $1 AND ${owner} ORDER BY 1`,
        [shop.tenant.id],
      )
    ).map(({ at }) => at);

  interface List {
    /** Makes an item or a flow, and two operations on a list of it. */
    prepare(): Promise<[WrittenPayload, WrittenPayload]>;
    intent: Intent;
    /** The stored list after the first and then the second has written. */
    expected: readonly string[];
    stored(): Promise<readonly string[]>;
  }
  let id = "";
  const made = async (kind: "document" | "product", more: WrittenPayload = {}) => {
    id = await create(shop, kind, more);
    return { itemId: id, language: "en" };
  };
  const lists: Record<string, List> = {
    "the topics of an item": {
      intent: "document/update",
      prepare: async () => {
        const item = await made("document");
        const [one, other] = [await newTopic(shop, "one"), await newTopic(shop, "other")];
        return [
          { ...item, topicIds: [one] },
          { ...item, topicIds: [other] },
        ];
      },
      expected: ["0 other"],
      stored: async () =>
        sorted("item_topics JOIN topic_contents USING (tenant_id, topic_id)", "name", "language = 'en'"),
    },
    "the aliases of an item": {
      intent: "item/paths/setAliases",
      prepare: async () => {
        const item = await made("document");
        return [
          { ...item, paths: ["/one"] },
          { ...item, paths: ["/other"] },
        ];
      },
      expected: ["/other"],
      stored: async () => (await shop.all(itemAliases)).map(({ path }) => path),
    },
    "the former paths of an item": {
      intent: "item/paths/addHistory",
      prepare: async () => {
        const item = await made("document");
        return [
          { ...item, paths: ["/one"] },
          { ...item, paths: ["/other"] },
        ];
      },
      expected: ["0 /one", "1 /other"],
      stored: () => sorted("item_former_paths", "path", "true"),
    },
    "the shortcuts of an item": {
      intent: "item/paths/setShortcuts",
      prepare: async () => {
        const item = await made("document");
        const [one, other] = [await create(shop, "folder"), await create(shop, "folder")];
        otherFolder = other;
        return [one, other].map((parentId) => ({ itemId: item.itemId, shortcuts: [{ parentId }] })) as never;
      },
      expected: ["the other"],
      stored: async () =>
        (await shop.all(itemShortcuts)).map(({ parentId }) => (parentId === otherFolder ? "the other" : "")),
    },
    "the variants of a product": {
      intent: "product/update",
      prepare: async () => {
        const item = await made("product", { variants: [variant("a"), variant("b")] });
        return [
          { ...item, variants: [variant("a"), variant("b"), variant("one")] },
          { ...item, variants: [variant("a"), variant("b"), variant("other")] },
        ];
      },
      expected: ["0 a", "1 b", "2 other"],
      stored: () => skus(id),
    },
    "the variants of a product that has had one": {
      intent: "product/update",
      prepare: async () => {
        const item = await made("product", { variants: [variant("a")] });
        return [
          { ...item, variants: [variant("a"), variant("one")] },
          { ...item, variants: [variant("a", { externalReference: "x" })] },
        ];
      },
      expected: ["0 a"],
      stored: () => skus(id),
    },
    "different variants in a list of a product": {
      intent: "product/update",
      prepare: async () => {
        const item = await made("product", { variants: [variant("a"), variant("b")] });
        const of = (a: string, b: string) => ({
          ...item,
          variants: [variant("a", { externalReference: a }), variant("b", { externalReference: b })],
        });
        await execute("product/update", of("0", "0"));
        return [of("1", "0"), of("0", "2")];
      },
      expected: ["a 0", "b 2"],
      stored: async () =>
        (await variantsOf(shop, id))
          .map(({ sku, externalReference }) => `${sku} ${externalReference}`)
          .sort(),
    },
    "the variants of a product, by adding": {
      intent: "product/variant/create",
      prepare: async () => {
        await made("product", { variants: [variant("a")] });
        const adding = (sku: string) => ({ productId: id, language: "en", ...variant(sku) });
        return [adding("one"), adding("other")];
      },
      expected: ["0 a", "1 one", "2 other"],
      stored: () => skus(id),
    },
    "the stages of a flow": {
      intent: "flow/update",
      prepare: async () => {
        const stage = (identifier: string) => ({ identifier, name: identifier });
        const flow = { identifier: "flow", name: "Flow", type: "item", stages: [stage("a")] };
        await execute("flow/create", flow);
        return [
          { ...flow, stages: [stage("a"), stage("one")] },
          { ...flow, stages: [stage("a"), stage("other")] },
        ];
      },
      expected: ["0 a", "1 other"],
      stored: () => sorted("flow_stages", "identifier", "true"),
    },
    "what a price list selects": {
      intent: "pricelist/update",
      prepare: async () => {
        await made("product", { variants: [variant("a"), variant("b")] });
        const list = (sku: string[]) => ({
          ...{
            identifier: "list",
            name: "List",
            modifierType: "PERCENTAGE",
            priceVariants: [{ identifier: "default", modifier: 1 }],
          },
          targetAudience: { type: "EVERYONE" },
          selectedProductVariants: { type: "SOME_SKUS", variants: sku.map((sku) => ({ sku })) },
        });
        await shop.done("pricelist/create", list([]));
        return [list(["a"]), list(["b"])];
      },
      expected: ["b"],
      stored: async () => (await shop.all(priceListVariants)).map(({ sku }) => sku),
    },
  };
  let otherFolder = "";

  test.each(Object.keys(lists))("two concurrent writers leave %s as if they ran serially", async (name) => {
    const { intent, prepare, expected, stored } = lists[name] as List;
    const [one, other] = await prepare();
    const slower = holdWriter(shop, intent, other);
    await slower.executed;
    expect(await execute(intent, one)).toMatch(/^(created|updated)$/);
    const error = await slower.commit().catch((reason) => reason);
    expect(sqlStateOf(error)).toBe(sqlStates.serializationFailure);
    expect(await execute(intent, other)).toMatch(/^(created|updated)$/);
    expect(await stored()).toEqual(expected);
  });
});

const writers = Array.from({ length: 6 });
describe("concurrent writers on PostgreSQL", () => {
  const rounds = inRelease ? 5 : 2;
  const shop = onPostgres();

  const raceBetween = async (...operations: (readonly [Intent, WrittenPayload])[]) =>
    (await race(shop, operations)).sort();

  test("concurrent writers create topics of one name, with children, and each gets its own path", async () => {
    for (let round = 0; round < rounds; round++) {
      const payload = { language: "en", name: `Wood ${round}`, children: [{ name: "Oak" }, { name: "Ash" }] };
      const outcome = await raceBetween(...writers.map(() => ["topic/create", payload] as const));
      expect(outcome).toEqual(writers.map(() => "created"));
    }
    const roots = (await shop.all(topicContents)).filter(({ parentId }) => parentId === "");
    const numbers = ["", "-2", "-3", "-4", "-5", "-6"];
    const expected = Array.from({ length: rounds }, (_, i) => numbers.map((number) => `wood-${i}${number}`));
    expect(roots.map(({ pathIdentifier }) => pathIdentifier).sort()).toEqual(expected.flat().sort());
  });

  test("writers of one path identifier make one topic, and the others' errors name its owner", async () => {
    const payload = { language: "en", name: "Wood", pathIdentifier: "wood" };
    const outcome = await raceBetween(...writers.map(() => ["topic/create", payload] as const));
    expect(outcome).toEqual([...writers.slice(1).map(() => "TopicPathTakenError"), "created"]);
  });

  test("writers of one resource identifier make one topic", async () => {
    const payload = { language: "en", name: "Wood", resourceIdentifier: "wood" };
    const outcome = await raceBetween(...writers.map(() => ["topic/upsert", payload] as const));
    expect(outcome).toEqual(["created", ...writers.slice(1).map(() => "unchanged")]);
  });

  test("no item is left with a topic that is being deleted", async () => {
    for (let round = 0; round < rounds; round++) {
      const topicId = await newTopic(shop);
      const item = newItem(shop, "document", { topicIds: [topicId] });
      const outcome = await raceBetween(["topic/delete", { topicId }], ["document/create", item]);
      expect([
        ["TopicNotFoundError", "deleted"],
        ["created", "deleted"],
      ]).toContainEqual(outcome);
      expect(await shop.get(topics, topicId)).toBeUndefined();
    }
    expect(await shop.all(itemTopics)).toEqual([]);
  });

  test("two writers cannot put two topics, or two folders by shortcuts, under each other", async () => {
    for (let round = 0; round < rounds; round++) {
      const [a, b] = [await newTopic(shop), await newTopic(shop)];
      const under = (topicId: string, parentId: string) =>
        ["topic/update", { topicId, language: "en", parentId }] as const;
      expect(await raceBetween(under(a, b), under(b, a))).toEqual(["ConflictError", "updated"]);
      const [c, d] = [await create(shop, "folder"), await create(shop, "folder")];
      const shown = (itemId: string, parentId: string) =>
        ["item/paths/addShortcuts", { itemId, shortcuts: [{ parentId }] }] as const;
      expect(await raceBetween(shown(c, d), shown(d, c))).toEqual(["ConflictError", "updated"]);
      const [e, f] = [await create(shop, "folder"), await create(shop, "folder")];
      const move = ["folder/update", { itemId: e, language: "en", tree: { parentId: f } }] as const;
      expect(await raceBetween(move, shown(f, e))).toEqual(["ConflictError", "updated"]);
    }
  });
});
