import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { diffRoundsOn } from "../fuzz/diffs.ts";
import type { TenantClient } from "../support/client.ts";
import { engines } from "../support/engines.ts";
import { openRunnerBench } from "../support/runner.ts";
import { openService, serviceEngines, type TestService } from "../support/service.ts";
import { madeAlike } from "./differing.ts";
import { run } from "./dumping.ts";

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
const topic = (number: number, name: string) => ({
  intent: "topic/upsert",
  ...{ topicId: id(number), language: "en", name },
});
const flow = (...stages: string[]) => ({
  intent: "flow/upsert",
  ...{ identifier: "check", name: "Check", type: "item" },
  stages: stages.map((identifier) => ({ identifier, name: identifier })),
});

describe.each(serviceEngines)("a second comparison finds nothing, on %s,", (engine) => {
  let service: TestService;
  let tenants = 0;
  beforeAll(async () => {
    service = await openService(engine);
  });
  afterAll(() => service.close());

  async function tenantWith(operations: Operations): Promise<TenantClient> {
    const client = await service.tenant(`twice-${++tenants}`);
    await run(client, { version: "1.0.0", operations: [shape(title), ...operations] });
    return client;
  }

  async function alike(before: Operations, after: Operations, deletes = true) {
    return madeAlike(await tenantWith(before), await tenantWith(after), deletes);
  }

  test("where a shape has a component again whose old text is stored, published and in a draft", async () => {
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

  test("where an order would get what it lacks from the stored customer, or from what it had", async () => {
    const ann = { intent: "customer/upsert", identifier: "ann", firstName: "Ann" };
    const order = (number: number, identifier: string, more: object = {}) => ({
      intent: "order/upsert",
      ...{ id: id(number), createdAt: "2026-01-31T12:00:00Z", cart: [{ name: "Tea", quantity: 1 }] },
      customer: { identifier, ...more },
    });
    const { isEqual } = await alike(
      [ann, order(1, "ann"), order(2, "bob"), order(3, "bob", { lastName: "B" })],
      [order(1, "ann"), order(2, "ann"), order(3, "bob"), order(4, "ann"), ann],
    );
    expect(isEqual).toBe(true);
  });

  test.each([true, false])(
    "where an item got the former path of another one (deletions: %s)",
    async (deletes) => {
      const history = { intent: "item/paths/setHistory", itemId: id(1), language: "en", paths: ["/x", "/y"] };
      await alike(
        [document(1, "a"), document(2, "b"), history],
        [document(1, "a"), document(2, "x"), history],
        deletes,
      );
    },
  );

  test("where a shortcut that is kept would lead round in a circle, or is among others", async () => {
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

  test("where stages of a pipeline have one name", async () => {
    const pipeline = (...stages: number[]) => ({
      intent: "orderPipeline/upsert",
      ...{ id: id(9), name: "Orders", stages: stages.map((number) => ({ id: id(number), name: "New" })) },
    });
    await alike([pipeline(11, 12)], [pipeline(13, 11, 14)]);
  });

  test("where a topic that is kept has the path identifier of another one", async () => {
    const { remainders } = await alike([topic(1, "x"), topic(2, "y")], [topic(2, "x"), topic(3, "x")], false);
    expect(remainders).toEqual([
      expect.stringContaining("path identifiers of topics that another topic has"),
    ]);
  });

  test("where a flow keeps a stage because an item that is kept is in it", async () => {
    const put = { intent: "item/flow/stage/addItems", stageIdentifier: "old", items: [{ id: id(1) }] };
    const { remainders } = await alike(
      [document(1, "One"), flow("old", "new"), put],
      [flow("new", "newer")],
      false,
    );
    expect(remainders).toContainEqual(expect.stringContaining("stages of flows that keep items"));
  });
});

test.each(engines)("random tenants become like other ones, on $name", async ({ open }) => {
  const bench = await openRunnerBench(open);
  try {
    await bench.runner();
    expect(await diffRoundsOn(bench, { seed: 1, rounds: 5 })).toEqual([]);
  } finally {
    await bench.close();
  }
});
