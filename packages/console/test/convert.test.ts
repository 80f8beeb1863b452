import { gzipSync } from "node:zlib";
import { exportMark } from "@lading/schema/internal";
import { describe, expect, test } from "vitest";
import { row, workbook } from "../../transform/test/workbooks.ts";
import { convertTable, previewLimits } from "../src/pages/run/worker/convert.ts";
import type { ConversionInput, TableFile } from "../src/pages/run/worker/jobs.ts";

const context = () => ({ signal: new AbortController().signal, onBytes: () => {} });

const groups = {
  columns: { size: "number" },
  operations: [{ intent: "customer/group/upsert", identifier: "[[id]]", name: "[[name]] [[size]]" }],
};

const tableOf = (content: string | Uint8Array<ArrayBuffer>): TableFile => ({
  file: new Blob([content]),
  format: "csv",
  encoding: undefined,
});

function converted(
  content: string | Uint8Array<ArrayBuffer>,
  map: unknown = groups,
  more: Partial<ConversionInput> = {},
) {
  const text = typeof map === "string" ? map : JSON.stringify(map, null, 2);
  const input = { table: tableOf(content), map: text, allCells: false, lookups: {}, maxBytes: 1e9, ...more };
  return convertTable(input, context());
}

const operationsIn = async (json: Blob | undefined) =>
  JSON.parse((await json?.text()) ?? "{}").operations as object[] | undefined;

const bytes = (buffer: Buffer) => new Uint8Array(buffer);

test("a table that cannot be read is an issue with its line, and makes no operations", async () => {
  const { table, issues, errorCount, json } = await converted(
    bytes(Buffer.from("id,name,size\na,Zoë,1\n", "latin1")),
  );
  expect([table, errorCount, json]).toEqual([undefined, 1, undefined]);
  expect(issues).toMatchObject([{ code: "InvalidEncoding", line: 2 }]);
});

test("a compressed table that is cut off is refused", async () => {
  const packed = bytes(gzipSync("id,name,size\na,Ada,1\n"));
  expect(await operationsIn((await converted(packed)).json)).toHaveLength(1);
  await expect(converted(packed.slice(0, -9))).rejects.toThrow("not a complete gzip file");
});

test("a map that is wrong has its problems with their positions, next to the table's first rows", async () => {
  const { problems, table, json } = await converted("id,name,size\na,Ada,1\n", { ...groups, colums: {} });
  expect(problems).toMatchObject([{ line: 12, path: ["colums"] }]);
  expect(table).toMatchObject({
    columns: ["id", "name", "size"],
    rows: [{ line: 2, cells: ["a", "Ada", "1"] }],
  });
  expect(json).toBeUndefined();
});

test("columns that the table lacks are problems of the map", async () => {
  const { problems, json } = await converted("id,nam,size\na,Ada,1\n");
  expect(problems.map(({ message }) => message)).toEqual([
    'the table has no column "name"; did you mean "nam"?',
  ]);
  expect(json).toBeUndefined();
});

test("errors are counted and the first kept, with their rows in the preview", async () => {
  const rows = Array.from({ length: 900 }, (_, i) => `g${i},Group,${i < 300 ? i : "many"}`);
  const report = await converted(`id,name,size\n${rows.join("\n")}\n`);
  expect([report.errorCount, report.issues.length, report.json]).toEqual([
    600,
    previewLimits.issues,
    undefined,
  ]);
  expect(report.issues[0]).toMatchObject({ line: 302, column: "size" });
  const lines = report.groups.map((group) => group.rows[0]?.line ?? 0);
  expect([lines.length, lines.at(19), lines.at(20), lines.at(-1)]).toEqual([40, 21, 302, 321]);
});

test("operations that are larger than the tenant may send are refused", async () => {
  const rows = Array.from({ length: 5_000 }, (_, i) => `g${i},Group,${i}`).join("\n");
  const refused = converted(`id,name,size\n${rows}\n`, groups, { maxBytes: 100_000 });
  await expect(refused).rejects.toThrow("more than 97.7 KiB of JSON, this tenant’s limit");
});

test("a conversion is aborted when no longer needed", async () => {
  const controller = new AbortController();
  const rows = Array.from({ length: 100_000 }, (_, i) => `g${i},Group,${i}`).join("\n");
  const input = {
    table: tableOf(`id,name,size\n${rows}\n`),
    map: JSON.stringify(groups),
    allCells: false,
    lookups: {},
    maxBytes: 1e9,
  };
  const onBytes = () => controller.abort(new Error("gone"));
  await expect(convertTable(input, { signal: controller.signal, onBytes })).rejects.toThrow("gone");
});

test("a table for lookups is waited for, and its issues name it", async () => {
  const map = {
    tables: { names: { key: "id" } },
    columns: { name: { type: "text", from: "id", lookup: { table: "names", column: "title" } } },
    operations: [{ intent: "customer/group/upsert", identifier: "[[id]]", name: "[[name]]" }],
  };
  const waiting = await converted("id\na\n", map);
  expect([waiting.map, waiting.json, waiting.errorCount]).toEqual([
    { tables: ["names"], isOfExport: false },
    undefined,
    0,
  ]);
  const twice = await converted("id\na\n", map, { lookups: { names: tableOf("id,title\na,Ada\na,Bob\n") } });
  expect(twice.issues).toMatchObject([{ code: "DuplicateKey", line: 3, table: "names" }]);
  expect(twice.json).toBeUndefined();
  const found = await converted("id\na\n", map, { lookups: { names: tableOf("id,title\na,Ada\n") } });
  expect(await operationsIn(found.json)).toMatchObject([{ name: "Ada" }]);
});

describe("an exported table", () => {
  const of = ["name", "size", "stock"];
  const map = {
    exported: { column: "_exported", of },
    columns: { size: "number", stock: "number" },
    operations: [
      {
        ...{ intent: "customer/group/upsert", identifier: "[[id]]" },
        ...{ name: "[[name]]", size: "[[size]]", $edited: ["name", "size"] },
      },
    ],
  };
  const sheetOf = (...edits: Record<string, string>[]) => {
    const rows = edits.map((edit, i) => {
      const cells = { name: "Group", size: "1", stock: `${i}` };
      const marks = Object.values(cells).map(exportMark).join("");
      return [`g${i}`, ...Object.values({ ...cells, ...edit }), marks].join();
    });
    return `id,${of.join()},_exported\n${rows.join("\n")}\n`;
  };

  test("without its marks is an error, but for all cells", async () => {
    const table = "id,name,size,stock\ng0,Group,1,0\n";
    const { issues, json, map: found } = await converted(table, map);
    expect([found?.isOfExport, json, issues[0]?.message]).toEqual([
      ...[true, undefined],
      expect.stringMatching(/no column "_exported".*choose all cells/),
    ]);
    const all = await converted(table, map, { allCells: true });
    expect(await operationsIn(all.json)).toMatchObject([{ identifier: "g0", name: "Group" }]);
  });

  test("has each cell that cannot be edited among its issues, and in the preview", async () => {
    const { issues, groups, json } = await converted(sheetOf({}, { size: "many", stock: "9" }), map);
    expect(issues).toMatchObject([
      { code: "ReadOnlyCell", line: 3, column: "stock" },
      { code: "InvalidNumber", line: 3, column: "size" },
    ]);
    expect([groups.map(({ rows }) => rows[0]?.line), json]).toEqual([[3], undefined]);
  });

  test("becomes operations of its edited rows, of which the preview has keys and edits", async () => {
    const edits = Array.from({ length: 60 }, (_, i): Record<string, string> => (i < 50 ? {} : { size: "2" }));
    const { json, counts, idle, columns, groups } = await converted(sheetOf(...edits), map);
    expect([counts.rows, counts.operations, idle, groups.length]).toEqual([60, 10, 50, 10]);
    expect(columns).toEqual(["id", ...of]);
    expect(groups[0]?.rows).toEqual([{ line: 52, cells: ["g50", "", "2", ""] }]);
    expect(await operationsIn(json)).toHaveLength(10);
  });
});

test("a workbook is recognized whatever its name, and its sheet is asked for only if there are several", async () => {
  const sheet = row("id", "name", "size") + row("a", "Ada", 7);
  const bookOf = (sheets: Record<string, string>) => bytes(Buffer.from(workbook({ sheets })));
  expect(await operationsIn((await converted(bookOf({ One: sheet, Empty: "" }))).json)).toMatchObject([
    { name: "Ada 7" },
  ]);
  const several = bookOf({ One: sheet, Two: row("id", "name", "size") + row("b", "Bob", "many") });
  const { sheets, errorCount, json } = await converted(several);
  expect([sheets, errorCount, json]).toEqual([["One", "Two"], 0, undefined]);
  const table = { ...tableOf(several), sheet: "Two" };
  const report = await converted("", groups, { table });
  expect(report.issues).toMatchObject([{ cell: "Two!C2", line: 2, column: "size" }]);
  expect(report.groups[0]?.rows).toEqual([{ line: 2, cells: ["b", "Bob", "many"] }]);
});

test("UTF-16 is recognized by its byte order mark", async () => {
  for (const encoded of [
    Buffer.from("\uFEFFid,name,size\na,Zoë,1\n", "utf16le"),
    Buffer.from("\uFEFFid,name,size\na,Zoë,1\n", "utf16le").swap16(),
  ])
    expect(await operationsIn((await converted(bytes(encoded))).json)).toMatchObject([{ name: "Zoë 1" }]);
});

test("a preview has the first rows next to their operations, and keeps neither long cells nor many rows", async () => {
  const map = {
    groupBy: "id",
    operations: [
      {
        intent: "shape/upsert",
        identifier: "[[id]]",
        name: "x",
        type: "product",
        components: [{ $each: "row", id: "[[name]]", name: "[[name]]", type: "singleLine" }],
      },
    ],
  };
  const rows = Array.from({ length: 30 }, (_, i) => `a,n${i}`).join("\n");
  const { groups, columns } = await converted(`id,name\n${rows}\nb,${"x".repeat(5_000)}\n`, map);
  expect(columns).toEqual(["id", "name"]);
  expect(groups.map(({ rows }) => rows.length)).toEqual([previewLimits.rowsOfGroup, 1]);
  expect(groups[1]?.rows[0]?.cells[1]).toHaveLength(previewLimits.cellLength + 2);
  expect(groups[1]?.operations[0]?.length).toBeLessThan(previewLimits.operationLength + 3);
});
