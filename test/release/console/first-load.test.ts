import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";

const dist = join(import.meta.dirname, "../../../packages/console/dist");

/** In bytes, compressed by gzip. */
const mostOfFirstLoad = 160_000;

test("the first load of the console is at most 160 kB compressed", () => {
  const page = readFileSync(join(dist, "index.html"), "utf8");
  const names = Array.from(
    page.matchAll(/(?:src|href)="\/console\/(assets\/[^"]+)"/g),
    ([, name = ""]) => name,
  );
  expect(names.filter((name) => name.endsWith(".js"))).not.toEqual([]);
  const sizes = names.map((name) => gzipSync(readFileSync(join(dist, name)), { level: 9 }).length);
  const size = sizes.reduce((sum, each) => sum + each, 0);
  console.log(`first load of the console: ${size} bytes`);
  expect(size).toBeLessThanOrEqual(mostOfFirstLoad);
});

test("the page of the console loads nothing from another host", () => {
  expect(readFileSync(join(dist, "index.html"), "utf8")).not.toMatch(/(?:src|href)="(?!\/console\/)/);
});
