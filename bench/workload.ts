/** The operations that prepare a tenant: a shape with two components, and a folder that the products are in. */
export const preparation = [
  {
    intent: "shape/upsert",
    identifier: "bench-folder",
    name: "Folder",
    type: "folder",
  },
  {
    intent: "shape/upsert",
    identifier: "bench-product",
    name: "Product",
    type: "product",
    components: [
      { id: "summary", name: "Summary", type: "singleLine" },
      { id: "weight", name: "Weight", type: "numeric", config: { numeric: { decimalPlaces: 2 } } },
    ],
  },
  {
    intent: "folder/upsert",
    _ref: "folder",
    resourceIdentifier: "bench-products",
    name: "Products",
    language: "en",
    shapeIdentifier: "bench-folder",
    tree: { parentId: "{{ defaults.rootItemId }}" },
  },
];

/** The payload of one product; `round` changes its name, price, stock and content. */
export function productUpsert(number: number, round: number) {
  return {
    resourceIdentifier: `product-${number}`,
    name: `Product ${number}${round > 0 ? ` in round ${round}` : ""}`,
    language: "en",
    shapeIdentifier: "bench-product",
    tree: { parentId: "{{ folder.id }}" },
    vatTypeId: "{{ defaults.vatTypeIds.[0] }}",
    components: [
      {
        componentId: "summary",
        singleLine: { text: `A product with the number ${number}, as of round ${round}` },
      },
      { componentId: "weight", numeric: { number: (number % 1000) + round / 4 } },
    ],
    variants: [
      {
        sku: `sku-${number}`,
        name: `Product ${number}`,
        isDefault: true,
        priceVariants: [{ identifier: "default", price: 10 + round + (number % 100) / 100 }],
        stockLocations: [{ identifier: "default", stock: number % 50 }],
      },
    ],
  };
}

/** A file of product upserts, after what prepares the tenant. */
export function productFile(products: number, round: number): Blob {
  const operations = preparation.map((operation) => JSON.stringify(operation));
  for (let number = 0; number < products; number++)
    operations.push(JSON.stringify({ intent: "product/upsert", ...productUpsert(number, round) }));
  return new Blob(['{"version":"1.0.0","operations":[\n', operations.join(",\n"), "\n]}"]);
}
