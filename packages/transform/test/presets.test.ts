import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { compileMap } from "../src/index.ts";
import { presetMap, presets } from "../src/presets/index.ts";
import { convert } from "./converting.ts";

const example = (name: string) => readFile(new URL(`../../../examples/${name}`, import.meta.url));

/** What a preset makes of an export. */
async function converted(name: string, table: string | Uint8Array) {
  const preset = presets[name]!;
  const { operations, messages } = await convert(table, await presetMap(preset), { format: preset.format });
  expect(messages).toEqual([]);
  const of = (intent: string) => operations.filter((operation) => operation.intent === intent);
  return { operations, of, published: of("item/publish").map((operation) => operation.resourceIdentifier) };
}

test.each(Object.entries(presets))("the preset %s is a map without problems", async (_, preset) => {
  expect(compileMap(await presetMap(preset)).problems).toBeUndefined();
});

describe("shopify-products", () => {
  test("rows of a handle become a product; drafts and hidden products are not published", async () => {
    const { of, published } = await converted(
      "shopify-products",
      await example("migrate-from-shopify/products_export.csv"),
    );
    const [jacket, hat, scarf] = of("product/upsert");
    expect(published).toEqual(["harbour-jacket", "wool-hat"]);
    expect(of("topic/upsert").map(({ name }) => name)).toEqual([
      ...["Jackets", "outdoor", "rain", "Hats", "wool", "Scarves"],
    ]);
    expect(jacket).toMatchObject({
      variants: [
        { sku: "RJ-Y-M", name: "Yellow / M", images: [expect.anything()] },
        { sku: "RJ-Y-L", name: "Yellow / L", stockLocations: [{ stock: 0 }], images: [] },
        { sku: "RJ-B-M", name: "Blue / M", priceVariants: [{ price: 94.5 }] },
      ],
    });
    expect(JSON.stringify(jacket)).toContain(
      '{"componentId":"barcode","singleLine":{"text":"4006381333931"}}',
    );
    expect(hat).toMatchObject({ variants: [{ sku: "wool-hat", name: "Wool hat", attributes: [] }] });
    expect(scarf).toMatchObject({ resourceIdentifier: "spring-scarf" });
  });

  test("tables with the names of Shopify's template are read, and those of shops with several locations", async () => {
    const template =
      "Title,URL handle,Description,Type,Tags,Published on online store,Status,SKU,Option1 name,Option1 value," +
      "Price,Inventory quantity,Weight value (grams),Product image URL\n" +
      "Mug,mug,A mug,Mugs,,TRUE,Active,M-1,Title,Default Title,9.90,4,300,https://images.example.com/mug.jpg\n" +
      "Bowl,bowl,A bowl,Bowls,,TRUE,Draft,B-1,Size,L,19.90,,,\n";
    const { of, published } = await converted("shopify-products", template);
    expect(published).toEqual(["mug"]);
    expect(of("product/upsert")).toMatchObject([
      { name: "Mug", variants: [{ sku: "M-1", name: "Mug", stockLocations: [{ stock: 4 }] }] },
      { name: "Bowl", variants: [{ sku: "B-1", name: "L", attributes: [{ attribute: "Size" }] }] },
    ]);
    const several = await converted("shopify-products", "Handle,Title,Variant Price\nmug,Mug,9.90\n");
    expect(several.of("product/upsert")).toMatchObject([{ variants: [{ sku: "mug", stockLocations: [] }] }]);
  });
});
