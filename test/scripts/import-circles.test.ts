import { expect, test } from "vitest";
import { importCircles } from "../../scripts/lint/import-rules.ts";

const source = (path: string, ...imports: string[]) => ({
  path,
  text: imports.map((line) => `${line};\n`).join(""),
});

test("files that import each other in a circle are reported once, also for types", () => {
  const circle = [
    source("packages/service/src/a.ts", 'import type { B } from "./b/b.ts"'),
    source("packages/service/src/b/b.ts", 'import { c } from "../c.ts"'),
    source("packages/service/src/c.ts", 'export { a } from "./a.ts"'),
    source("packages/service/src/d.ts", 'import { a } from "./a.ts"'),
  ];
  expect(importCircles(circle)).toEqual([
    "These import each other in a circle: packages/service/src/a.ts, packages/service/src/b/b.ts, packages/service/src/c.ts",
  ]);
});

test("files that import one another in one direction are not a circle", () => {
  const line = [
    source("src/a.ts", 'import "./b.ts"', 'import "./c.ts"'),
    source("src/b.ts", 'import "./c.ts"'),
  ];
  expect(importCircles([...line, source("src/c.ts")])).toEqual([]);
});
