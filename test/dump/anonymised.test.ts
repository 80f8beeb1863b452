import { beforeAll, describe, expect, test } from "vitest";
import { opened } from "../support/opened.ts";
import { openService, serviceEngines } from "../support/service.ts";
import { dumpOf, restored, run } from "./dumping.ts";

const id = (number: number) => number.toString(16).padStart(24, "0");
const meta = [{ key: "note", value: "secret" }];
const address = {
  ...{
    type: "billing",
    city: "secret",
    country: "Norway",
    email: "secret@shop.example",
    firstName: "secret",
    meta,
  },
  ...{ lastName: "secret", middleName: "secret", phone: "+47 secret", postalCode: "secret", state: "secret" },
  ...{ street: "secret", street2: "secret", streetNumber: "secret" },
};
const person = {
  ...{ email: "secret@shop.example", firstName: "secret", lastName: "secret", middleName: "secret", meta },
  ...{ companyName: "secret", phone: "+47 secret", taxNumber: "secret", birthDate: "1815-12-10" },
  ...{ addresses: [address], externalReferences: [{ key: "crm", value: "secret" }] },
};
const payment = {
  ...{ provider: "klarna", klarna: { id: "secret", recurringToken: "secret" }, cash: { cash: "secret" } },
  custom: { properties: [{ property: "iban", value: "secret" }] },
};
const [ada, eve] = ["secret-ada@shop.example", "secret-eve"];
const period = { id: id(70), name: "Monthly", recurring: { period: 1, unit: "month" } };
const club = { identifier: "club", type: "customerGroup" };

const shop = [
  { intent: "subscriptionPlan/upsert", identifier: "box", name: "Box", periods: [period] },
  { intent: "shape/upsert", identifier: "tea", name: "Tea", type: "product", components: [] },
  {
    ...{ intent: "product/upsert", itemId: id(30), language: "en", name: "Tea", shapeIdentifier: "tea" },
    variants: [{ sku: "tea-1", name: "Small" }],
  },
  { intent: "customer/group/upsert", identifier: "club", name: "Club" },
  { intent: "customer/upsert", identifier: eve, ...person, parents: [club] },
  {
    ...{ intent: "customer/upsert", identifier: ada, ...person, email: ada },
    parents: [{ identifier: eve, type: "customer" }],
  },
  {
    ...{
      intent: "order/upsert",
      id: id(40),
      resourceIdentifier: "secret",
      additionalInformation: "secret",
      meta,
    },
    customer: { identifier: ada, ...person },
    cart: [
      { name: "Tea", sku: "tea-1", quantity: 2, imageUrl: "https://shop.example/secret.png", meta },
      { name: "Engraved: secret", quantity: 1, group: "secret" },
    ],
    appliedPromotions: [
      { identifier: "secret-10", name: "For secret", mechanism: { type: "fixed", value: 10 }, meta },
    ],
    payment: [payment],
  },
  {
    ...{ intent: "pricelist/upsert", identifier: "sale", name: "For secret", modifierType: "RELATIVE" },
    priceVariants: [{ identifier: "default", modifier: -1 }],
    selectedProductVariants: { type: "ALL_SKUS" },
    targetAudience: { type: "SOME", customerIdentifiers: [ada], customerGroupIdentifiers: ["club"] },
  },
  {
    ...{
      intent: "subscription-contract/upsert",
      id: id(50),
      resourceIdentifier: "secret",
      customerIdentifier: ada,
    },
    ...{ item: { sku: "tea-1", name: "Tea", imageUrl: "https://shop.example/secret.png", meta } },
    ...{ addresses: [address], payment, meta },
    subscriptionPlan: { identifier: "box", periodId: id(70), periodName: "Monthly" },
    status: {},
    recurring: { currency: "EUR", price: 9 },
  },
];

describe.each(serviceEngines)("an anonymised dump, on %s", (engine) => {
  let dump: string;
  let again: string;
  let other: string;
  const service = opened(() => openService(engine));
  beforeAll(async () => {
    const [source, twin] = [await service.tenant("source"), await service.tenant("twin")];
    for (const client of [source, twin]) await run(client, { version: "1.0.0", operations: shop });
    dump = await dumpOf(source, "?anonymise");
    again = await dumpOf(source, "?anonymise=true");
    other = await dumpOf(twin, "?anonymise");
  });

  const operationsIn = (text: string, intent: string) =>
    JSON.parse(text).operations.filter((operation: { intent: string }) => operation.intent === intent);

  test("omits personal data, and keeps the rest", () => {
    expect(dump).not.toMatch(/secret|1815|\+47/);
    for (const text of [
      "Norway",
      "Club",
      '"key":"note"',
      '"key":"crm"',
      '"property":"iban"',
      "tea-1",
      '"name":"Tea"',
    ])
      expect(dump).toContain(text);
  });

  test("has the same pseudonyms each time, and others per tenant", () => {
    expect(again).toBe(dump);
    const [mine, theirs] = [dump, other].map((text) =>
      operationsIn(text, "customer/upsert").map(({ identifier }: { identifier: string }) => identifier),
    );
    expect(mine).toHaveLength(2);
    expect(theirs).toHaveLength(2);
    expect(mine.filter((identifier: string) => theirs.includes(identifier))).toEqual([]);
  });

  test("refers to the same customers, whose email address stays their identifier", () => {
    const byMail = operationsIn(dump, "customer/upsert").find(({ identifier }: { identifier: string }) =>
      identifier.includes("@"),
    );
    expect(byMail.email).toBe(byMail.identifier);
    expect(operationsIn(dump, "order/upsert")[0].customer.identifier).toBe(byMail.identifier);
    expect(operationsIn(dump, "subscription-contract/upsert")[0].customerIdentifier).toBe(byMail.identifier);
    expect(operationsIn(dump, "pricelist/upsert")[0].targetAudience.customerIdentifiers).toEqual([
      byMail.identifier,
    ]);
    const parents = operationsIn(dump, "customer/update").flatMap(
      (operation: { parents: object[] }) => operation.parents,
    );
    expect(parents).toContainEqual(club);
    expect(parents).toContainEqual({ type: "customer", identifier: expect.stringMatching(/^customer-/) });
  });

  test("runs in an empty tenant without a failure", async () => {
    const target = await restored(service, "target", dump);
    const lines = (text: string) =>
      text
        .split("\n")
        .map((line) => line.replace(/,$/, ""))
        .sort();
    expect(lines(await dumpOf(target))).toEqual(lines(dump));
  });
});
