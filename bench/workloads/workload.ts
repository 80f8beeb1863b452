export type Operation = { intent: string } & Record<string, unknown>;

/** The way an operation refers to what others created: references in a file, ids in a mutation. */
export interface Words {
  folder: string;
  vatType: string;
  customer(number: number): string;
}

/** Names for operations of a file that begins with its workload's `start`. */
export const references: Words = {
  folder: "{{ folder.id }}",
  vatType: "{{ defaults.vatTypeIds.[0] }}",
  customer: (number) => `{{ customer${number}.identifier }}`,
};

export interface Workload {
  name: string;
  /** The first operations of each of its files. */
  start: readonly Operation[];
  preparation: readonly Operation[];
  /** The number of operations of a run, without those of `start`. */
  size: number;
  /** The runs, in order; each makes the operation of a number. */
  runs: readonly { name: string; operation(number: number, words: Words): Operation }[];
  /** True for the operations meant to fail. */
  fails(number: number): boolean;
}

/** A file of operations, one per line. */
export function file(operations: readonly object[]): Blob {
  const lines = operations.map((operation) => JSON.stringify(operation));
  return new Blob(['{"version":"1.0.0","operations":[\n', lines.join(",\n"), "\n]}"]);
}

/** The operations that prepare a tenant: a shape with two components, and the products' folder. */
export const preparation: readonly Operation[] = [
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
export function productUpsert(number: number, round: number, { folder, vatType }: Words = references) {
  return {
    resourceIdentifier: `product-${number}`,
    name: `Product ${number}${round > 0 ? ` in round ${round}` : ""}`,
    language: "en",
    shapeIdentifier: "bench-product",
    tree: { parentId: folder },
    vatTypeId: vatType,
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

/** A file of product upserts, preceded by the operations that prepare the tenant. */
export function productFile(products: number, round: number): Blob {
  return file([...preparation, ...numbers(0, products).map((number) => upsertOperation(number, round))]);
}

export const upsertOperation = (number: number, round: number, words?: Words): Operation => ({
  intent: "product/upsert",
  ...productUpsert(number, round, words),
});

export const numbers = (from: number, count: number): number[] =>
  Array.from({ length: count }, (_, i) => from + i);
