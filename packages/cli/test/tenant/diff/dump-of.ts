import { compare } from "../../../../transform/src/diff/compare.ts";
import { operation } from "../../../../transform/src/diff/fields.ts";
import { readDump } from "../../../src/operation-file/diff/reading/read-dump.ts";

export type Written = { readonly intent: string; readonly [field: string]: unknown };

export const id = (number: number) => number.toString(16).padStart(24, "0");

export const dumpOf = (operations: readonly Written[]): string =>
  `{"version":"1.0.0","operations":[\n${operations
    .map(({ intent, ...fields }) => JSON.stringify(operation(intent, fields)))
    .join(",\n")}\n]}\n`;

/** A text as it arrives: in one piece. */
export async function* textOf(text: string): AsyncGenerator<string> {
  yield text;
}

export async function difference(from: readonly Written[], to: readonly Written[], deletes = false) {
  const shapes = new Map<string, number>();
  const [before, after] = [
    await readDump(textOf(dumpOf(from)), shapes),
    await readDump(textOf(dumpOf(to)), shapes),
  ];
  try {
    const { operations, changes } = compare(before, after, { deletes, isCompared: () => true });
    const found = [...operations];
    const counts = changes.counts.map(({ noun, change, count }) => `${noun} ${change} ${count}`);
    return { operations: found, counts, remainders: changes.remainders.map(({ what }) => what) };
  } finally {
    before.spool.close();
    after.spool.close();
  }
}

export const document = (number: number, name: string, more: object = {}): Written => ({
  intent: "document/upsert",
  ...{ itemId: id(number), shapeIdentifier: "article", createdAt: "2026-01-31T12:00:00.000Z" },
  ...{ language: "en", name, tree: { parentId: "{{ defaults.rootItemId }}" } },
  ...more,
});

/** A product as a dump has it; the first variant is the default. */
export const product = (
  number: number,
  name: string,
  skus: readonly string[],
  more: object = {},
): Written => ({
  ...document(number, name, { shapeIdentifier: "tea", ...more }),
  intent: "product/upsert",
  variants: skus.map((sku, i) => ({ sku, name: sku, ...(i === 0 && { isDefault: true }) })),
});
