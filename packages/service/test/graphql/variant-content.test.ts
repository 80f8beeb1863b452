import { describe, expect, test } from "vitest";
import { useItemsApi } from "./items-api.ts";

describe("variants", () => {
  const api = useItemsApi();

  test("a published product has the current price and stock, and the published other facts of its variants", async () => {
    const variant = {
      ...{ sku: "sold", name: "Sold", isDefault: true },
      priceVariants: [{ identifier: "default", price: 9.5 }],
      stockLocations: [{ identifier: "default", stock: 3 }],
    };
    const id = await api.product("Sold", { variants: [variant] });
    const readPublished = () =>
      api.item(
        `id: "${id}", language: "en", version: published`,
        "version { createdAt } ... on Product { variants { name price stock } }",
      );
    await api.data(
      `mutation { publishItem(id: "${id}", language: "en") { ... on PublishInfo { id } ... on BasicError { message } } }`,
    );
    const before = await readPublished();
    expect(before).toMatchObject({ variants: [{ name: "Sold", price: 9.5, stock: 3 }] });
    await api.data(
      `mutation {
         updateProductVariant(sku: "sold", language: "en", input: {name: "After", priceVariants: [{identifier: "default", price: 20}]}) {
           ... on ProductVariant { price } ... on BasicError { message } }
         modifyProductVariantStock(sku: "sold", operation: decrease, quantity: 2, stockLocationIdentifier: "default") {
           ... on ProductStockLocation { stock } ... on BasicError { message } } }`,
    );
    expect(await readPublished()).toEqual({ ...before, variants: [{ name: "Sold", price: 9.5, stock: 1 }] });
  });

  test("the tiers of a price are written by a mutation and read", async () => {
    await api.product("Tiered", { variants: [{ sku: "tiered", name: "T", isDefault: true }] });
    const fields = "price tierType tiers { threshold price }";
    const { modifyProductVariantPrice, updateProductVariant } = await api.data(
      `mutation {
         modifyProductVariantPrice(sku: "tiered", priceVariantIdentifier: "default", price: 8, tierType: volume, tiers: [{threshold: 10, price: 7}]) {
           ... on ProductPriceVariant { ${fields} } ... on BasicError { message } }
         updateProductVariant(sku: "tiered", language: "en", input: {priceVariants: [{identifier: "default", price: 6, tierType: graduated, tiers: [{threshold: 5, price: 0}]}]}) {
           ... on ProductVariant { priceVariants { ${fields} } } ... on BasicError { message } } }`,
    );
    expect(modifyProductVariantPrice).toEqual({
      price: 8,
      tierType: "volume",
      tiers: [{ threshold: 10, price: 7 }],
    });
    expect(updateProductVariant.priceVariants).toEqual([
      { price: 6, tierType: "graduated", tiers: [{ threshold: 5, price: 0 }] },
    ]);
  });

  test("an update whose lists omit stored rows returns the removed ones", async () => {
    const stockLocations = [{ identifier: "default", stock: 3 }];
    const variants = ["kept", "left"].map((sku) => ({
      sku,
      name: sku,
      isDefault: sku === "kept",
      stockLocations,
    }));
    const id = await api.product("Shrinking", { variants });
    const { updateProduct, updateProductVariant } = await api.data(
      `mutation {
         updateProduct(id: "${id}", language: "en", input: {variants: [{sku: "kept", name: "kept"}]}) {
           ... on Product { removed } ... on BasicError { message } }
         updateProductVariant(sku: "kept", language: "en", input: {stockLocations: []}) {
           ... on ProductVariant { sku removed } ... on BasicError { message } } }`,
    );
    const stock = (sku: string) => [{ sku, identifier: "default", stock: 3 }];
    expect(updateProduct.removed).toEqual({ variants: [{ sku: "left" }], stockLocations: stock("left") });
    expect(updateProductVariant).toEqual({ sku: "kept", removed: { stockLocations: stock("kept") } });
    expect(await api.item(`id: "${id}", language: "en"`, "... on Product { removed }")).toEqual({
      removed: null,
    });
  });

  test("a variant shows its prices and stock with the names of the settings", async () => {
    await api.product("Priced", {
      variants: [
        {
          sku: "priced",
          name: "P",
          isDefault: true,
          attributes: [{ attribute: "Size", value: "42" }],
          priceVariants: [{ identifier: "default", price: 9.5 }],
          stockLocations: [{ identifier: "default", stock: 3 }],
          components: [{ componentId: "singleLine", singleLine: { text: "V" } }],
        },
      ],
    });
    const { productVariant } = await api.data(
      `{ productVariant(sku: "priced", language: "en") { ... on ProductVariant { sku name isDefault price stock productId
         attributes { attribute value } priceVariants { identifier name price currency } stockLocations { identifier name stock }
         components { componentId name content { ... on SingleLineComponentContent { text } } } }
         ... on BasicError { errorName } } }`,
    );
    expect(productVariant).toEqual({
      sku: "priced",
      name: "P",
      isDefault: true,
      price: 9.5,
      stock: 3,
      productId: expect.any(String),
      attributes: [{ attribute: "Size", value: "42" }],
      priceVariants: [{ identifier: "default", name: "Default", price: 9.5, currency: "EUR" }],
      stockLocations: [{ identifier: "default", name: "Default", stock: 3 }],
      components: [{ componentId: "singleLine", name: "The singleLine", content: { text: "V" } }],
    });
    const missing = `{ productVariant(sku: "none", language: "en") { ... on ProductVariant { sku } ... on ProductVariantNotFoundError { message } } }`;
    expect((await api.field(missing)).message).toBe('No product variant has the SKU "none"');
  });
});
