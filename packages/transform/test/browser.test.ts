import { fileURLToPath } from "node:url";
import { build } from "vite";
import { expect, onTestFinished, test, vi } from "vitest";
import * as node from "../src/index.ts";
import { customers } from "./converting.ts";

/** The package, bundled for browsers. */
async function bundle(): Promise<typeof node> {
  const built = await build({
    configFile: false,
    logLevel: "error",
    root: fileURLToPath(new URL("..", import.meta.url)),
    build: { write: false, lib: { entry: "src/index.ts", formats: ["es"] } },
  });
  const [{ output } = { output: undefined }] = Array.isArray(built) ? built : [];
  const [{ code, imports }] = output ?? expect.fail("no bundle");
  expect([imports, code.includes("browser-external")]).toEqual([[], false]);
  return import(/* @vite-ignore */ `data:text/javascript,${encodeURIComponent(code)}`);
}

const bundled = bundle();

test.each([
  ["csv", 'id;name;x\r\nada;"Zoë\n{{";1\r\n', 1],
  ["csv", "id,name\nada,Ada\nbob\n", 2],
  ["ndjson", '{"id":"ada","name":"Zoë"}\n', 1],
] as const)("a browser converts %s as Node does: %j", async (format, table, rows) => {
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

async function* chunksOf(table: string) {
  const bytes = new TextEncoder().encode(table);
  for (let at = 0; at < bytes.length; at += 7) yield bytes.subarray(at, at + 7);
}
