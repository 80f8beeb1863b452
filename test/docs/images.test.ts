import { parsePayload } from "@lading/schema";
import { parse, validate } from "graphql";
import { expect, test } from "vitest";
import { coreSchema } from "../../packages/service/src/graphql/core-schema.ts";
import { blocks, page } from "./pages.ts";

const text = page("docs/images.md");

test("docs/images.md has queries that the API accepts", () => {
  const queries = blocks(text, "graphql");
  expect(queries).not.toEqual([]);
  for (const query of queries) expect(validate(coreSchema(), parse(query))).toEqual([]);
});

test("docs/images.md has parts of operations that the schema accepts", () => {
  const [register, use] = blocks(text, "json").map((block) => JSON.parse(block));
  expect(parsePayload("image/register", register)).toHaveProperty("payload");
  const variant = { sku: "a", name: "A", language: "en", productId: "a".repeat(24) };
  expect(parsePayload("product/variant/create", { ...variant, ...use })).toHaveProperty("payload");
});
