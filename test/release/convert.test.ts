import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bin } from "../support/lading.ts";

/** Heap limit in MiB, smaller than the tables and the files. */
const heap = 40;
/** Rows; their operations, of some 450 bytes each, take 54 MB as text alone. */
const count = 120_000;

const operation = {
  intent: "product/upsert",
  resourceIdentifier: "[[Handle]]",
  language: "en",
  shapeIdentifier: "tea",
  name: "[[Name]]",
  vatTypeId: "{{ defaults.vatTypeIds.[0] }}",
  variants: [
    {
      $each: "row",
      sku: "[[SKU]]",
      name: "[[Name]]",
      images: [{ key: "{{ upload [[Image]] }}" }],
    },
  ],
};

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "lading-convert-"));
});
afterAll(() => rm(folder, { recursive: true }));

/** Converts a table from standard input, within a small heap. */
async function convert(pieces: Iterable<string | Buffer>, map: object, ...args: string[]) {
  const mapFile = join(folder, "map.json");
  await writeFile(mapFile, JSON.stringify(map));
  const child = spawn(
    process.execPath,
    [`--max-old-space-size=${heap}`, bin, "convert", "-", "--map", mapFile, ...args],
    { stdio: ["pipe", "ignore", "pipe"] },
  );
  let stderr = "";
  child.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  child.stdin.on("error", () => {});
  Readable.from(pieces).pipe(child.stdin);
  const [code] = await once(child, "close");
  return { code, stderr };
}

function* rows(count: number, inGroup: number) {
  yield "SKU,Name,Image,Handle\n";
  for (let row = 0; row < count; row += 1_000)
    yield Array.from({ length: 1_000 }, (_, index) => {
      const number = row + index;
      return `sku-${number},"Tea, ${number}",https://images.example.com/${number}.jpg,h-${Math.floor(number / inGroup)}\n`;
    }).join("");
}

test.each([
  ["one operation for each row", 1, { operations: [{ ...operation, $when: { SKU: { not: "" } } }] }],
  ["groups of two", 2, { groupBy: "Handle", operations: [operation] }],
  [
    "distinct values",
    2,
    {
      $distinct: "Handle",
      intent: "customer/group/upsert",
      identifier: "[[Handle]]",
      name: "[[Name]]",
    },
  ],
])("120,000 rows are converted in a small heap: %s", async (_what, inGroup, map) => {
  const { code, stderr } = await convert(rows(count, inGroup), "intent" in map ? { operations: [map] } : map);
  const operations = (count / inGroup).toLocaleString("en-US");
  expect([code, stderr]).toEqual([0, `${operations} operations of 120,000 rows\n`]);
});

/** A cell of 128 MiB, after this text. */
function* endless(before: string) {
  yield before;
  const piece = Buffer.alloc(1024 ** 2, "x");
  for (let written = 0; written < 128; written++) yield piece;
}

test.each([
  [
    "in quotation marks",
    'SKU,Name,Image,Handle\na,b,c,d\na,"',
    [],
    "<stdin>:3: error: the row is longer than 16 MiB",
  ],
  ["without them", "SKU,Name,Image,Handle\na,", [], "<stdin>:2: error: the row is longer than 16 MiB"],
  ["in the header", "", [], "<stdin>:1: error: the row is longer than 16 MiB"],
  ["of NDJSON", '{"SKU":"', ["--format", "ndjson"], "<stdin>:1: error: the line is longer than 16 MiB"],
])("a cell of 128 MiB is refused in a small heap: %s", async (_what, before, args, message) => {
  const { code, stderr } = await convert(endless(before), { operations: [operation] }, ...args);
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
});
