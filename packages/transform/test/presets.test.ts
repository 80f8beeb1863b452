import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { compileMap } from "../src/index.ts";
import { presetMap, presets } from "../src/presets/index.ts";
import { convert } from "./converting.ts";

const example = (name: string) => readFile(new URL(`../../../examples/${name}`, import.meta.url));

/** Converts an export by a preset, without warnings. */
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

test("shopify-customers reads numbers without Shopify's apostrophes, and customers without an email address", async () => {
  const table = await example("migrate-from-shopify/customers_export.csv");
  const { operations } = await converted("shopify-customers", table);
  expect(operations).toMatchObject([
    { identifier: "6340948721958", phone: "+442079460000", addresses: [{ street: "12 St James's Square" }] },
    {
      identifier: "6340948721959",
      companyName: "Tea House",
      addresses: [{ postalCode: "02110", state: "MA" }],
    },
  ]);
  expect(operations[1]).not.toHaveProperty("email");
  const older = "First Name,Last Name,Email,Address1,City,Country\nAda,L,ada@example.com,1 Road,Rome,Italy\n";
  expect((await converted("shopify-customers", older)).operations).toMatchObject([
    { identifier: "ada@example.com", addresses: [{ country: "Italy" }] },
  ]);
});

test("woocommerce-products adds variations to their parent, by its SKU or id, and publishes it after each", async () => {
  const table = await example("convert/woocommerce-export.csv");
  const { of, published } = await converted("woocommerce-products", table);
  expect(of("product/upsert").map((product) => product.resourceIdentifier)).toEqual([
    ...["hoodie", "id:45", "beanie", "id:47"],
  ]);
  expect(of("product/variant/upsert")).toMatchObject([
    { sku: "hoodie-blue", productId: expect.stringContaining('"hoodie"'), stockLocations: [{ stock: 4 }] },
    { sku: "hoodie-red", stockLocations: [], attributes: [{ value: "Red" }, { value: "M" }] },
    { sku: "id:53", productId: expect.stringContaining('"id:45"'), priceVariants: [{ price: 12.5 }] },
  ]);
  expect(published).toEqual(["beanie", "hoodie", "hoodie"]);
  expect(JSON.stringify(of("product/upsert")[0])).toContain("<p>Of cotton.</p>\\n<p>Made in Porto.</p>");
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
