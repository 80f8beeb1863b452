import { existsSync, globSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { page } from "./pages.ts";

/** The anchors of a page, made from its headings as GitHub does. */
function anchors(path: string): string[] {
  return [...page(path).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

const pages = [
  "README.md",
  "ARCHITECTURE.md",
  "CONTRIBUTING.md",
  "examples/README.md",
  ...globSync("docs/**/*.md"),
];

const links = pages.flatMap((from) =>
  [...page(from).matchAll(/\]\((?!https?:)([^)#]*)(?:#([^)]*))?\)/g)].map(([, path, anchor]) => ({
    from,
    to: path ? join(dirname(from), path) : from,
    anchor,
  })),
);

describe("a page of the documentation", () => {
  test.each(links)("$from leads to $to, $anchor", ({ to, anchor }) => {
    expect(existsSync(to)).toBe(true);
    if (anchor !== undefined) expect(anchors(to)).toContain(anchor);
  });

  test("is reached from the README by links", () => {
    const reached = new Set(["README.md"]);
    for (const from of reached) for (const link of links) if (link.from === from) reached.add(link.to);
    expect(pages.filter((one) => !reached.has(one))).toEqual([]);
  });

  test.each(pages)(
    "%s runs programs of the project by scripts of npm that there are: an old Node runs them too",
    (from) => {
      expect(
        [...page(from).matchAll(/\bnode (?:bench|scripts|test|packages)\/\S+/g)].map(([command]) => command),
      ).toEqual([]);
      const { scripts } = JSON.parse(page("package.json")) as { scripts: Record<string, string> };
      const run = [...page(from).matchAll(/\bnpm run ([\w:-]+)/g)].map(([, name]) => name);
      expect(run.filter((name) => !(name && name in scripts))).toEqual([]);
    },
  );
});
