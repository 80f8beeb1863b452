import { parsePayload } from "@lading/schema";
import { expect, test } from "vitest";
import { executeCommand } from "../../src/commands/execute.ts";
import { Rejection } from "../../src/errors.ts";
import { customers } from "../../src/storage/collections/customers.ts";
import { orders } from "../../src/storage/collections/orders.ts";
import { pieces } from "../../src/storage/collections/pieces.ts";
import { operator } from "../../src/tenants/audit.ts";
import {
  describeOnEngines,
  executeMany,
  expectFewStatements,
  type Operations,
  outcomesOf,
  type Shop,
  type WrittenOperation,
  type WrittenPayload,
} from "../support/commands.ts";

const group = { identifier: "north", type: "customerGroup" };
const customer =
  (more: object): Operations =>
  (i) => [["customer/upsert", { identifier: `customer-${i}`, parents: [group], ...more }]];
const cart = [{ name: "Chair", quantity: 1 }];
const order = (more: object) => ({ customer: { identifier: "ada" }, cart, ...more });
const named: Operations = (i) => [["order/upsert", order({ resourceIdentifier: `order-${i}` })]];

/** Executes the same payloads concurrently, each in its own transaction. */
async function sideBySide(
  shop: Shop,
  intent: "customer/upsert" | "customer/create" | "customer/group/update",
  payloads: WrittenPayload[],
) {
  return Promise.all(
    payloads.map((written) => {
      const parsed = parsePayload(intent, written);
      if ("errors" in parsed) throw new Error(JSON.stringify(parsed.errors));
      return executeCommand(shop, { tenant: shop.tenant, actor: operator }, intent, parsed.payload);
    }),
  );
}

describeOnEngines("a batch of customers and orders", (shop) => {
  test.each<[what: string, prepare: Operations | undefined, operations: Operations]>([
    ["creating customers by customer/upsert", undefined, customer({ firstName: "Ada" })],
    ["updating them", customer({}), customer({ firstName: "Eve" })],
    ["upserting them as they are", customer({}), customer({})],
    ["registering orders", undefined, () => [["order/register", order({})]]],
    ["registering them by resource identifier", undefined, named],
    ["updating them", named, (i) => [["order/update", { resourceIdentifier: `order-${i}`, type: "draft" }]]],
    [
      "customers with groups and orders of the same batch",
      undefined,
      (i) => [
        ["customer/group/upsert", { identifier: `group-${i}` }],
        [
          "customer/upsert",
          { identifier: `c-${i}`, parents: [{ identifier: `group-${i}`, type: "customerGroup" }] },
        ],
        ["order/register", order({ customer: { identifier: `c-${i}` } })],
      ],
    ],
  ])("200 operations need as many statements as ten: %s", async (_, prepare, operations) => {
    await shop().done("customer/group/create", { identifier: "north" });
    if (prepare !== undefined) await executeMany(shop(), prepare, 0, 210);
    await expectFewStatements(shop(), operations);
  });

  test("only the failed operation is rolled back, and the next may use the key it did not get", async () => {
    const outcomes = await shop().batch([
      ["customer/create", { identifier: "ada" }],
      ["customer/create", { identifier: "ada", firstName: "Eve" }],
      ["order/register", order({ resourceIdentifier: "erp-1", stockLocationIdentifier: "moon" })],
      ["order/register", order({ resourceIdentifier: "erp-1" })],
      ["order/register", order({ resourceIdentifier: "erp-1" })],
      ["customer/upsert", { identifier: "ada", lastName: "Lovelace" }],
    ]);
    expect(outcomesOf(outcomes)).toBe(
      "created CustomerIdentifierTakenError SettingNotFoundError created ResourceIdentifierTakenError updated",
    );
    expect(await shop().get(customers, "ada")).toMatchObject({ firstName: null, lastName: "Lovelace" });
    expect(await shop().all(orders)).toHaveLength(1);
  });
});

describeOnEngines("several concurrent writers", (shop) => {
  test("writers of one customer create it once, and update it without losing anything", async () => {
    const fields = ["firstName", "lastName", "middleName", "companyName", "phone", "taxNumber"];
    const outcomes = await sideBySide(
      shop(),
      "customer/upsert",
      fields.map((field) => ({ identifier: "ada", [field]: "x" })),
    );
    const actions = outcomes.map((outcome) =>
      outcome instanceof Rejection ? outcome.message : outcome.action,
    );
    expect(actions.sort()).toEqual(["created", ...Array(5).fill("updated")]);
    const all = Object.fromEntries(fields.map((field) => [field, "x"]));
    expect(await shop().get(customers, "ada")).toMatchObject(all);
  });

  test("two writers do not put two groups above each other", async () => {
    for (let round = 0; round < 5; round++) {
      const [a, b] = [`a${round}`, `b${round}`];
      for (const identifier of [a, b]) await shop().done("customer/group/create", { identifier });
      const under = (identifier: string, parent: string) => ({
        identifier,
        parents: [{ identifier: parent, type: "customerGroup" }],
      });
      const outcomes = await sideBySide(shop(), "customer/group/update", [under(a, b), under(b, a)]);
      const names = outcomes.map((outcome) => (outcome instanceof Rejection ? outcome.name : outcome.action));
      expect(names.sort()).toEqual(["ValidationError", "updated"]);
    }
  });

  test("all writers but one are refused when they create one customer", async () => {
    const outcomes = await sideBySide(shop(), "customer/create", Array(4).fill({ identifier: "ada" }));
    const refusals = outcomes.filter((outcome) => outcome instanceof Rejection);
    expect(refusals.map(({ name }) => name)).toEqual(Array(3).fill("CustomerIdentifierTakenError"));
    expect(await shop().all(customers)).toHaveLength(1);
  });
});

describeOnEngines("a batch of pieces and shapes", (shop) => {
  const piece = (identifier: string, inner?: string) => ({
    ...{ identifier, name: identifier },
    components: inner ? [{ id: inner, type: "piece", piece: { identifier: inner } }] : [],
  });

  test("a batch of pieces loads each level of stored pieces in a round, and its own pieces in none", async () => {
    const tower = ["a1", "a2", "a3"].map(
      (name, i, all): WrittenOperation => ["piece/upsert", piece(name, all[i - 1])],
    );
    await shop().batch(tower);
    expect(shop().statements.execute).toBe(0);
    await shop().batch([...tower, ["shape/upsert", { ...piece("shape", "a3"), type: "folder" }]]);
    expect(shop().statements).toMatchObject({ execute: 0, flush: 1 });
    expect(await shop().all(pieces)).toHaveLength(3);
  });
});
