/** @module-tag release */

import { hash } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { TenantClient } from "../support/client.ts";
import { opened } from "../support/opened.ts";
import { openService, runFile } from "../support/service.ts";
import { contentOf, differenceOf, madeAlike } from "./differing.ts";
import { dumpOf, run } from "./dumping.ts";

type Operations = readonly object[];

const id = (number: number) => number.toString(16).padStart(24, "0");
const title = { id: "title", name: "Title", type: "singleLine" };
const shape = (...components: object[]) => ({
  intent: "shape/upsert",
  ...{ identifier: "article", name: "Article", type: "document", components },
});
const document = (number: number, name: string, ...texts: string[]) => ({
  intent: "document/upsert",
  ...{ itemId: id(number), createdAt: "2026-01-31T12:00:00Z", language: "en", name },
  ...{ shapeIdentifier: "article", tree: { parentId: "{{ defaults.rootItemId }}" } },
  components: texts.map((text) => ({ componentId: "title", singleLine: { text } })),
});
const publish = (number: number) => ({ intent: "item/publish", itemId: id(number), language: "en" });
const topic = (number: number, name: string, more: object = {}) => ({
  intent: "topic/upsert",
  ...{ topicId: id(number), language: "en", name },
  ...more,
});
const order = (number: number, more: object = {}) => ({
  intent: "order/upsert",
  ...{ id: id(number), createdAt: "2026-01-31T12:00:00Z", cart: [{ name: "Tea", quantity: 1 }] },
  ...{ customer: { identifier: "ann" }, ...more },
});
const language = (code: string) => ({ intent: "language/upsert", code, name: code });
const flowOf = (identifier: string, ...stages: string[]) => ({
  intent: "flow/upsert",
  ...{ identifier, name: identifier, type: "item" },
  stages: stages.map((stage) => ({ identifier: stage, name: stage })),
});
const flow = (...stages: string[]) => flowOf("check", ...stages);
const put = (number: number, stageIdentifier: string) => ({
  intent: "item/flow/stage/addItems",
  ...{ stageIdentifier, items: [{ id: id(number) }] },
});
const productShape = { ...shape(), identifier: "goods", type: "product" };
const product = (number: number, ...skus: string[]) => ({
  ...{ intent: "product/upsert", itemId: id(number), createdAt: "2026-01-31T12:00:00Z", language: "en" },
  ...{ name: `P${number}`, shapeIdentifier: "goods", tree: { parentId: "{{ defaults.rootItemId }}" } },
  variants: skus.map((sku) => ({ sku, name: sku })),
});
const plan = (identifier: string, ...periods: number[]) => ({
  ...{ intent: "subscriptionPlan/upsert", identifier, name: identifier },
  periods: periods.map((number) => ({
    id: id(number),
    name: "Monthly",
    recurring: { period: 1, unit: "month" },
  })),
});
const contract = (number: number, identifier: string, period: number, more: object = {}) => ({
  ...{
    intent: "subscription-contract/upsert",
    id: id(number),
    customerIdentifier: "ann",
    item: { sku: "s" },
  },
  ...{ subscriptionPlan: { identifier, periodId: id(period), periodName: "Monthly" } },
  status: { activeUntil: "2030-01-01T00:00:00Z" },
  recurring: { currency: "EUR", price: 1 },
  ...more,
});

describe("a second comparison finds nothing,", () => {
  let tenants = 0;
  const service = opened(() => openService("postgresql"));

  async function tenantWith(operations: Operations): Promise<TenantClient> {
    const client = await service.tenant(`twice-${++tenants}`);
    await run(client, { version: "1.0.0", operations: [shape(title), ...operations] });
    return client;
  }

  async function alike(before: Operations, after: Operations, deletes = true) {
    return madeAlike(await tenantWith(before), await tenantWith(after), deletes);
  }

  test("where a shape regains a component with old text, published and in a draft", async () => {
    const old = [
      document(1, "One", "old"),
      publish(1),
      document(1, "One", "older"),
      document(2, "Two", "old"),
    ];
    const { isEqual } = await alike(
      [...old, shape()],
      [document(1, "One"), publish(1), document(2, "Two", "new")],
    );
    expect(isEqual).toBe(true);
  });

  test("where an order would get missing values from the stored customer, or from its own", async () => {
    const ann = { intent: "customer/upsert", identifier: "ann", firstName: "Ann" };
    const of = (number: number, identifier: string, more: object = {}) =>
      order(number, { customer: { identifier, ...more } });
    const { isEqual } = await alike(
      [ann, of(1, "ann"), of(2, "bob"), of(3, "bob", { lastName: "B" })],
      [of(1, "ann"), of(2, "ann"), of(3, "bob"), of(4, "ann"), ann],
    );
    expect(isEqual).toBe(true);
  });

  test.each([true, false])("where an item got another one's former path (deletions: %s)", async (deletes) => {
    const history = { intent: "item/paths/setHistory", itemId: id(1), language: "en", paths: ["/x", "/y"] };
    await alike(
      [document(1, "a"), document(2, "b"), history],
      [document(1, "a"), document(2, "x"), history],
      deletes,
    );
  });

  test("where an item got a former path with a number behind the number in its name", async () => {
    const history = { intent: "item/paths/setHistory", itemId: id(1), language: "en", paths: ["/own-1-2"] };
    const owns = [document(3, "own-1"), document(2, "own-1")];
    await alike(
      [document(1, "a"), document(2, "b"), owns[0]!, history],
      [document(1, "a"), ...owns, history],
    );
  });

  test("where a kept shortcut would form a cycle, or is among others", async () => {
    const folder = (number: number, parent = "{{ defaults.rootItemId }}") => ({
      intent: "folder/upsert",
      ...{ itemId: id(number), createdAt: "2026-01-31T12:00:00Z", language: "en", name: `F${number}` },
      ...{ shapeIdentifier: "shelf", tree: { parentId: parent } },
    });
    const shelf = {
      intent: "shape/upsert",
      identifier: "shelf",
      name: "Shelf",
      type: "folder",
      components: [],
    };
    const put = (number: number, parent: number, position: number) => ({
      intent: "item/paths/addShortcuts",
      ...{ itemId: id(number), shortcuts: [{ parentId: id(parent), position }] },
    });
    await alike(
      [shelf, folder(1), folder(2), folder(3), put(2, 1, 1), document(4, "a"), put(4, 3, 1), put(1, 3, 1)],
      [
        shelf,
        folder(2),
        folder(1, id(2)),
        folder(3),
        document(4, "a"),
        document(5, "b"),
        put(4, 3, 1),
        put(5, 3, 1),
      ],
      false,
    );
  });

  test("where products swap their published SKUs", async () => {
    const own = [productShape, product(1, "own-1"), publish(1), product(2, "own-2"), publish(2)];
    const swapped = [
      ...[productShape, product(1, "s"), publish(1), product(2, "t"), publish(2)],
      ...[product(1, "own-1"), product(2, "s"), product(1, "t")],
    ];
    expect((await alike(own, swapped)).isEqual).toBe(true);
    expect((await alike(swapped, own)).isEqual).toBe(true);
  });

  test.each([true, false])(
    "where a product was published with another one's SKU (deletions: %s)",
    async (deletes) => {
      const published = [product(1, "s"), publish(1), product(1, "own-1")];
      await alike(
        [productShape, product(2, "s")],
        [productShape, ...published, product(2, "own-2")],
        deletes,
      );
      await alike([productShape, product(3, "s")], [productShape, ...published], deletes);
    },
  );

  test("where a plan loses a period of a contract, and plans share a period's id", async () => {
    const ann = { intent: "customer/upsert", identifier: "ann" };
    const before = [plan("tea", 51), plan("coffee", 52)];
    const after = [plan("tea", 52), plan("coffee", 52)];
    const others = [productShape, product(1, "s"), ann];
    await alike(
      [...before, ...others, contract(61, "tea", 51), contract(62, "coffee", 52)],
      [...after, ...others, contract(61, "tea", 52), contract(62, "coffee", 52)],
    );
    const { remainders } = await alike(
      [...before, ...others, contract(61, "tea", 51)],
      [...after, ...others],
      false,
    );
    expect(remainders).toContainEqual(expect.stringContaining("additional periods, variables or stages"));
  });

  test("where a flow keeps only a stage, which is not counted", async () => {
    const before = [document(1, "One"), flow("new", "old"), put(1, "old")];
    const { rest } = await alike(before, [flow("new")], false);
    expect(rest.counts).not.toContainEqual(expect.stringContaining("flow updated"));
  });

  test("where orphaned content does not come back with its component, even if items are not compared", async () => {
    const orphans = [document(1, "One", "old"), document(2, "Two", "old"), shape()];
    const [from, to] = [await tenantWith(orphans), await tenantWith([document(1, "One")])];
    const { remainders } = await differenceOf(await dumpOf(from), await dumpOf(to), true, "items");
    expect(remainders).toEqual([]);
    const kept = await alike(orphans, [document(1, "One")], false);
    expect(kept).toMatchObject({ remainders: [], operations: [{ intent: "shape/update" }] });
  });

  test("where stages of a pipeline have one name", async () => {
    const pipeline = (...stages: number[]) => ({
      intent: "orderPipeline/upsert",
      ...{ id: id(9), name: "Orders", stages: stages.map((number) => ({ id: id(number), name: "New" })) },
    });
    await alike([pipeline(11, 12)], [pipeline(13, 11, 14)]);
  });

  test("where a kept topic has the path identifier of another one", async () => {
    const { remainders } = await alike([topic(1, "x"), topic(2, "y")], [topic(2, "x"), topic(3, "x")], false);
    expect(remainders).toEqual([
      expect.stringContaining("path identifiers of topics, taken by another topic"),
    ]);
  });

  test("where topics swap their path identifiers in a language whose code no path identifier has", async () => {
    const code = `no_${"longlong_".repeat(6)}nb`;
    const named = (number: number, name: string) => topic(number, name, { language: code });
    const { isEqual } = await alike(
      [language(code), named(1, "x"), named(2, "y")],
      [language(code), named(1, "y"), named(2, "x")],
    );
    expect(isEqual).toBe(true);
  });

  test.each([1, 11])(
    "where a topic keeps its path identifier because the next is kept (ids from %d)",
    async (first) => {
      const [one, other] = [topic(1, "x", { resourceIdentifier: "r" }), topic(2, "y")];
      const [next, last] = [topic(first, "x"), topic(first + 1, "y", { resourceIdentifier: "r" })];
      for (const [before, after] of [
        [
          [one, other],
          [next, last],
        ],
        [
          [next, last],
          [one, other],
        ],
      ] as const) {
        const { remainders } = await alike(before, after, false);
        expect(remainders).toEqual([
          expect.stringMatching(/^path identifiers of topics, taken by another topic: .*, /),
        ]);
        await alike(before, after);
      }
    },
  );

  test.each([true, false])(
    "where a topic keeps the path identifier of a language that it keeps (deletions: %s)",
    async (deletes) => {
      const german = (number: number, name: string, more: object = {}) =>
        topic(number, name, { language: "de", ...more });
      const under = { parentId: id(9) };
      const { remainders } = await alike(
        [language("de"), topic(9, "top"), topic(1, "a"), german(1, "x"), topic(2, "b"), german(2, "y")],
        [
          ...[language("de"), topic(9, "top"), topic(1, "a"), topic(2, "b", under)],
          ...[topic(3, "c"), german(3, "x"), topic(4, "d", under), german(4, "y", under)],
        ],
        deletes,
      );
      expect(remainders).toEqual([
        "languages of topics, which no operation removes: a (de), b (de)",
        "path identifiers of topics, taken by another topic: x",
      ]);
    },
  );

  test.each([true, false])("where rows with different ids match (deletions: %s)", async (deletes) => {
    const ann = { intent: "customer/upsert", identifier: "ann" };
    const others = [productShape, product(1, "s"), ann, plan("tea", 51)];
    const named = { resourceIdentifier: "r" };
    const kinds = [
      order,
      (number: number, more: object = {}) => contract(number, "tea", 51, more),
      (number: number, more: object = {}) => topic(number, "same", more),
      (number: number, more: object = {}) => ({ ...document(number, "Same"), ...more }),
    ];
    const before = kinds.map((of) => of(61, named));
    const after = kinds.flatMap((of) => [of(61), of(62, named)]);
    await alike([...others, ...before], [...others, ...after], deletes);
    await alike([...others, ...after], [...others, ...before], deletes);
  });

  test("where ids after a taken one are taken, too, in the second tenant", async () => {
    const next = (id: string) => hash("sha1", id).slice(0, 24);
    const named = (number: number) => ({ resourceIdentifier: `r${number}` });
    const second = next(id(1));
    const { counts } = await alike(
      [order(1, named(2)), { ...order(0, named(3)), id: second }],
      [order(1), order(2, named(2)), order(3, named(3)), { ...order(4), id: second }],
      false,
    );
    expect(counts).toEqual(["order created 2"]);
  });

  test("where an alias is the path of a kept item", async () => {
    const alias = (...paths: string[]) =>
      paths.map((path) => ({
        intent: "item/paths/addAliases",
        ...{ itemId: id(1), language: "en", paths: [path] },
      }));
    const folder = (number: number, name: string) => ({
      ...document(number, name),
      ...{ intent: "folder/upsert", shapeIdentifier: "shelf" },
    });
    const shelf = { ...shape(), identifier: "shelf", type: "folder" };
    const inFolder = { ...document(9, "News"), tree: { parentId: id(2) } };
    const before = [shelf, document(1, "a"), folder(2, "Old"), inFolder, document(8, "b"), publish(8)];
    const after = [shelf, document(1, "a"), folder(2, "New"), ...alias("/new/news", "/b", "/c", "/old/news")];
    const { remainders } = await alike([...before, document(8, "draft")], after, false);
    expect(remainders).toEqual(["aliases that are paths of kept items: /b (en), /new/news (en)"]);
    expect((await alike(before, after)).isEqual).toBe(true);
  });

  test("where a flow keeps a stage because of a kept item", async () => {
    const { remainders } = await alike(
      [document(1, "One"), flow("old", "new"), put(1, "old")],
      [flow("new", "newer")],
      false,
    );
    expect(remainders).toContainEqual(expect.stringContaining("stages of flows that keep items"));
  });

  test("where flows have each other's stages, with items that stay, move or are deleted", async () => {
    const accepts = (...acceptedShapeIdentifiers: string[]) => ({
      intent: "flow/update",
      ...{ identifier: "check", restrictions: { item: { acceptedShapeIdentifiers } } },
    });
    const documents = [1, 2, 3, 4].map((number) => document(number, `D${number}`));
    const other = { ...shape(), identifier: "other" };
    const { isEqual, remainders } = await alike(
      [
        ...[...documents, document(5, "Deleted"), other, flow("a", "b"), flowOf("review", "c", "d")],
        ...[put(1, "a"), put(2, "b"), put(3, "c"), put(4, "d"), put(5, "b"), accepts("other")],
      ],
      [
        ...[...documents, other, flow("a", "c"), flowOf("review", "b"), flowOf("third", "d")],
        ...[put(1, "c"), put(2, "b"), put(3, "c"), put(4, "d"), accepts("other")],
      ],
    );
    expect([isEqual, remainders]).toEqual([true, []]);
  });

  const variantOf = (text: string) => ({
    ...product(1, "s"),
    variants: [{ sku: "s", name: "s", components: [{ componentId: "title", singleLine: { text } }] }],
  });
  test.each<[string, object, (text: string) => object]>([
    ["a document", shape(title), (text) => document(1, "One", text)],
    ["a variant", { ...productShape, variantComponents: [title] }, variantOf],
  ])("or, where an update of %s fails, the draft that was there is not published", async (_, model, item) => {
    const from = await tenantWith([model, item("old"), publish(1), item("embargoed")]);
    const to = await tenantWith([model, item("new"), publish(1)]);
    const before = await dumpOf(from);
    const { operations } = await differenceOf(before, await dumpOf(to));
    const rule = JSON.stringify(model).replaceAll(
      '"type":"singleLine"',
      '"type":"singleLine","config":{"singleLine":{"pattern":"^[a-m]"}}',
    );
    await run(from, { version: "1.0.0", operations: [JSON.parse(rule)] });
    const { log } = await runFile(from, { version: "1.0.0", operations });
    expect(log.filter(({ status }) => status !== "success").map(({ intent }) => intent)).toEqual([
      expect.stringContaining("/update"),
      "item/publish",
    ]);
    expect(contentOf(await dumpOf(from)).filter((line) => line.includes("published"))).toEqual(
      contentOf(before).filter((line) => line.includes("published")),
    );
  });

  test("where a flow needs the stage of a kept one, or replaces a deleted one", async () => {
    const before = [document(1, "One"), flowOf("old", "a", "b"), put(1, "a")];
    const after = [document(1, "One"), flow("a"), put(1, "a")];
    const { remainders } = await alike(before, after, false);
    expect(remainders).toContain("flows with a stage that another flow keeps: check");
    expect((await alike(before, after)).isEqual).toBe(true);
  });
});
