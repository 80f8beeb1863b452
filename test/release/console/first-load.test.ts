import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";

const home = join(import.meta.dirname, "../../../packages/console");
const dist = join(home, "dist");

/** In bytes, compressed by gzip. */
const most = { firstLoad: 160_000, page: 120_000, editor: 140_000 };

const page = readFileSync(join(dist, "index.html"), "utf8");
const firstLoad = Array.from(
  page.matchAll(/(?:src|href)="\/console\/(assets\/[^"]+)"/g),
  ([, name = ""]) => name,
);
const sizeOf = (names: readonly string[]) =>
  names.reduce((sum, name) => sum + gzipSync(readFileSync(join(dist, name)), { level: 9 }).length, 0);

test("the first load of the console is at most 160 kB compressed", () => {
  expect(firstLoad.filter((name) => name.endsWith(".js"))).not.toEqual([]);
  const size = sizeOf(firstLoad);
  console.log(`first load of the console: ${size} bytes`);
  expect(size).toBeLessThanOrEqual(most.firstLoad);
});

test("each page of the console is at most 120 kB more, and the editor comes after its page", () => {
  const entry = readFileSync(join(dist, firstLoad.find((name) => /\/index-[^/]*\.js$/.test(name))!), "utf8");
  const files: string[] = JSON.parse(/__vite__mapDeps.*?m\.f=(\[[^\]]*\])/s.exec(entry)![1]!);
  const pages = Array.from(
    entry.matchAll(/import\([^()]*page-[^()]*\)[^()]*__vite__mapDeps\((\[[\d,]*\])\)/g),
    ([, indexes = ""]) => (JSON.parse(indexes) as number[]).map((index) => files[index]!),
  );
  expect(pages).toHaveLength(globSync("src/pages/*/page.tsx", { cwd: home }).length);
  const sizes = pages.map((names) => sizeOf(names.filter((name) => !firstLoad.includes(name))));
  console.log(`pages of the console: ${sizes.sort((a, b) => b - a).join(", ")} bytes more`);
  expect(sizes[0]).toBeLessThanOrEqual(most.page);
  const editor = globSync("assets/editor-*.js", { cwd: dist });
  expect(editor).toHaveLength(1);
  expect(pages.flat()).not.toContain(editor[0]);
  expect(sizeOf(editor)).toBeLessThanOrEqual(most.editor);
});

test("what the console loads is compressed in each build", () => {
  const loaded = globSync("assets/*.{js,css,json,svg}", { cwd: dist });
  const compressed = globSync("assets/*.{br,gz}", { cwd: dist });
  expect(compressed.sort()).toEqual(loaded.flatMap((name) => [`${name}.br`, `${name}.gz`]).sort());
});

test("the page of the console loads nothing from another host", () => {
  expect(page).not.toMatch(/(?:src|href)="(?!\/console\/)/);
});
