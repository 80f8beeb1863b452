import { beforeEach, expect, test } from "vitest";
import { orders } from "../../../src/storage/collections/orders.ts";
import { describeOnEngines } from "../../support/commands.ts";
import { id, line, order, price } from "./support.ts";

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
