import { readFileSync } from "node:fs";
import type { Random } from "../support/random.ts";
import { mutateJson, mutateText } from "./mutate.ts";

const root = new URL("../../", import.meta.url);

/** The operations of the examples, which have every intent. */
const operations = ["examples/quickstart.json", "examples/every-intent.json"].flatMap(
  (path) => JSON.parse(readFileSync(new URL(path, root), "utf8")).operations as object[],
);

/** Conditions that most entities meet, that few meet, and that are none. */
export const times = [
  "2100-01-01T00:00:00Z",
  "2100-01-01T00:00:00+01:00",
  "2020-01-01T00:00:00Z",
  "2020-01-01",
];

/** A mass operation file that is wrong in some way, or in none: some operations of the examples, then changed. */
export function mutatedFile(random: Random): Uint8Array<ArrayBuffer> {
  const from = random.below(operations.length);
  const some = structuredClone(operations.slice(from, from + 1 + random.below(8)));
  for (const operation of some)
    if (random.chance(0.1)) Object.assign(operation, { _ifUnchangedSince: random.pick(times) });
  const file: Record<string, unknown> = { version: "1.0.0", operations: some };
  // Most files that are wrong in several ways end with the check; those that are executed have one change or none.
  for (let i = random.pick([0, 1, 1, 2, 4]); i > 0; i--)
    mutateJson(random, random.chance(0.95) ? { file, some } : file);
  let text = JSON.stringify(file) ?? "";
  if (random.chance(0.2)) text = mutateText(random, text);
  const bytes = Buffer.from(text);
  if (random.chance(0.05)) bytes[random.below(bytes.length)] = random.below(256);
  return new Uint8Array(bytes);
}
