import { Readable } from "node:stream";
import type { Intent } from "@lading/schema";
import { expect, test } from "vitest";
import { png } from "../../../../test/support/images/samples.ts";
import { customers } from "../../src/storage/collections/customers.ts";
import { newUploadKey } from "../../src/uploads/keys.ts";
import { describeOnEngines, type Shop, type WrittenPayload } from "../support/commands.ts";
import { create, newItem, newTopic, prepare } from "./item/support.ts";
import { list } from "./pricelist/support.ts";
import { contract, prepare as prepareContracts } from "./subscription-contract/support.ts";

const padded = " pad ";
const cart = [{ name: "Tea", quantity: 1 }];
const stages = (identifier: string) => [{ identifier, name: "Stage" }];
const flow = { identifier: "line", name: "Line", type: "item", stages: [] };

const plan = (variable: string) => ({
  ...{ identifier: "plan", name: "Plan" },
  periods: [{ name: "Monthly", recurring: { period: 1, unit: "month" } }],
  meteredVariables: [{ identifier: variable, name: "Calls", unit: "call" }],
});
const ofOrder = { cart, customer: { identifier: "a" } };

type Payload = WrittenPayload | ((shop: Shop) => WrittenPayload | Promise<WrittenPayload>);

/** Payloads that would give a row such a key, and the path of the key. */
const refusals: [Intent, place: string, Payload][] = [
  ["customer/create", "identifier", { identifier: "  " }],
  ["customer/upsert", "identifier", { identifier: padded }],
  ["customer/group/upsert", "identifier", { identifier: padded }],
  ["topic/create", "resourceIdentifier", { language: "en", name: "T", resourceIdentifier: " " }],
  [
    "topic/update",
    "resourceIdentifier",
    async (shop) => ({ topicId: await newTopic(shop), language: "en", resourceIdentifier: padded }),
  ],
  [
    "product/create",
    "resourceIdentifier",
    (shop) => newItem(shop, "product", { resourceIdentifier: padded }),
  ],
  ["product/create", "externalReference", (shop) => newItem(shop, "product", { externalReference: padded })],
  [
    "document/update",
    "externalReference",
    async (shop) => ({ itemId: await create(shop, "document"), language: "en", externalReference: padded }),
  ],
  [
    "product/create",
    "variants[0].externalReference",
    (shop) => newItem(shop, "product", { variants: [{ sku: "a", name: "A", externalReference: padded }] }),
  ],
  [
    "product/create",
    "variants[0].sku",
    (shop) => newItem(shop, "product", { variants: [{ sku: padded, name: "A" }] }),
  ],
  [
    "product/variant/update",
    "externalReference",
    async (shop) => {
      await create(shop, "product", { variants: [{ sku: "v", name: "V" }] });
      return { sku: "v", language: "en", externalReference: padded };
    },
  ],
  ["order/register", "customer.identifier", { cart, customer: { identifier: "" } }],
  ["order/register", "resourceIdentifier", { ...ofOrder, resourceIdentifier: " " }],
  ["pricelist/create", "identifier", list({ identifier: padded })],
  ["flow/create", "identifier", { ...flow, identifier: padded }],
  ["flow/create", "stages[0].identifier", { ...flow, stages: stages(padded) }],
  ["shape/create", "identifier", { identifier: padded, name: "S", type: "folder" }],
  ["piece/create", "identifier", { identifier: "  ", name: "P" }],
  ["market/upsert", "identifier", { identifier: padded, name: "M" }],
  ["subscriptionPlan/upsert", "meteredVariables[0].identifier", plan(padded)],
  [
    "subscription-contract/create",
    "resourceIdentifier",
    async (shop) => {
      await prepareContracts(shop);
      return contract({ resourceIdentifier: padded });
    },
  ],
  [
    "subscription-contract/update",
    "resourceIdentifier",
    async (shop) => {
      await prepareContracts(shop);
      const { output } = await shop.done("subscription-contract/create", contract());
      return { id: output.id, resourceIdentifier: padded };
    },
  ],
  [
    "image/register",
    "resourceIdentifier",
    async ({ tenant, store }) => {
      const key = newUploadKey(tenant.id, "file.png", "MEDIA");
      await store.put(key, Readable.from([png(1, 1)]), { maxBytes: 1e6 });
      return { key, resourceIdentifier: padded };
    },
  ],
];

describeOnEngines("a key that is blank or has white space around it", (shop) => {
  test.each(refusals)(
    "is refused where %s would give it to a row, at %s",
    async (intent, location, payload) => {
      await prepare(shop());
      const given = typeof payload === "function" ? await payload(shop()) : payload;
      const { name, message } = await shop().refused(intent, given);
      expect(name).toBe("ValidationError");
      expect(message).toMatch(/^\S+ (must not be|has white space around it)/);
      expect(message.split(" ")[0]).toBe(location);
    },
  );

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
