import { readFile } from "node:fs/promises";
import { type ComponentContent, plainTextOf } from "@lading/schema/internal";
import { describe, expect, test } from "vitest";
import { compileMap } from "../src/index.ts";
import { contentfulMap } from "../src/presets/contentful.ts";
import { presetMap, presets, writtenMap } from "../src/presets/index.ts";
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

test("woocommerce-products keeps escaped commas in categories, and oversold stock is 0", async () => {
  const table =
    "ID,Type,SKU,Name,Published,Stock,Regular price,Categories,Tags,Parent\n" +
    '1,simple,m,Mug,1,-2,5,"Pots\\, Pans, Home > Salt\\,Pepper","a, b\\, c",\n' +
    "2,variable,v,Cup,1,,,,,\n3,variation,v-1,Cup,1,-1,5,,,v\n";
  const { of } = await converted("woocommerce-products", table);
  expect(of("topic/upsert").map(({ name }) => name)).toEqual([
    ...["Pots, Pans", "Home > Salt,Pepper", "a", "b, c"],
  ]);
  expect(of("product/upsert")[0]).toMatchObject({
    variants: [{ stockLocations: [{ identifier: "default", stock: 0 }] }],
  });
  expect(of("product/variant/upsert")).toMatchObject([{ stockLocations: [{ stock: 0 }] }]);
});

describe("shopify-products", () => {
  test("SKUs and types are read without white space around them", async () => {
    const rows = 'mug,Mug,9.90,"M-1 ",Mugs \nbowl,Bowl,9.90, ,Mugs\n';
    const { of } = await converted(
      "shopify-products",
      `Handle,Title,Variant Price,Variant SKU,Type\n${rows}`,
    );
    expect(of("topic/upsert").map(({ name }) => name)).toEqual(["Mugs"]);
    expect(of("product/upsert")).toMatchObject([
      { variants: [{ sku: "M-1" }] },
      { variants: [{ sku: "bowl" }] },
    ]);
  });

  test("oversold stock is 0", async () => {
    const table = "Handle,Title,Variant Price,Variant Inventory Qty\nmug,Mug,9.90,-3\n";
    const { of } = await converted("shopify-products", table);
    expect(of("product/upsert")).toMatchObject([
      { variants: [{ stockLocations: [{ identifier: "default", stock: 0 }] }] },
    ]);
  });

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

describe("contentful", () => {
  const exported = async (change: (document: { assets: object[] }) => void = () => {}) => {
    const document = JSON.parse(String(await example("migrate-from-contentful/contentful-export.json")));
    change(document);
    return document;
  };
  /** Converts an export by the map that is made of it. */
  const convertedBy = async (document: object) => {
    const { map, notes } = contentfulMap(document);
    const table = JSON.stringify(document);
    const { operations, messages } = await convert(table, writtenMap(map), {
      format: "json",
      path: "entries",
    });
    return { operations, messages, notes };
  };

  test.each([
    [[], "no list contentTypes"],
    [{ entries: [] }, "no list contentTypes"],
    [{ contentTypes: [{ name: "Post" }] }, "/contentTypes/0 has no sys.id"],
    [{ contentTypes: [{ sys: { id: "post" } }], entries: [] }, "no list locales"],
  ])("%j is not an export", (document, message) => {
    expect(() => contentfulMap(document)).toThrow(message);
  });

  test("a content type becomes a shape, and an entry a document with what its fields have", async () => {
    const { operations, messages, notes } = await convertedBy(await exported());
    const [post, author, tea, publishTea, ada, publishAda, draft, ...others] = operations;
    expect([messages, others]).toEqual([[], []]);
    expect([post, author]).toMatchObject([
      { identifier: "contentful-blogPost", type: "document" },
      { identifier: "contentful-author", components: [{ type: "singleLine" }, { type: "images" }] },
    ]);
    expect(tea).toMatchObject({ name: "Green tea", shapeIdentifier: "contentful-blogPost" });
    const contents = Object.fromEntries(
      ((tea?.components ?? []) as ComponentContent[]).map((content) => [content.componentId, content]),
    );
    const leaves = [{ key: '{{ upload "https://images.example.com/leaves.jpg" }}' }];
    expect(contents).toMatchObject({
      ...{ minutes: { numeric: { number: 3 } }, featured: { boolean: { value: true } } },
      date: { datetime: { datetime: "2026-01-31T11:00:00.000Z" } },
      place: { location: { lat: 59.2, long: 9.6 } },
      ...{ cover: { images: leaves }, gallery: { images: leaves } },
    });
    const textIn = (id: string) => plainTextOf(contents[id]?.richText ?? {});
    expect(textIn("body")).toBe("In the morning\nBoil, then wait a minute.\nOne spoon\nOne cup");
    expect(textIn("tags")).toBe("green\nmorning");
    expect([publishTea, publishAda]).toMatchObject([
      { intent: "item/publish" },
      { resourceIdentifier: "ada" },
    ]);
    expect([ada, draft]).toMatchObject([{ name: "Ada" }, { components: [{ componentId: "title" }] }]);
    expect(notes).toEqual([
      "contents in de are left out; those in en-US are read",
      "blogPost.gallery: assets that are no images, or not in the export, are left out: recipe",
      "blogPost.author is left out: Link to Entry",
      "blogPost.settings is left out: Object",
    ]);
  });

  test("a link to an asset that the export lacks is left out, and noted", async () => {
    const { operations, notes } = await convertedBy(await exported((document) => document.assets.shift()));
    const tea = operations.find(({ name }) => name === "Green tea");
    expect(tea?.components).toContainEqual({ componentId: "cover", images: [] });
    expect(notes).toContain(
      "blogPost.gallery: assets that are no images, or not in the export, are left out: cover1, recipe",
    );
  });

  test("names that are reserved, or have brackets and braces, are those of content types and fields", async () => {
    const { operations, messages } = await convertedBy({
      contentTypes: ["__proto__", "$row", "#a]b"].map((id) => ({
        ...{ sys: { id }, name: "{{ id }}", displayField: "constructor" },
        fields: [{ id: "constructor", type: "Symbol" }],
      })),
      entries: ["__proto__", "$row", "#a]b"].map((id, index) => ({
        sys: { id: `e${index}`, contentType: { sys: { id } } },
        fields: { constructor: { en: `[[x]] {{ y }} ${id}` } },
      })),
      locales: [{ code: "en" }],
    });
    expect(messages).toEqual([]);
    expect(operations.slice(0, 3).map(({ name }) => name)).toEqual(Array(3).fill("\\{{ id }}"));
    expect(operations.slice(3).map(({ name }) => name)).toEqual(
      ["__proto__", "$row", "#a]b"].map((id) => `[[x]] \\{{ y }} ${id}`),
    );
  });

  test("each entry is read once, however many fields link to assets", () => {
    let reads = 0;
    const entry = {
      get sys() {
        reads++;
        return { id: "a", contentType: { sys: { id: "post" } } };
      },
    };
    const fields = Array.from({ length: 20 }, (_, n) => ({ id: `f${n}`, type: "Link", linkType: "Asset" }));
    const contentTypes = [{ sys: { id: "post" }, fields }];
    contentfulMap({ contentTypes, entries: [entry], locales: [{ code: "en" }] });
    expect(reads).toBe(1);
  });
});
