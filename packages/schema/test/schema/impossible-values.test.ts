import { OperationSchema } from "@crystallize/schema/mass-operation";
import { describe, expect, it } from "vitest";
import {
  checkOperation,
  type Intent,
  intents,
  parsePayload,
  problemText,
  valueRules,
} from "../../src/internal.ts";

const id = "0123456789abcdef01234567";
const item = { language: "en", shapeIdentifier: "s", tree: { parentId: id } };
const variant = { sku: "a", name: "A" };
const product = { ...item, name: "P", vatTypeId: id };
const topic = { language: "en", name: "T" };
const order = { customer: { identifier: "ada" }, cart: [{ name: "Cup", quantity: 1 }] };
const component = { componentId: "c" };
const priceList = {
  ...{
    identifier: "p",
    name: " ",
    modifierType: "ABSOLUTE",
    priceVariants: [{ identifier: "d", modifier: 1 }],
  },
  ...{ selectedProductVariants: { type: "ALL_SKUS" }, targetAudience: { type: "EVERYONE" } },
};

const february = "there is no 2026-02-30: February 2026 has 28 days";
const path = "expected letters a to z, digits and single dashes between them, got string";

const impossible: [intent: Intent, payload: object, pointer: string, message: string][] = [
  ["folder/create", { ...item, name: "" }, "/name", "must not be empty"],
  ["document/update", { itemId: id, language: "en", name: " \n" }, "/name", "must not be blank"],
  ["product/create", { ...product, name: "", variants: [variant] }, "/name", "must not be empty"],
  [
    "product/upsert",
    { ...product, variants: [{ ...variant, name: "" }] },
    "/variants/0/name",
    "must not be empty",
  ],
  ["product/variant/update", { sku: " sp ", language: "en", name: "" }, "/name", "must not be empty"],
  ["shape/create", { identifier: "sh", name: " ", type: "folder" }, "/name", "must not be blank"],
  ["piece/upsert", { identifier: "pi", name: " " }, "/name", "must not be blank"],
  ["subscription-contract/update", { id, item: { sku: "a", name: " " } }, "/item/name", "must not be blank"],
  ["pricelist/create", priceList, "/name", "must not be blank"],
  [
    "flow/update",
    { identifier: "f", stages: [{ identifier: "a", name: " " }] },
    "/stages/0/name",
    "must not be blank",
  ],
  ["topic/create", { ...topic, children: [{ name: "" }] }, "/children/0/name", "must not be empty"],
  [
    "topic/update",
    { ...topic, topicId: id, pathIdentifier: "Bad Path!" },
    "/pathIdentifier",
    `${path} "Bad Path!"; use "bad-path"`,
  ],
  [
    "topic/create",
    { ...topic, children: [{ name: "a", pathIdentifier: "木" }] },
    "/children/0/pathIdentifier",
    `${path} "木"`,
  ],
  ["order/register", { ...order, cart: [{ name: "", quantity: 1 }] }, "/cart/0/name", "must not be empty"],
  [
    "language/upsert",
    { code: "english!", name: "English" },
    "/code",
    '"english!" is not a language code; write it as en, no-nb or zh-Hans',
  ],
  ["order/register", { ...order, createdAt: "2026-02-30" }, "/createdAt", february],
  ["customer/update", { identifier: "a", birthDate: "2026-02-30" }, "/birthDate", february],
  [
    "item/updateComponent/item",
    { itemId: id, language: "en", component: { ...component, datetime: { datetime: "2026-02-30" } } },
    "/component/datetime/datetime",
    february,
  ],
  [
    "item/updateComponent/sku",
    { sku: "a", language: "en", component: { ...component, location: { lat: 200 } } },
    "/component/location/lat",
    "expected a latitude from -90 to 90, got 200",
  ],
  [
    "folder/create",
    {
      ...item,
      name: "F",
      components: [
        { ...component, contentChunk: { chunks: [[{ ...component, location: { long: -180.5 } }]] } },
      ],
    },
    "/components/0/contentChunk/chunks/0/0/location/long",
    "expected a longitude from -180 to 180, got -180.5",
  ],
];

describe("an impossible value", () => {
  it.each(impossible)(
    "an impossible value of %s is first a warning, then an error: %j",
    (intent, payload, pointer, message) => {
      if (!intents[intent].ours)
        expect(OperationSchema.safeParse({ intent, ...payload }).error).toBeUndefined();
      const { errors, warnings } = checkOperation({ intent, ...payload });
      expect([errors, warnings.map(problemText)]).toEqual([
        [],
        [`${pointer}: ${message}: the operation will fail`],
      ]);
      const parsed = parsePayload(intent, payload);
      expect("errors" in parsed && parsed.errors.map(problemText)).toEqual([`${pointer}: ${message}`]);
    },
  );

  it("a value in a template is not checked before rendering", () => {
    const operation = {
      ...{ intent: "topic/update", topicId: id, language: "en" },
      ...{ name: "{{ a.name }}", pathIdentifier: "{{ a.Path }}" },
    };
    expect(checkOperation(operation)).toMatchObject({ errors: [], warnings: [] });
    expect(
      parsePayload("topic/update", { ...operation, pathIdentifier: "A b" }, { "/pathIdentifier": "A b" }),
    ).toEqual({
      errors: [
        expect.objectContaining({
          message: expect.stringMatching(/use "a-b" \(rendered from a template\)$/),
        }),
      ],
    });
  });

  it("a SKU with white space around it is refused, but only for a new variant", () => {
    const payload = { ...product, variants: [{ ...variant, sku: " sp " }] };
    expect(checkOperation({ intent: "product/upsert", ...payload }).warnings.map(problemText)).toEqual([
      '/variants/0/sku: has white space around it; use "sp": a new SKU like this is rejected',
    ]);
    expect(parsePayload("product/upsert", payload)).toEqual({ payload });
    for (const intent of ["product/variant/delete", "product/variant/update"] as const)
      expect(checkOperation({ intent, sku: " sp ", language: "en" }).errors).toEqual([]);
  });
});

describe("a price below 0", () => {
  const prices = [{ identifier: "default", price: -1 }];
  const phase = { priceVariants: prices, meteredVariables: [] };
  const plans = [{ identifier: "box", periods: [{ id, recurring: phase }] }];
  const tiers = [{ threshold: 1, price: -1 }];

  it.each([
    ["product/variant/price/modify", { sku: "a", priceVariantIdentifier: "d", price: -1 }, "/price"],
    ["product/variant/update", { sku: "a", language: "en", priceVariants: prices }, "/priceVariants/0/price"],
    [
      "product/variant/price/modify",
      { sku: "a", priceVariantIdentifier: "d", price: 1, tiers },
      "/tiers/0/price",
    ],
    [
      "product/variant/update",
      { sku: "a", language: "en", subscriptionPlans: plans },
      "/subscriptionPlans/0/periods/0/recurring/priceVariants/0/price",
    ],
  ])("a price below 0 is a warning in a file: %s %j", (intent, payload, pointer) => {
    const { errors, warnings } = checkOperation({ intent, ...payload });
    expect([errors, warnings.map(problemText)]).toEqual([
      [],
      [`${pointer}: expected a price from 0 to 1000000000, got -1: the operation will fail`],
    ]);
  });

  it("the total of an order and the modifier of a price list may be below 0", () => {
    const total = { ...order, total: { currency: "EUR", gross: -1, net: -1 } };
    const list = { ...priceList, name: "P", priceVariants: [{ identifier: "d", modifier: -1 }] };
    expect(checkOperation({ intent: "order/register", ...total }).warnings).toEqual([]);
    expect(checkOperation({ intent: "pricelist/create", ...list }).warnings).toEqual([]);
  });
});

describe("a calendar date", () => {
  it.each([
    "2026-02-29",
    "2026-02-30T12:00:00Z",
    "2026-04-31T23:59:59.999+02:00",
    "+002026-02-31",
    "1900-02-29",
    "Feb 30, 2026",
    "30 Feb 2026 10:00:00 GMT+0200",
    "Tue, 31 Apr 2026 10:00:00 GMT",
    "2026/02/30",
    "06/31/2026 12:00",
  ])("%s is not a calendar date", (text) => {
    expect(Date.parse(text)).not.toBeNaN();
    expect(valueRules.dateTime.objection(text)).toMatch(/^there is no .* \w+ \d{4} has \d\d days$/);
  });

  it.each([
    "2024-02-29",
    "2000-02-29T23:59:59-12:00",
    "2026-01-31T24:00:00Z",
    "2026-12-31T23:59:59.999+14:00",
    "2026-02",
    "2026",
    "+275760-09-13",
    "-000001-01-31",
    "31 Jan 2026 00:00:00 GMT+1400",
    "Sat Jan 31 2026 00:30:30 GMT+0100 (Central European Standard Time)",
    "1/31/2026, 12:31:31",
    "01/02/30",
    "no date at all",
  ])("%s is a calendar date, or may be", (text) => {
    expect(valueRules.dateTime.objection(text)).toBeUndefined();
  });
});
