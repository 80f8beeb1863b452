import { componentTypes } from "../../src/internal.ts";
import type { JsonPath } from "../../src/problems/json-pointer.ts";

/** A value one side accepts and the other refuses: the refusing side's issue, and the value it is about. */
interface Refusal {
  intent: unknown;
  path: JsonPath;
  value: unknown;
}

export interface Difference {
  what: string;
  explains(refusal: Refusal): boolean;
  /** An operation that one side accepts and the other refuses. */
  example: unknown;
  /** The fields that differ because of it, as `intent path` without array indices. */
  fields?: RegExp;
}

const id = "65f1a2b3c4d5e6f708192a3b";
const definitionLists: readonly unknown[] = ["components", "variantComponents", "choices"];
const isTemplate = (value: unknown) => typeof value === "string" && /\{\{.*\}\}/s.test(value);

export const widened: readonly Difference[] = [
  {
    what: "any scalar may be a template",
    explains: ({ value }) => isTemplate(value),
    example: {
      intent: "product/variant/stock/modify",
      sku: "chair",
      stockLocationIdentifier: "default",
      operation: "overwrite",
      quantity: "{{ earlier.stock }}",
    },
  },
  {
    what: "a component definition needs no name",
    explains: ({ path, value }) =>
      path.at(-1) === "name" && definitionLists.includes(path.at(-3)) && value === undefined,
    fields: /^(?:shape|piece)\/\w+ \/(?:components|variantComponents)\/\*\/name$/,
    example: {
      intent: "piece/create",
      identifier: "seo",
      name: "SEO",
      components: [{ id: "title", type: "singleLine" }],
    },
  },
  {
    what: "richText.html may be one string",
    explains: ({ path, value }) => path.at(-1) === "html" && typeof value === "string",
    example: {
      intent: "item/updateComponent/item",
      itemId: id,
      language: "en",
      component: { componentId: "body", richText: { html: "<p>Oak</p>" } },
    },
  },
  {
    what: "product/upsert needs no tree, VAT type and variants",
    explains: ({ intent, path, value }) =>
      intent === "product/upsert" &&
      ["tree", "vatTypeId", "variants"].includes(path.join(".")) &&
      value === undefined,
    fields: /^product\/upsert \/(?:tree|vatTypeId|variants)$/,
    example: { intent: "product/upsert", language: "en", name: "Chair", shapeIdentifier: "furniture" },
  },
  {
    what: "the payment of a contract may be null, which takes the stored one away",
    explains: ({ path, value }) => path.join(".") === "payment" && value === null,
    fields: /^subscription-contract\/\w+ \/payment$/,
    example: { intent: "subscription-contract/update", id, payment: null },
  },
  {
    what: "product/variant/price/modify takes prices below 1",
    explains: ({ intent, path, value }) =>
      intent === "product/variant/price/modify" && path.join(".") === "price" && typeof value === "number",
    fields: /^product\/variant\/price\/modify \/price$/,
    example: {
      intent: "product/variant/price/modify",
      sku: "chair",
      priceVariantIdentifier: "default",
      price: 0,
    },
  },
  {
    what: "product/variant/stock/modify overwrites with 0",
    explains: ({ intent, path, value }) =>
      intent === "product/variant/stock/modify" && path.join(".") === "quantity" && value === 0,
    fields: /^product\/variant\/stock\/modify \/quantity$/,
    example: {
      intent: "product/variant/stock/modify",
      sku: "chair",
      stockLocationIdentifier: "default",
      operation: "overwrite",
      quantity: 0,
    },
  },
];

export const narrowed: readonly Difference[] = [
  {
    what: "settings next to the type of a component definition are read, so they must be valid",
    explains: ({ path }) =>
      path.some(
        (key, index) =>
          componentTypes.includes(key as never) &&
          typeof path[index - 1] === "number" &&
          definitionLists.includes(path[index - 2]),
      ),
    fields: new RegExp(
      `^(?:shape|piece)/\\w+ /(?:components|variantComponents)/\\*/(?:${componentTypes.join("|")})(?:/|$)`,
    ),
    example: {
      intent: "piece/create",
      identifier: "seo",
      name: "SEO",
      components: [{ id: "title", name: "Title", type: "singleLine", singleLine: { required: 1 } }],
    },
  },
  ...[
    {
      what: "the tiers of a price are read, so they must be valid",
      fields: /^product\/(?:\w+ \/variants\/\*|variant\/\w+ )\/priceVariants\/\*\/tier(?:s|Type)(?:\/|$)/,
      example: {
        ...{ intent: "product/variant/update", sku: "chair", language: "en" },
        priceVariants: [{ identifier: "default", price: 10, tierType: "cheapest" }],
      },
    },
    {
      what: "the tiers of product/variant/price/modify are read, so they must be valid",
      fields: /^product\/variant\/price\/modify \/tier(?:s|Type)(?:\/|$)/,
      example: {
        ...{
          intent: "product/variant/price/modify",
          sku: "chair",
          priceVariantIdentifier: "default",
          price: 10,
        },
        tiers: [{ threshold: 10 }],
      },
    },
    {
      what: "isDefault of product/variant/update is read, so it must be valid",
      fields: /^product\/variant\/update \/isDefault$/,
      example: { intent: "product/variant/update", sku: "chair", language: "en", isDefault: "yes" },
    },
    {
      what: "the customer of subscription-contract/update is read, so it must be valid",
      fields: /^subscription-contract\/update \/customerIdentifier$/,
      example: { intent: "subscription-contract/update", id, customerIdentifier: 7 },
    },
  ].map(({ what, fields, example }) => ({
    ...{ what, example, fields },
    explains: ({ intent, path }: Refusal) =>
      fields.test(`${intent} /${path.map((part) => (typeof part === "number" ? "*" : part)).join("/")}`),
  })),
];

/** Versions that the published schema package accepts and Lading refuses: exactly three numbers are required. */
export const narrowedVersions: readonly string[] = ["1", "1.0", "*", "1.*", "1.0.*"];

/** Text that no database column takes: refused in a file by its reader, and after rendering by the plain form. */
export const narrowedTexts: readonly string[] = ["a\u0000b", "\ud800"];
