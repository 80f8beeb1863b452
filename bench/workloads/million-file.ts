import { createWriteStream } from "node:fs";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { preparation, productUpsert } from "./workload.ts";

/** The furthest an operation looks back. */
const furthest = 10_000;
/** Operations written together. */
const together = 500;

/**
 * Writes a file of product upserts, a few of them in memory at a time: each of about `bytesEach` bytes; every
 * fourth prints the id of one up to 10,000 operations earlier.
 */
export async function writeMillion(path: string, operations: number, bytesEach: number): Promise<void> {
  await pipeline(Readable.from(pieces(operations, bytesEach)), createWriteStream(path));
}

function* pieces(operations: number, bytesEach: number): Generator<string> {
  yield '{"version":"1.0.0","operations":[\n';
  yield preparation.map((operation) => JSON.stringify(operation)).join(",\n");
  const products = operations - preparation.length;
  for (let first = 0; first < products; first += together) {
    const length = Math.min(together, products - first);
    yield Array.from({ length }, (_, i) => `,\n${operationText(first + i, bytesEach)}`).join("");
  }
  yield "\n]}\n";
}

function operationText(number: number, bytesEach: number): string {
  const { name, ...payload } = productUpsert(number, 0);
  const to = number % 4 === 3 ? referredBy(number) : undefined;
  const operation = {
    ...(number % 4 === 0 && { _ref: `p${number}` }),
    intent: "product/upsert",
    ...payload,
    name: to === undefined ? name : `${name}, as {{ p${to}.id }}`,
  };
  const missing = bytesEach - JSON.stringify(operation).length - ",\n".length;
  const [summary, ...others] = payload.components;
  const text = summary?.singleLine?.text ?? "";
  const longer = text.padEnd(text.length + missing, " and a word more");
  return JSON.stringify({
    ...operation,
    components: [{ ...summary, singleLine: { text: longer } }, ...others],
  });
}

/** A multiple of four, spread evenly over the earlier ones. */
function referredBy(number: number): number {
  const back = 3 + ((number * 7_919) % Math.min(furthest - 3, number - 2));
  return number - back - ((number - back) % 4);
}
