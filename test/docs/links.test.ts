import { describe, expect, test } from "vitest";
import { docLinks, docPages, leadsSomewhere, unreachedPages } from "../../scripts/lint/doc-links.ts";
import { page } from "./pages.ts";

describe("a page of the documentation", () => {
  test.each(docLinks)("the link in $from leads to $to, $anchor", (link) => {
    expect(leadsSomewhere(link)).toBe(true);
  });

  test("every page of the documentation is reached from the README by links", () => {
    expect(unreachedPages()).toEqual([]);
  });

  test.each(docPages)(
    "%s runs the project's programs by existing npm scripts, so that an old Node runs them too",
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
