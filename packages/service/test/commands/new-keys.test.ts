import type { Intent } from "@lading/schema";
import { expect, test } from "vitest";
import { customers } from "../../src/storage/collections/customers.ts";
import { describeOnEngines, type WrittenPayload } from "../support/commands.ts";
import { newItem, prepare } from "./item/support.ts";
import { list } from "./pricelist/support.ts";

const padded = " pad ";
const cart = [{ name: "Tea", quantity: 1 }];
const stages = (identifier: string) => [{ identifier, name: "Stage" }];
const flow = { identifier: "line", name: "Line", type: "item", stages: [] };

const plan = (variable: string) => ({
  ...{ identifier: "plan", name: "Plan" },
  periods: [{ name: "Monthly", recurring: { period: 1, unit: "month" } }],
  meteredVariables: [{ identifier: variable, name: "Calls", unit: "call" }],
});

describeOnEngines("a key that is blank or has white space around it", (shop) => {
  test("is refused where a row would get it, whatever it is a key of", async () => {
    await prepare(shop());
    const item = (more: WrittenPayload) => newItem(shop(), "product", more);
    const refusals: [Intent, WrittenPayload, place: string][] = [
      ["customer/create", { identifier: "  " }, "identifier"],
      ["customer/upsert", { identifier: padded }, "identifier"],
      ["customer/group/upsert", { identifier: padded }, "identifier"],
      ["topic/create", { language: "en", name: "T", resourceIdentifier: " " }, "resourceIdentifier"],
      ["product/create", item({ resourceIdentifier: padded }), "resourceIdentifier"],
      ["product/create", item({ externalReference: padded }), "externalReference"],
      [
        "product/create",
        item({ variants: [{ sku: "a", name: "A", externalReference: padded }] }),
        "variants[0].externalReference",
      ],
      ["order/register", { cart, customer: { identifier: "" } }, "customer.identifier"],
      [
        "order/register",
        { cart, customer: { identifier: "a" }, resourceIdentifier: " " },
        "resourceIdentifier",
      ],
      ["pricelist/create", list({ identifier: padded }), "identifier"],
      ["flow/create", { ...flow, identifier: padded }, "identifier"],
      ["flow/create", { ...flow, stages: stages(padded) }, "stages[0].identifier"],
      ["shape/create", { identifier: padded, name: "S", type: "folder" }, "identifier"],
      ["piece/create", { identifier: "  ", name: "P" }, "identifier"],
      ["market/upsert", { identifier: padded, name: "M" }, "identifier"],
      ["subscriptionPlan/upsert", plan(padded), "meteredVariables[0].identifier"],
    ];
    for (const [intent, payload, place] of refusals) {
      const { name, message } = await shop().refused(intent, payload);
      expect([intent, name, message]).toEqual([
        ...[intent, "ValidationError", expect.stringMatching(/^\S+ (must not be|has white space around it)/)],
      ]);
      expect(message.split(" ")[0]).toBe(place);
    }
  });

  test("stays where it is stored: it is found, changed, named and deleted", async () => {
    await shop().done("customer/create", { identifier: "pad" });
    await shop().done("order/register", { cart, customer: { identifier: "x" }, resourceIdentifier: "order" });
    await shop().done("subscriptionPlan/upsert", plan("calls"));
    for (const sql of [
      "UPDATE settings SET value = replace(value::text, 'calls', ' calls ')::json WHERE tenant_id = $1",
      "UPDATE customers SET identifier = ' pad ' WHERE tenant_id = $1",
      "UPDATE orders SET resource_identifier = ' ', customer_identifier = '' WHERE tenant_id = $1",
    ])
      await shop().database.execute(sql, [shop().tenant.id]);
    expect(await shop().done("subscriptionPlan/upsert", plan(" calls "))).toMatchObject({
      action: "unchanged",
    });
    const named = { identifier: padded, firstName: "Pat" };
    expect(await shop().done("customer/upsert", named)).toMatchObject({ action: "updated" });
    expect(await shop().done("customer/update", named)).toMatchObject({ action: "unchanged" });
    const ordered = { cart, customer: { identifier: padded } };
    expect(await shop().done("order/register", ordered)).toMatchObject({ action: "created" });
    const again = { resourceIdentifier: " ", customer: { identifier: "", firstName: "Nobody" } };
    expect(await shop().done("order/update", again)).toMatchObject({ action: "updated" });
    expect(await shop().done("customer/delete", { identifier: padded })).toMatchObject({ action: "deleted" });
    expect(await shop().get(customers, padded)).toBeUndefined();
  });

  test("an order without anything in its cart is taken", async () => {
    const order = { cart: [], customer: { identifier: "a" } };
    expect(await shop().done("order/register", order)).toMatchObject({ action: "created" });
  });
});
