import type { Intent } from "@lading/schema";
import { expect, test } from "vitest";
import { customerGroups } from "../../src/storage/collections/customer-groups.ts";
import { customers } from "../../src/storage/collections/customers.ts";
import { flowItems } from "../../src/storage/collections/flow-items.ts";
import { flowStages } from "../../src/storage/collections/flow-stages.ts";
import { flows } from "../../src/storage/collections/flows.ts";
import { orders } from "../../src/storage/collections/orders.ts";
import { pieces } from "../../src/storage/collections/pieces.ts";
import { priceLists, priceListVariants } from "../../src/storage/collections/price-lists.ts";
import { shapes } from "../../src/storage/collections/shapes.ts";
import { subscriptionContractUsages } from "../../src/storage/collections/subscription-contract-usages.ts";
import { subscriptionContracts } from "../../src/storage/collections/subscription-contracts.ts";
import { describeOnEngines, type WrittenPayload } from "../support/commands.ts";
import { create, prepare as prepareItems } from "./item/support.ts";
import { furnish, list, some } from "./pricelist/support.ts";
import { contract, id, prepare } from "./subscription-contract/support.ts";

const [other, unknownId] = ["1".repeat(24), "f".repeat(24)];
const order = { customer: { identifier: "ada" }, cart: [{ name: "Cup", quantity: 1 }] };

describeOnEngines("a deletion", (shop) => {
  const missing: [intent: Intent, payload: WrittenPayload, error: string][] = [
    ["shape/delete", { identifier: "nix" }, "ShapeNotFoundError"],
    ["piece/delete", { identifier: "nix" }, "PieceNotFoundError"],
    ["customer/delete", { identifier: "nix" }, "CustomerNotFoundError"],
    ["customer/group/delete", { identifier: "nix" }, "CustomerGroupNotFoundError"],
    ["order/delete", { id: unknownId }, "OrderNotFoundError"],
    ["order/delete", { resourceIdentifier: "nix" }, "OrderNotFoundError"],
    ["subscription-contract/delete", { id: unknownId }, "SubscriptionContractNotFoundError"],
    ["subscription-contract/delete", { resourceIdentifier: "nix" }, "SubscriptionContractNotFoundError"],
    ["pricelist/delete", { identifier: "nix" }, "PriceListNotFoundError"],
    ["flow/delete", { identifier: "nix" }, "FlowNotFoundError"],
  ];

  const addUsages = (contractId: string, count: number) =>
    shop().database.execute(
      `INSERT INTO subscription_contract_usages
         (tenant_id, id, contract_id, metered_variable_identifier, quantity, created_at)
       SELECT $1, left($2, 4) || lpad(n::text, 20, '0'), $2, 'cups', 1, now() FROM generate_series(1, $3::int) n`,
      [shop().tenant.id, contractId, count],
    );

  test.each(missing)("%s of %j is refused, as there is none", async (intent, payload, name) => {
    const refusal = await shop().refused(intent, payload);
    expect(refusal).toMatchObject({ name, statusCode: 404, errors: [{ path: Object.keys(payload) }] });
    expect(refusal.message).toContain(Object.values(payload)[0]);
  });

  test("a shape is kept while items have it or flows are restricted to it", async () => {
    await prepareItems(shop());
    const used: string[] = [];
    for (let n = 0; n < 6; n++) used.push(await create(shop(), "document"));
    const restrictions = { item: { acceptedShapeIdentifiers: ["document"] } };
    const review = { identifier: "review", name: "Review", type: "item", stages: [] };
    await shop().done("flow/create", { ...review, restrictions });
    const refusal = await shop().refused("shape/delete", { identifier: "document" });
    expect(refusal).toMatchObject({ name: "ShapeInUseError", statusCode: 409 });
    expect(refusal.message).toMatch(
      /^The shape "document" is used by the flow "review", (the item \w{24}, ){3}the item \w{24} and others; /,
    );
    for (const itemId of used) await shop().done("item/delete", { itemId });
    const restricted = await shop().refused("shape/delete", { identifier: "document" });
    expect(restricted.message).toContain('is used by the flow "review"; ');
    await shop().done("flow/update", { identifier: "review", restrictions: null });
    expect(await shop().done("shape/delete", { identifier: "document" })).toEqual({
      action: "deleted",
      output: { identifier: "document" },
    });
    expect(await shop().get(shapes, "document")).toBeUndefined();
  });

  test("a piece is kept while shapes or pieces use it", async () => {
    await shop().done("piece/create", { identifier: "size", name: "Size" });
    const components = [
      { id: "size", name: "Size", type: "piece", config: { piece: { identifier: "size" } } },
    ];
    await shop().done("piece/create", { identifier: "box", name: "Box", components });
    const variantComponents = [
      ...[{ id: "rows", name: "Rows", type: "contentChunk", config: { contentChunk: { components } } }],
    ];
    const shape = { identifier: "cup", name: "Cup", type: "product", variantComponents };
    await shop().done("shape/create", shape);
    const refusal = await shop().refused("piece/delete", { identifier: "size" });
    expect(refusal).toMatchObject({
      name: "PieceInUseError",
      statusCode: 409,
      message:
        'The piece "size" is used by the piece "box" and the shape "cup"; take it out of their components first',
    });
    const results = await shop().batch([
      ["shape/delete", { identifier: "cup" }],
      ["piece/delete", { identifier: "size" }],
      ["piece/delete", { identifier: "box" }],
      ["piece/delete", { identifier: "size" }],
      ["piece/update", { identifier: "size", name: "Size" }],
    ]);
    expect(results).toMatchObject([
      { action: "deleted" },
      { name: "PieceInUseError" },
      { action: "deleted" },
      { action: "deleted" },
      { name: "PieceNotFoundError", message: 'There is no piece "size". There are none.' },
    ]);
    expect([...(await shop().all(shapes)), ...(await shop().all(pieces))]).toEqual([]);
  });

  test("a customer is kept while contracts, customers, groups or price lists name it", async () => {
    await prepare(shop());
    const parents = [{ type: "customer", identifier: "ada" }];
    await shop().done("subscription-contract/upsert", contract({ id }));
    await shop().done("customer/create", { identifier: "bob", parents });
    await shop().done("customer/group/create", { identifier: "club", parents });
    const targetAudience = { type: "SOME", customerIdentifiers: ["ada"] };
    await shop().done("pricelist/create", list({ targetAudience }));
    const refusal = await shop().refused("customer/delete", { identifier: "ada" });
    expect(refusal).toMatchObject({
      name: "CustomerInUseError",
      statusCode: 409,
      message:
        `The customer "ada" is used by the subscription contract ${id}, the customer "bob", ` +
        'the customer group "club" and the price list "spring"; ' +
        "delete these, or take the customer out of them, first",
      errors: [{ path: ["identifier"] }],
    });
    expect(await shop().get(customers, "ada")).toBeDefined();
  });

  test("a customer group is kept while customers, groups or price lists name it, and the error names five of them", async () => {
    await shop().done("customer/group/create", { identifier: "club" });
    const parents = [{ type: "customerGroup", identifier: "club" }];
    for (let n = 1; n <= 6; n++) await shop().done("customer/create", { identifier: `c${n}`, parents });
    const refusal = await shop().refused("customer/group/delete", { identifier: "club" });
    expect(refusal).toMatchObject({ name: "CustomerGroupInUseError", statusCode: 409 });
    expect(refusal.message).toMatch(/is used by (the customer "c\d", ){4}the customer "c\d" and others; /);
    for (let n = 1; n <= 6; n++) await shop().done("customer/update", { identifier: `c${n}`, parents: [] });
    const targetAudience = { type: "SOME", customerGroupIdentifiers: ["club"] };
    await shop().done("pricelist/create", list({ targetAudience }));
    const named = await shop().refused("customer/group/delete", { identifier: "club" });
    expect(named.message).toContain('is used by the price list "spring"; ');
    await shop().done("pricelist/delete", { identifier: "spring" });
    await shop().done("customer/group/delete", { identifier: "club" });
    expect(await shop().all(customerGroups)).toEqual([]);
  });

  test("a customer with the identifier of a group in use can be deleted, and vice versa", async () => {
    for (const [type, kind] of [
      ["customer", "customer/group"],
      ["customerGroup", "customer"],
    ] as const) {
      await shop().done("customer/create", { identifier: type });
      await shop().done("customer/group/create", { identifier: type });
      const parents = [{ type, identifier: type }];
      await shop().done("customer/create", { identifier: `child of ${type}`, parents });
      const deleted = await shop().done(`${kind}/delete`, { identifier: type });
      expect(deleted).toEqual({ action: "deleted", output: { identifier: type } });
    }
  });

  test("a customer goes, and its orders keep their copies", async () => {
    await shop().done("customer/create", { identifier: "ada", firstName: "Ada" });
    await shop().done("order/upsert", { id, ...order });
    await shop().done("customer/delete", { identifier: "ada" });
    expect(await shop().all(customers)).toEqual([]);
    expect((await shop().get(orders, id))?.customer).toMatchObject({ firstName: "Ada" });
  });

  test("a family of customers is deleted by one batch, the lowest first", async () => {
    await shop().done("customer/create", { identifier: "top" });
    await shop().done("customer/create", {
      ...{ identifier: "leaf", parents: [{ type: "customer", identifier: "top" }] },
    });
    const deletions = ["top", "leaf", "top"].map(
      (identifier) => ["customer/delete", { identifier }] as const,
    );
    const results = await shop().batch(deletions.map(([intent, payload]) => [intent, payload]));
    expect(results).toMatchObject([
      { name: "CustomerInUseError" },
      { action: "deleted" },
      { action: "deleted" },
    ]);
    expect(await shop().all(customers)).toEqual([]);
  });

  test("an order is deleted by its id or resource identifier, which must not be those of two orders", async () => {
    await shop().done("order/upsert", { id, resourceIdentifier: "one", ...order });
    await shop().done("order/upsert", { id: other, ...order, relatedOrderIds: [id] });
    const refusal = await shop().refused("order/delete", { id: other, resourceIdentifier: "one" });
    expect(refusal).toMatchObject({ name: "ConflictError", errors: [{ path: ["resourceIdentifier"] }] });
    expect(refusal.message).toBe(
      `id and resourceIdentifier mean different orders: the resource identifier of ${other} is none, ` +
        'not "one"; give one of them',
    );
    expect(await shop().done("order/delete", { resourceIdentifier: "one" })).toEqual({
      action: "deleted",
      output: { id },
    });
    expect(await shop().all(orders)).toMatchObject([{ id: other, relatedOrderIds: [id] }]);
    await shop().done("order/delete", { id: other });
    expect(await shop().all(orders)).toEqual([]);
  });

  test("a contract goes with its usage, by its id or resource identifier", async () => {
    await prepare(shop());
    await shop().done("subscription-contract/upsert", contract({ id, resourceIdentifier: "one" }));
    await shop().done("subscription-contract/upsert", contract({ id: other }));
    for (const contractId of [id, other]) await addUsages(contractId, 3);
    const both = await shop().refused("subscription-contract/delete", {
      id: other,
      resourceIdentifier: "one",
    });
    expect(both).toMatchObject({ name: "ConflictError", errors: [{ path: ["resourceIdentifier"] }] });
    const deleted = await shop().done("subscription-contract/delete", { resourceIdentifier: "one" });
    expect(deleted).toEqual({ action: "deleted", output: { id } });
    expect(await shop().all(subscriptionContracts)).toMatchObject([{ id: other }]);
    const usages = await shop().all(subscriptionContractUsages);
    expect(usages.map(({ contractId }) => contractId)).toEqual([other, other, other]);
  });

  test("a contract with more than 10,000 usages is kept", async () => {
    await prepare(shop());
    await shop().done("subscription-contract/upsert", contract({ id }));
    await addUsages(id, 10_001);
    const refusal = await shop().refused("subscription-contract/delete", { id });
    expect(refusal).toMatchObject({ name: "ConflictError", statusCode: 409 });
    expect(refusal.message).toContain("has more than 10000 usages");
    expect(await shop().get(subscriptionContracts, id)).toBeDefined();
  });

  test("a price list goes with its selection", async () => {
    await furnish(shop());
    await shop().done("pricelist/create", list(some("chair", "sofa")));
    await shop().done("pricelist/create", list({ identifier: "autumn", ...some("chair") }));
    const deleted = await shop().done("pricelist/delete", { identifier: "spring" });
    expect(deleted).toEqual({ action: "deleted", output: { identifier: "spring" } });
    expect(await shop().all(priceLists)).toMatchObject([{ identifier: "autumn" }]);
    expect(await shop().all(priceListVariants)).toMatchObject([{ priceListIdentifier: "autumn" }]);
  });

  test("a price list is created and deleted within a batch", async () => {
    await furnish(shop());
    const results = await shop().batch([
      ["pricelist/create", list(some("chair"))],
      ["pricelist/delete", { identifier: "spring" }],
    ]);
    expect(results).toMatchObject([{ action: "created" }, { action: "deleted" }]);
    expect(await shop().all(priceListVariants)).toEqual([]);
  });

  test("a flow goes with its stages once it has no items", async () => {
    await prepareItems(shop());
    const item = await create(shop(), "document");
    const stages = ["todo", "done"].map((identifier) => ({ identifier, name: identifier }));
    await shop().done("flow/create", { identifier: "review", name: "Review", type: "item", stages });
    const added = { stageIdentifier: "done", items: [{ id: item }] };
    await shop().done("item/flow/stage/addItems", added);
    const refusal = await shop().refused("flow/delete", { identifier: "review" });
    expect(refusal).toMatchObject({
      name: "FlowInUseError",
      statusCode: 409,
      message: 'The flow "review" has 1 item; move them to another flow first',
    });
    expect(await shop().all(flowItems)).toHaveLength(1);
    await shop().done("item/delete", { itemId: item });
    await shop().done("flow/delete", { identifier: "review" });
    expect(await shop().all(flows)).toEqual([]);
    expect(await shop().all(flowStages)).toEqual([]);
  });
});
