import { describe, expect, test } from "vitest";
import { Causes, causeOf } from "../../src/internal.ts";

describe("the cause stated by a message", () => {
  test.each([
    ['No customer has the identifier "ann-17"', 'No customer has the identifier "…"'],
    ["stock would be -3 at 6561f0c2a1b2c3d4e5f60718", "stock would be … at …"],
    [
      "its log has it under the reference 0b6f7c9e-8a3c-4f0e-9d6b-1c2d3e4f5a6b",
      "its log has it under the reference …",
    ],
    ['is "a b" (and 12 more)', 'is "…" (and … more)'],
    ['ends within "a quotation', 'ends within "…"'],
    [String.raw`The item "24\" monitor" (6561f0c2a1b2c3d4e5f60718) is red`, 'The item "…" (…) is red'],
    ['No item has the path "a\\', 'No item has the path "…"'],
    ["two\nlines\0", "two lines "],
    ['No product variant has the SKU "tee-1"; did you mean "tee-2"?', 'No product variant has the SKU "…"'],
    ['no location "a"; did you mean "b" or "c"? It has "b"', 'no location "…" It has "…"'],
  ])("%j has the cause %j", (message, cause) => {
    expect(causeOf(message)).toBe(cause);
  });

  test("a cause has at most 200 characters, and no half of a surrogate pair", () => {
    expect(causeOf("a ".repeat(1_000))).toHaveLength(200);
    expect(causeOf(`${"a".repeat(199)}😀`)).toBe("a".repeat(199));
  });

  test.each(['"', "\\", '"\\', "a", "1", "-", "ü", '"a', "\n"])(
    "a message of millions of %j takes no time",
    (piece) => {
      const began = performance.now();
      causeOf(piece.repeat(1_000_000));
      expect(performance.now() - began).toBeLessThan(1_000);
    },
  );
});

describe("problems by cause", () => {
  test("a hundred causes are kept apart, and the problems of any others are counted together", () => {
    const causes = new Causes<"error" | "warning", number>("error", "warning");
    for (let i = 0; i < 1_000; i++)
      causes.count("warning", `${"abcdefghij"[i % 10]} ${"ab".repeat(i / 10)}`)?.(i);
    const list = causes.list();
    expect(list).toHaveLength(101);
    expect(list.at(-1)).toEqual({ kind: "warning", text: null, count: 900, examples: [100, 101, 102] });
  });

  test("errors come before warnings, and the most frequent cause first", () => {
    const causes = new Causes<"error" | "warning", number>("error", "warning");
    for (let i = 0; i < 9; i++) causes.count("warning", "unknown")?.(i);
    causes.count("error", "rare")?.(9);
    for (let i = 10; i < 15; i++) causes.count("error", `no item "${i}"`)?.(i);
    expect(causes.list()).toEqual([
      { kind: "error", text: 'no item "…"', count: 5, examples: [10, 11, 12] },
      { kind: "error", text: "rare", count: 1, examples: [9] },
      { kind: "warning", text: "unknown", count: 9, examples: [0, 1, 2] },
    ]);
  });

  test("problems with the same message keep its values", () => {
    const causes = new Causes<"error", never>("error");
    for (let i = 0; i < 5; i++) causes.count("error", 'no price variant "us"');
    expect(causes.list()).toMatchObject([{ text: 'no price variant "us"', count: 5 }]);
  });

  test("problems of two fields have two causes, which name the field", () => {
    const causes = new Causes<"warning", number>("warning");
    const unknown = (field: string, known: string) =>
      `"${field}" is not a known field; known here: "${known}"`;
    for (let i = 0; i < 9; i++) causes.count("warning", unknown("colour", `sku-${i}`), "colour")?.(i);
    causes.count("warning", unknown("wheels", "sku"), "wheels")?.(9);
    for (const type of ["a", "b"]) causes.count("warning", `expected "c", got "${type}"`, "type")?.(10);
    expect(causes.list()).toMatchObject([
      { text: unknown("colour", "…"), field: undefined, count: 9 },
      { text: 'expected "…", got "…"', field: "type", count: 2 },
      { text: unknown("wheels", "sku"), field: undefined, count: 1 },
    ]);
  });

  test("the examples of a cause differ if its problems do", () => {
    const causes = new Causes<"error", string>("error");
    for (const sku of ["a", "a", "a", "a", "b", "a", "c", "d"])
      causes.count("error", `no SKU "${sku}"`)?.(sku);
    expect(causes.list()).toMatchObject([{ count: 8, examples: ["a", "b", "c"] }]);
  });
});
