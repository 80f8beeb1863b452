import { checkOperationFile } from "@lading/schema";
import fc from "fast-check";
import { expect, test } from "vitest";
import { renderPayload } from "../../packages/service/src/templates/render-payload.ts";
import { convert } from "../../packages/transform/src/convert.ts";
import { DataIssues } from "../../packages/transform/src/issues.ts";
import { compileMap } from "../../packages/transform/src/map/compile-map.ts";
import { readCsv } from "../../packages/transform/src/read/csv.ts";
import { utf8Of } from "../../packages/transform/src/read/encoding.ts";
import { readNdjson } from "../../packages/transform/src/read/ndjson.ts";
import { runs } from "../support/extent.ts";

const names = ["id", "a", "Unit Price", "ümläut"] as const;

const map = {
  columns: Object.fromEntries(names.map((name) => [name, { type: "text", empty: "keep" }])),
  operations: [
    {
      intent: "customer/upsert",
      identifier: "c-[[id]]-[[id]]",
      type: "individual",
      meta: names.map((key) => ({ key, value: `[[${key}]]` })),
    },
  ],
};

/** Any text that a database column accepts, including characters with a meaning in CSV and templates. */
const cell = fc.oneof(
  fc.string({ unit: "grapheme" }).map((text) => text.replaceAll("\0", "")),
  fc.string({ unit: fc.constantFrom(...',;\t"\r\n{}\\!=+@ x') }),
);
const rows = fc.array(fc.tuple(cell, cell, cell, cell), { maxLength: 8 });

/** The bytes in chunks of this size. */
async function* chunksOf(text: string, size: number) {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

/** Converts rows, checks the file, and renders its operations like a run. */
async function readBack(read: (columns: never, issues: DataIssues) => ReturnType<typeof readCsv>) {
  const { map: compiled } = compileMap(JSON.stringify(map));
  if (compiled === undefined) expect.fail("the map is wrong");
  const issues = new DataIssues();
  let file = "";
  const counts = { rows: 0, leftOut: 0, operations: 0 };
  for await (const piece of convert(read(compiled.columns as never, issues), compiled, issues, counts))
    file += piece;
  const report = await checkOperationFile(chunksOf(file, 1_000), {});
  expect(report).toMatchObject({ errorCount: 0, operations: counts.rows });
  const scope = { lookup: () => undefined, names: () => [], defaults: {}, helpers: {} };
  const operations: object[] = JSON.parse(file).operations;
  return Promise.all(
    operations.map(async (operation) => {
      const { payload } = await renderPayload(operation, scope);
      const { identifier, meta } = payload as { identifier: string; meta: { value: string }[] };
      return [identifier, ...meta.map(({ value }) => value)];
    }),
  );
}

const expected = (cells: readonly string[]) => [`c-${cells[0]}-${cells[0]}`, ...cells];

test("operations converted from any table have its cells, read as a run reads them", async () => {
  const written = fc.record({
    rows,
    size: fc.integer({ min: 1, max: 50 }),
    delimiter: fc.constantFrom(",", ";", "\t"),
    end: fc.constantFrom("\n", "\r\n"),
    mark: fc.constantFrom("", "\uFEFF"),
    quotesAll: fc.boolean(),
  });
  const property = fc.asyncProperty(written, async ({ rows, size, delimiter, end, mark, quotesAll }) => {
    const write = (text: string) =>
      quotesAll || text === "" || /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
    const table = mark + [names, ...rows].map((cells) => cells.map(write).join(delimiter) + end).join("");
    const back = await readBack((columns, issues) =>
      readCsv(utf8Of(chunksOf(table, size), "utf-8"), columns, issues),
    );
    expect(back).toEqual(rows.map(expected));
  });
  await fc.assert(property, { numRuns: runs(150) });
});

test("operations converted from any NDJSON have its values", async () => {
  const property = fc.asyncProperty(
    rows.filter(({ length }) => length > 0),
    fc.integer({ min: 1, max: 50 }),
    async (rows, size) => {
      const objects = rows.map((cells) => Object.fromEntries(cells.map((text, at) => [names[at], text])));
      const table = objects.map((object) => `${JSON.stringify(object)}\n`).join("");
      const back = await readBack((columns, issues) =>
        readNdjson(utf8Of(chunksOf(table, size), "utf-8"), columns, issues),
      );
      expect(back).toEqual(rows.map(expected));
    },
  );
  await fc.assert(property, { numRuns: runs(100) });
});
