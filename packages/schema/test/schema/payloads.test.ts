import { describe, expect, it } from "vitest";
import { z } from "zod";
import {
  checkOperation,
  componentTypes,
  intentNames,
  operationFileSchema,
  payloads,
} from "../../src/internal.ts";

it("there are 19 component types", () => {
  expect(componentTypes).toHaveLength(19);
});

const examples = [
  {
    intent: "order/register",
    customer: { identifier: "kari", type: "individual" },
    additionalInformation: "Leave it at the door",
    cart: [
      {
        sku: "chair-oak",
        name: "Chair",
        productId: "65f1a2b3c4d5e6f708192a3b",
        quantity: 2,
        price: { currency: "NOK", gross: 250, net: 200, tax: { name: "VAT", percent: 25 } },
      },
    ],
  },
  { intent: "customer/upsert", identifier: "kari", firstName: "Kari", lastName: "Moe", type: "individual" },
  {
    intent: "item/updateComponent/item",
    itemId: "{{ chair.id }}",
    language: "en",
    component: { componentId: "body", richText: { html: "<p>Oak</p>" } },
  },
  {
    intent: "folder/create",
    name: "Chairs",
    language: "en",
    shapeIdentifier: "category",
    tree: { parentId: "{{ defaults.rootItemId }}" },
  },
  {
    intent: "product/upsert",
    externalReference: "erp-1",
    name: "Chair",
    language: "en",
    shapeIdentifier: "furniture",
  },
  {
    intent: "piece/upsert",
    identifier: "seo",
    name: "SEO",
    components: [{ id: "title", type: "singleLine", singleLine: { required: true } }],
  },
  { intent: "image/register", key: '{{ upload "https://example.com/chair.png" }}' },
];

it.each(examples)("$intent as real files write it is accepted without a warning", (operation) => {
  expect(checkOperation({ _ref: "it", ...operation })).toEqual({
    intent: operation.intent,
    ref: "it",
    errors: [],
    warnings: [],
  });
});

describe("a mass operation file", () => {
  it.each(["", "1", "1.0", "1.0.0.0", "1.0.x", "v1.0.0", " 1.0.0", "1.0.0\n", 1, undefined])(
    "a mass operation file cannot have version %j",
    (version) => {
      expect(operationFileSchema.safeParse({ version, operations: [] }).success).toBe(false);
    },
  );

  it("a mass operation file may be empty, and may name its schema for editors", () => {
    const file = { $schema: "./mass-operation.schema.json", version: "0.0.1", operations: [] };
    expect(operationFileSchema.safeParse(file)).toMatchObject({ success: true, data: file });
  });

  it("a mass operation file must have valid operations", () => {
    const file = { version: "1.0.0", operations: [{ intent: "item/publish" }] };
    expect(operationFileSchema.safeParse(file).success).toBe(false);
  });
});

describe("the plain form, from which the GraphQL input types are derived", () => {
  const leaves = [z.ZodString, z.ZodNumber, z.ZodBoolean, z.ZodEnum, z.ZodUnknown];
  const named = new Map<unknown, z.ZodType>();
  const nameless: string[] = [];
  const unwalkable: string[] = [];

  function walk(schema: z.ZodType, path: string): void {
    if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
      walk(schema.unwrap() as z.ZodType, path);
    else if (schema instanceof z.ZodArray) walk(schema.element as z.ZodType, `${path}[]`);
    else if (schema instanceof z.ZodPipe && schema.out instanceof z.ZodArray) walk(schema.out, path);
    else if (schema instanceof z.ZodObject) walkObject(schema, path);
    else if (!leaves.some((leaf) => schema instanceof leaf)) unwalkable.push(`${path}: ${schema.def.type}`);
  }

  function walkObject(schema: z.ZodObject, path: string): void {
    const id = schema.meta()?.id;
    if (path.includes(".")) {
      if (id === undefined) nameless.push(path);
      else if (named.get(id) === schema) return;
      else if (named.has(id)) nameless.push(`${path}: two schemas are named ${id}`);
      named.set(id, schema);
    }
    for (const [key, member] of Object.entries(schema.shape)) walk(member as z.ZodType, `${path}.${key}`);
  }

  for (const intent of intentNames) walk(payloads[intent], intent);

  it("the plain form is made of objects, lists and scalars", () => {
    expect(unwalkable).toEqual([]);
  });

  it("every object inside a plain payload has a name", () => {
    expect(nameless).toEqual([]);
    expect(named.size).toBeGreaterThan(60);
  });

  it("the plain form covers every intent", () => {
    expect(intentNames.filter((intent) => !payloads[intent].description)).toEqual([]);
  });
});
