import { globSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { withTables } from "../../scripts/docs/docs-tables.ts";
import { codes, page, rows, section } from "./pages.ts";

const file = "docs/errors.md";
const text = page(file);

/** Codes in the sources: every string that looks like one, captured by `pattern`. */
function codesIn(glob: string, pattern: RegExp): string[] {
  const sources = globSync(glob).map((path) => readFileSync(path, "utf8"));
  expect(sources).not.toEqual([]);
  return sources.flatMap((source) => [...source.matchAll(pattern)].map(([, code]) => code as string));
}

const firstCodes = (table: string, cell = 0) => rows(table).flatMap((row) => codes(row[cell] ?? ""));
const sorted = (list: readonly string[]) => [...new Set(list)].sort();

describe(file, () => {
  test("docs/errors.md has the names and codes of the code: after a change, run `npm run generate`", () => {
    expect(text).toBe(withTables(file, text));
  });

  test("generating refuses a page without the markers of its tables", () => {
    expect(() => withTables(file, "# Errors")).toThrow(
      'docs/errors.md lacks the markers of its table "error names"',
    );
  });

  test("docs/errors.md has every code of content and of definitions", () => {
    const used = [
      ...codesIn(
        "packages/{service/src/domain/content-rules,schema/src/content}/*.ts",
        /"([A-Z][a-z]+(?:[A-Z][a-z]+)+)"/g,
      ),
      ...codesIn("packages/service/src/domain/content/check.ts", /code: "([A-Z][A-Za-z]+)"/g),
    ];
    expect(sorted(firstCodes(section(text, "Content")))).toEqual(sorted(used));
  });

  test("docs/errors.md has every code of the fields of an operation", () => {
    const used = [
      ...codesIn("packages/schema/src/{components,resources,templates}/*.ts", /code: "([A-Z][A-Za-z]+)"/g),
      ...codesIn(
        "packages/schema/src/{*,{operation,problems,schema-walk}/*}.ts",
        /(?:code: |mismatch\(|\?\? )"([A-Z][A-Za-z]+)"/g,
      ),
    ];
    const table = section(text, "Issues of a file").split("<!-- end of issue codes -->")[1] as string;
    expect(sorted(firstCodes(table))).toEqual(sorted(used));
  });

  test("docs/errors.md has every refusal of an upload, with its status", () => {
    const sources = globSync("packages/service/src/uploads/*.ts").map((path) => readFileSync(path, "utf8"));
    const pairs = sources.flatMap((source) => [
      ...source.matchAll(/(?:UploadRefused\(|\[)\s*(\d{3}|error\.statusCode),\s*"([A-Za-z]+)"/g),
    ]);
    const used = pairs.map(([, status, code]) => `${Number(status) || "4xx"} ${code}`);
    const listed = rows(section(text, "Uploads")).map(
      ([status, code]) => `${status} ${codes(code ?? "")[0]}`,
    );
    expect(sorted(listed)).toEqual(sorted(used));
  });

  test("docs/errors.md has every refusal of the HTTP server, with its status", () => {
    const sources = globSync("packages/service/src/http/*.ts").map((path) => readFileSync(path, "utf8"));
    const pairs = sources.flatMap((source) => [
      ...source.matchAll(/HttpFailure\(\s*(\d{3}),\s*"([A-Za-z]+)"/g),
    ]);
    const used = pairs.map(([, status, code]) => `${status} ${code}`);
    const listed = rows(section(text, "HTTP")).flatMap(([status, code]) =>
      codes(code ?? "").map((name) => `${status} ${name}`),
    );
    expect(listed).toEqual(expect.arrayContaining(sorted(used)));
  });
});
