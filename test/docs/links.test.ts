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

const links = globSync("docs/*.md").flatMap((from) =>
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
});
