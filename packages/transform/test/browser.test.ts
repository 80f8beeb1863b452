import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { build } from "vite";
import { afterAll, expect, onTestFinished, test, vi } from "vitest";
import { runs } from "../../../test/support/extent.ts";
import * as diff from "../src/diff/index.ts";
import * as hashes from "../src/diff/sha1/browser.ts";
import { sha1Hex, sha1Key } from "../src/diff/sha1/node.ts";
import * as node from "../src/index.ts";
import * as presetMaps from "../src/presets/index.ts";
import { customers } from "./converting.ts";
import { document, dumpOf, product, readDump } from "./diff/dump-of.ts";
import { row, workbook } from "./workbooks.ts";

const folders: string[] = [];
afterAll(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true }))));

/** An entry of the package as a bundler for browsers makes it. */
async function bundle<Exports>(entry: string): Promise<Exports> {
  const built = await build({
    configFile: false,
    logLevel: "error",
    root: fileURLToPath(new URL("..", import.meta.url)),
    build: {
      write: false,
      lib: { entry, formats: ["es"] },
      // A module of a data URL cannot load others.
      rolldownOptions: { output: { codeSplitting: false } },
    },
  });
  const [{ output } = { output: undefined }] = Array.isArray(built) ? built : [];
  if (output === undefined) expect.fail("no bundle");
  const [{ code, imports, fileName }] = output;
  expect([imports, code.includes("browser-external")]).toEqual([[], false]);
  const folder = await mkdtemp(join(tmpdir(), "lading-bundle-"));
  folders.push(folder);
  for (const chunk of output)
    if (chunk.type === "chunk") await writeFile(join(folder, chunk.fileName), chunk.code);
  await writeFile(join(folder, "package.json"), '{"type":"module"}');
  return import(/* @vite-ignore */ join(folder, fileName));
}

const bundled = bundle<typeof node>("src/index.ts");

test.each([
  ["csv", 'id;name;x\r\nada;"Zoë\n{{";1\r\n', 1],
  ["csv", "id,name\nada,Ada\nbob\n", 2],
  ["ndjson", '{"id":"ada","name":"Zoë"}\n', 1],
  ["json", '[{"id":"ada","name":"Zoë"}]', 1],
  ["xlsx", workbook({ sheets: { A: row("id", "name") + row("ada", "Zoë") } }), 1],
] as const)("a browser converts %s as Node does: %#", async (format, table, rows) => {
  const read = async ({ compileMap, convert, DataIssues, rowsOf }: typeof node) => {
    const { map } = compileMap(JSON.stringify(customers));
    if (map === undefined) expect.fail("the map is wrong");
    const [issues, counts] = [new DataIssues(), { rows: 0, leftOut: 0, operations: 0 }];
    const batches = rowsOf(chunksOf(table), map.columns, issues, { format, encoding: "utf-8" });
    let text = "";
    try {
      for await (const piece of convert(batches, map, issues, counts)) text += piece;
    } catch (error) {
      expect(error).toMatchObject({ name: "InvalidData" });
    }
    return { text, issues: issues.kept, counts };
  };
  const expected = await read(node);
  const browser = await bundled;
  vi.stubGlobal("Buffer", undefined);
  onTestFinished(() => void vi.unstubAllGlobals());
  expect(await read(browser)).toEqual(expected);
  expect(expected.counts.rows + expected.issues.length).toBe(rows);
});

test("a browser loads the map of a preset when it needs it, and compiles it", async () => {
  const { presetMap, presets } = await bundle<typeof presetMaps>("src/presets/index.ts");
  expect(Object.keys(presets)).toEqual(Object.keys(presetMaps.presets));
  for (const [name, preset] of Object.entries(presets)) {
    const text = await presetMap(preset);
    expect(text).toBe(await presetMaps.presetMap(presetMaps.presets[name]!));
    expect((await bundled).compileMap(text).problems).toBeUndefined();
  }
});

test("a browser reads and compares dumps as Node does", async () => {
  const browser = await bundle<typeof diff>("src/diff/index.ts");
  const dumps = [[document(1, "Zoë")], [document(1, "Ada"), product(2, "Tea", ["a", "b"])]].map(dumpOf);
  const compared = ({ compare, DumpReader }: typeof diff) => {
    const [from, to] = dumps.map((dump) => readDump(dump, [], DumpReader));
    return [...compare(from!, to!, { deletes: true, isCompared: () => true }).operations];
  };
  const expected = compared(diff);
  expect(expected).toHaveLength(3);
  vi.stubGlobal("Buffer", undefined);
  onTestFinished(() => void vi.unstubAllGlobals());
  expect(compared(browser)).toEqual(expected);
});

test("a browser makes the same keys as Node", () => {
  const check = (text: string) => {
    expect([hashes.sha1Key(text), hashes.sha1Hex(text)]).toEqual([sha1Key(text), sha1Hex(text)]);
  };
  for (let length = 0; length < 200; length++) check("é".repeat(length));
  fc.assert(fc.property(fc.string({ unit: "grapheme" }), check), { numRuns: runs(300) });
});

async function* chunksOf(table: string | Uint8Array) {
  const bytes = typeof table === "string" ? new TextEncoder().encode(table) : table;
  for (let at = 0; at < bytes.length; at += 7) yield bytes.subarray(at, at + 7);
}
