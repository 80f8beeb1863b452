import { compare } from "../../src/diff/compare.ts";
import { operation } from "../../src/diff/fields.ts";
import type { Omission } from "../../src/diff/omission.ts";
import { DumpReader } from "../../src/diff/reading/dump-reader.ts";

export type Written = { readonly intent: string; readonly [field: string]: unknown };

export const id = (number: number) => number.toString(16).padStart(24, "0");

export const dumpOf = (operations: readonly Written[]): string =>
  `{"version":"1.0.0","operations":[\n${operations
    .map(({ intent, ...fields }) => JSON.stringify(operation(intent, fields)))
    .join(",\n")}\n]}\n`;

/** Indexes a dump that is held in memory. */
export function readDump(text: string, omissions: readonly Omission[] = [], Reader = DumpReader) {
  const [bytes, decoder] = [new TextEncoder().encode(text), new TextDecoder()];
  const read = (offset: number, length: number) => decoder.decode(bytes.subarray(offset, offset + length));
  const reader = new Reader({ read });
  reader.add(text);
  return reader.end(omissions);
}

export function difference(from: readonly Written[], to: readonly Written[], deletes = false) {
  const [before, after] = [readDump(dumpOf(from)), readDump(dumpOf(to))];
  const { operations, changes } = compare(before, after, { deletes, isCompared: () => true });
  const found = [...operations];
  const counts = changes.counts.map(({ noun, change, count }) => `${noun} ${change} ${count}`);
  return { operations: found, counts, remainders: changes.remainders.map(({ what }) => what) };
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
