import { beforeEach, describe, expect, test } from "vitest";
import { orders } from "../../../src/storage/collections/orders.ts";
import { describeOnEngines } from "../../support/commands.ts";

describeOnEngines("an order", (shop) => {
  test("updating a missing order is refused, and the error names the requested one", async () => {
    const byId = await shop().refused("order/update", { id, meta: [] });
    expect(byId).toMatchObject({ name: "OrderNotFoundError", statusCode: 404, errors: [{ path: ["id"] }] });
    expect(byId.message).toContain(id);
    const byName = await shop().refused("order/update", { resourceIdentifier: "erp-1" });
    expect(byName).toMatchObject({ name: "OrderNotFoundError", errors: [{ path: ["resourceIdentifier"] }] });
    expect(byName.message).toContain('"erp-1"');
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

  describe("breaks no limit", () => {
    const withLine = (more: object) => ({ cart: [line, { ...line, ...more }] });
    const withPrice = (more: object) => withLine({ price: { ...price, ...more } });
    const promotion = { identifier: "p", name: "P", mechanism: { type: "fixed", value: 1 } };
    const refusals: [field: string, more: object, message: RegExp][] = [
      ["cart", { cart: many(501, () => line) }, /501.*500/],
      ["appliedPromotions", { appliedPromotions: many(101, () => promotion) }, /101.*100/],
      ["relatedOrderIds", { relatedOrderIds: many(51, () => id) }, /51.*50/],
      ["additionalInformation", { additionalInformation: "x".repeat(10_241) }, /10241.*10240/],
      ["resourceIdentifier", { resourceIdentifier: "x".repeat(513) }, /513.*512/],
      ["customer.identifier", { customer: { identifier: "x".repeat(513) } }, /513.*512/],
      ["cart.1.quantity", withLine({ quantity: 1_000_000.5 }), /1000000\.5.*1000000/],
      ["cart.1.price.currency", withPrice({ currency: "x".repeat(11) }), /11.*10/],
      ["cart.1.price.tax.percent", withPrice({ tax: { percent: 1_001 } }), /1001.*1000/],
      [
        "cart.1.price.discounts.1.percent",
        withPrice({ discounts: [{ percent: 5 }, { percent: -1_001 }] }),
        /-1001.*-1000/,
      ],
      [
        "cart.1.price.taxBreakdown.0.tax.percent",
        withPrice({ taxBreakdown: [{ tax: { percent: 2_000 } }] }),
        /2000.*1000/,
      ],
      ["cart.1.subTotal.currency", withLine({ subTotal: { currency: "x".repeat(11) } }), /11.*10/],
      ["total.tax.percent", { total: { ...price, tax: { percent: 1_000.1 } } }, /1000\.1.*1000/],
      ["createdAt", { createdAt: "+012026-01-01T00:00:00Z" }, /12026.*9999/],
      ["createdAt", { createdAt: "0000-01-01T00:00:00Z" }, /year 0/],
    ];

    test.each(refusals)("an order is refused when its %s exceeds the limit", async (field, more, message) => {
      for (const intent of writes) {
        const refusal = await shop().refused(intent, order(more));
        expect(refusal).toMatchObject({ name: "ValidationError", message: expect.stringMatching(message) });
        expect(refusal.errors.map(({ path }) => path.join("."))).toEqual([field]);
      }
      expect(await shop().all(orders)).toEqual([]);
    });

    test.each(refusals.filter(([field]) => field !== "createdAt"))(
      "an update of an order is refused when its %s exceeds the limit",
      async (_, more, message) => {
        await shop().done("order/upsert", order({ id }));
        const refusal = await shop().refused("order/update", { id, ...more });
        expect(refusal).toMatchObject({ name: "ValidationError", message: expect.stringMatching(message) });
      },
    );

    test("an order that reaches each of its limits is accepted", async () => {
      const most = {
        ...price,
        currency: "x".repeat(10),
        tax: { percent: 1_000 },
        discounts: [{ percent: -1_000 }],
      };
      const full = order({
        cart: many(500, () => ({ ...line, quantity: 1_000_000, price: most })),
        appliedPromotions: many(100, () => promotion),
        relatedOrderIds: many(50, () => id),
        additionalInformation: "x".repeat(10_240),
        resourceIdentifier: "€".repeat(512),
      });
      expect((await shop().done("order/register", full)).action).toBe("created");
    });

    test("the error names every limit that an order exceeds", async () => {
      const refusal = await shop().refused(
        "order/register",
        order({
          cart: [
            { ...line, quantity: 2e6 },
            { ...line, quantity: 3e6 },
          ],
        }),
      );
      expect(refusal.errors.map(({ path }) => path)).toEqual([
        ["cart", 0, "quantity"],
        ["cart", 1, "quantity"],
      ]);
    });
  });
});

const id = "0123456789abcdef01234567";
const price = { currency: "EUR", gross: 12.5, net: 10, tax: { name: "VAT", percent: 25 } };
const line = { name: "Chair", sku: "chair", quantity: 2, price };
const order = (more: object = {}) => ({ customer: { identifier: "ada" }, cart: [line], ...more });
const writes = ["order/register", "order/upsert"] as const;

describeOnEngines("an update of an order", (shop) => {
  const full = {
    ...order({ id, resourceIdentifier: "erp-1" }),
    total: price,
    payment: [{ provider: "cash", cash: { cash: "12" } }],
    meta: [{ key: "a", value: "b" }],
    additionalInformation: "Ring twice",
    appliedPromotions: [{ identifier: "p", name: "P", mechanism: { type: "fixed", value: 1 } }],
    paymentStatus: "paid",
    relatedOrderIds: ["0123456789abcdef01234568"],
    type: "standard",
    stockLocationIdentifier: "default",
  };
  const upsert = { ...full, createdAt: "2020-05-01" };
  beforeEach(() => shop().done("order/upsert", upsert));

  test("an update of an order that changes nothing writes nothing", async () => {
    const before = await shop().get(orders, id);
    expect(await shop().done("order/upsert", upsert)).toEqual({ action: "unchanged", output: { id } });
    expect(shop().statements).toMatchObject({ execute: 0, flush: 0 });
    expect(await shop().done("order/update", full)).toEqual({ action: "unchanged", output: { id } });
    expect(shop().statements).toMatchObject({ execute: 0, flush: 0 });
    expect(await shop().get(orders, id)).toEqual(before);
  });

  test("an update of an order keeps what is not sent", async () => {
    const before = await shop().get(orders, id);
    expect((await shop().done("order/update", { id, paymentStatus: "refunded" })).action).toBe("updated");
    const after = await shop().get(orders, id);
    expect(after).toEqual({ ...before, paymentStatus: "refunded", updatedAt: after?.updatedAt });
  });

  test("an update of an order clears what is null", async () => {
    const lists = { payment: [], meta: [], appliedPromotions: [], relatedOrderIds: [] };
    const values = {
      ...{ total: null, additionalInformation: null, paymentStatus: null, type: null },
      stockLocationIdentifier: null,
    };
    const nothing = Object.fromEntries(Object.keys({ ...lists, ...values }).map((field) => [field, null]));
    await shop().done("order/update", { id, ...nothing });
    expect(await shop().get(orders, id)).toMatchObject({ ...lists, ...values, cart: [line] });
  });

  test("an update of an order replaces the cart and the customer", async () => {
    const cart = [{ name: "Sofa", quantity: 1 }];
    await shop().done("order/update", { id, cart, customer: { identifier: "eve" } });
    expect(await shop().get(orders, id)).toMatchObject({
      ...{ cart, customer: { identifier: "eve" }, customerIdentifier: "eve" },
    });
  });

  test("an upsert may set when an order was made", async () => {
    expect((await shop().done("order/upsert", order({ id }))).action).toBe("unchanged");
    expect((await shop().done("order/upsert", order({ id, createdAt: "2021-05-01" }))).action).toBe(
      "updated",
    );
    expect((await shop().get(orders, id))?.createdAt).toBe("2021-05-01T00:00:00.000Z");
  });
});

const many = (count: number, make: (i: number) => unknown) =>
  Array.from({ length: count }, (_, i) => make(i));
