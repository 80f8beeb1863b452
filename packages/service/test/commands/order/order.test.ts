import { describe, expect, test } from "vitest";
import { orders } from "../../../src/storage/collections/orders.ts";
import { describeOnEngines } from "../../support/commands.ts";
import { id, line, order, writes } from "./support.ts";

describeOnEngines("an order", (shop) => {
  test("updating a missing order is refused, and the error names the requested one", async () => {
    const byId = await shop().refused("order/update", { id, meta: [] });
    expect(byId).toMatchObject({ name: "OrderNotFoundError", statusCode: 404, errors: [{ path: ["id"] }] });
    expect(byId.message).toContain(id);
    const byName = await shop().refused("order/update", { resourceIdentifier: "erp-1" });
    expect(byName).toMatchObject({ name: "OrderNotFoundError", errors: [{ path: ["resourceIdentifier"] }] });
    expect(byName.message).toContain('"erp-1"');
  });

  test("an order of another tenant does not exist", async () => {
    await shop().done("order/upsert", order({ id, resourceIdentifier: "erp-1" }));
    const other = await shop().neighbour();
    for (const identity of [{ id }, { resourceIdentifier: "erp-1" }])
      expect(await other.refused("order/update", identity)).toMatchObject({ name: "OrderNotFoundError" });
    const result = await other.done("order/upsert", order({ id, resourceIdentifier: "erp-1" }));
    expect(result.action).toBe("created");
  });

  describe("and its customer", () => {
    const ada = {
      ...{ identifier: "ada", firstName: "Ada", lastName: "Lovelace", email: "ada@example.com" },
      addresses: [{ type: "delivery", city: "London" }],
    };
    const brief = { identifier: "ada", type: "organization" };
    const customerOf = async () => (await shop().all(orders))[0]?.customer;

    test.each(["order/upsert", "order/update"] as const)(
      "%s keeps what is not sent of an order's customer; null clears, a list replaces",
      async (intent) => {
        const given = { ...ada, phone: "1" };
        await shop().done("order/upsert", order({ id, customer: given }));
        const update = (customer: object) => shop().done(intent, order({ id, customer }));
        expect((await update(brief)).action).toBe("updated");
        expect(await customerOf()).toEqual({ ...given, ...brief });
        expect((await update(brief)).action).toBe("unchanged");
        const changes = { lastName: null, addresses: [{ type: "billing", city: "Paris" }] };
        await update({ identifier: "ada", ...changes });
        const { lastName: _, ...kept } = { ...given, ...brief, ...changes };
        expect(await customerOf()).toEqual(kept);
      },
    );

    test.each(writes)("%s fills the customer of an order from the tenant's customer", async (intent) => {
      await (await shop().neighbour()).done("customer/create", { ...ada, companyName: "Another" });
      await shop().done("customer/create", { ...ada, externalReferences: [{ key: "erp", value: "1" }] });
      await shop().done(intent, order({ customer: { ...brief, firstName: null, lastName: "King" } }));
      expect(shop().statements.execute).toBe(0);
      const { firstName: _, ...others } = ada;
      expect(await customerOf()).toEqual({
        ...{ ...others, ...brief, lastName: "King" },
        externalReferences: [{ key: "erp", value: "1" }],
      });
    });

    test("a change to another customer keeps nothing of the one before", async () => {
      await shop().done("customer/create", { identifier: "eve", firstName: "Eve" });
      await shop().done("order/upsert", order({ id, customer: ada }));
      await shop().done("order/update", { id, customer: { identifier: "eve", phone: "2" } });
      expect(shop().statements.execute).toBe(0);
      expect(await customerOf()).toEqual({
        ...{ identifier: "eve", type: "individual", firstName: "Eve", phone: "2" },
      });
      await shop().done("order/update", { id, customer: { identifier: "unknown" } });
      expect(await customerOf()).toEqual({ identifier: "unknown" });
    });
  });

  test("an order is refused with a stock location that the tenant lacks", async () => {
    const refusal = await shop().refused("order/register", order({ stockLocationIdentifier: "moon" }));
    expect(refusal).toMatchObject({
      name: "SettingNotFoundError",
      errors: [{ path: ["stockLocationIdentifier"] }],
    });
    expect(refusal.message).toMatch(/"moon".*"default"/);
  });

  test("an order cannot take the resource identifier of another", async () => {
    await shop().done("order/upsert", order({ id, resourceIdentifier: "erp-1" }));
    const fresh = "0123456789abcdef01234568";
    for (const [intent, identity] of [
      ["order/register", {}],
      ["order/upsert", { id: fresh }],
    ] as const) {
      const refusal = await shop().refused(intent, order({ ...identity, resourceIdentifier: "erp-1" }));
      expect(refusal).toMatchObject({
        ...{ name: "ResourceIdentifierTakenError", statusCode: 409 },
        errors: [{ path: ["resourceIdentifier"] }],
      });
      expect(refusal.message).toContain(id);
    }
    await shop().done("order/upsert", order({ id: fresh }));
    const refusal = await shop().refused("order/update", { id: fresh, resourceIdentifier: "erp-1" });
    expect(refusal).toMatchObject({ name: "ResourceIdentifierTakenError" });
  });

  test("an order needs neither its customer nor its products nor its related orders to exist", async () => {
    const cart = [{ ...line, productId: id, subscriptionContractId: id }];
    const result = await shop().done("order/register", order({ cart, relatedOrderIds: [id] }));
    expect(result.action).toBe("created");
  });

  test("an order is registered with its own id and the operation's time", async () => {
    const { output } = await shop().done("order/register", order());
    const [row] = await shop().all(orders);
    expect(output).toEqual({ id: row?.id, createdAt: row?.createdAt });
    expect(row).toMatchObject({
      customerIdentifier: "ada",
      cart: [line],
      total: null,
      type: null,
      payment: [],
    });
  });

  test("an order is registered with the time that is sent, whatever its zone", async () => {
    const { output } = await shop().done("order/register", order({ createdAt: "2020-05-01T12:00:00+02:00" }));
    expect(output.createdAt).toBe("2020-05-01T10:00:00.000Z");
    expect((await shop().get(orders, output.id as string))?.createdAt).toBe("2020-05-01T10:00:00.000Z");
  });

  test("every upsert that names no order registers a new one", async () => {
    await shop().done("order/upsert", order());
    expect((await shop().done("order/upsert", order())).action).toBe("created");
    expect(await shop().all(orders)).toHaveLength(2);
  });

  test("an order is registered with the id that an upsert gives", async () => {
    const { action, output } = await shop().done("order/upsert", order({ id }));
    expect([action, output.id]).toEqual(["created", id]);
    expect((await shop().get(orders, id))?.cart).toEqual([line]);
  });

  test("an order is found by its resource identifier", async () => {
    const { output } = await shop().done("order/upsert", order({ resourceIdentifier: "erp-1" }));
    const again = order({ resourceIdentifier: "erp-1", type: "quote" });
    expect(await shop().done("order/upsert", again)).toEqual({
      action: "updated",
      output: { id: output.id },
    });
    const update = { resourceIdentifier: "erp-1", type: "draft" };
    expect(await shop().done("order/update", update)).toEqual({
      action: "updated",
      output: { id: output.id },
    });
    expect((await shop().get(orders, output.id as string))?.type).toBe("draft");
  });

  test("an update that names an order by id gives it a resource identifier", async () => {
    await shop().done("order/upsert", order({ id, resourceIdentifier: "erp-1" }));
    await shop().done("order/update", { id, resourceIdentifier: "erp-2" });
    expect((await shop().get(orders, id))?.resourceIdentifier).toBe("erp-2");
    expect(await shop().refused("order/update", { resourceIdentifier: "erp-1" })).toMatchObject({
      name: "OrderNotFoundError",
    });
    const result = await shop().done("order/register", order({ resourceIdentifier: "erp-1" }));
    expect(result.action).toBe("created");
  });

  test("two orders can swap their resource identifiers in one batch", async () => {
    const other = "0123456789abcdef01234568";
    await shop().done("order/upsert", order({ id, resourceIdentifier: "a" }));
    await shop().done("order/upsert", order({ id: other, resourceIdentifier: "b" }));
    await shop().batch([
      ["order/update", { id, resourceIdentifier: "c" }],
      ["order/update", { id: other, resourceIdentifier: "a" }],
      ["order/update", { id, resourceIdentifier: "b" }],
    ]);
    expect((await shop().get(orders, id))?.resourceIdentifier).toBe("b");
    expect((await shop().get(orders, other))?.resourceIdentifier).toBe("a");
  });
});
