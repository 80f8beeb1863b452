import { contentStart, documentUpsert } from "./content.ts";
import { mixedOperation, mixedOperationFails } from "./mixed.ts";
import { numbers, preparation, upsertOperation, type Workload } from "./workload.ts";

/** Content is as long as that of this many products. */
const productsOfContent = 4;

/** The measured workloads by name, for `products` products. */
export const workloads: Readonly<Record<string, (products: number) => Workload>> = {
  upserts: (products) => ({
    name: "upserts",
    start: preparation,
    preparation: [],
    size: products,
    runs: Object.entries({ create: 0, update: 1, unchanged: 1 }).map(([name, round]) => ({
      name,
      operation: (number, words) => upsertOperation(number, round, words),
    })),
    fails: () => false,
  }),
  mixed: (products) => ({
    name: "mixed",
    start: preparation,
    preparation: numbers(0, products).map((number) => upsertOperation(number, 0)),
    size: products,
    runs: [
      {
        name: "mixed",
        operation: (number, words) => mixedOperation(number, (number * 7919) % products, words),
      },
    ],
    fails: mixedOperationFails,
  }),
  content: (products) => ({
    name: "content",
    start: contentStart,
    preparation: [],
    size: Math.ceil(products / productsOfContent),
    runs: Object.entries({ create: 0, update: 1 }).map(([name, round]) => ({
      name,
      operation: (number, words) => documentUpsert(number, round, words),
    })),
    fails: () => false,
  }),
};
