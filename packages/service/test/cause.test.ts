import { describe, expect, test } from "vitest";
import { causeOf } from "../src/errors.ts";

describe("the cause that a message states", () => {
  test.each([
    ['No customer has the identifier "ann-17"', 'No customer has the identifier "…"'],
    ["stock would be -3 at 6561f0c2a1b2c3d4e5f60718", "stock would be … at …"],
    [
      "its log has it under the reference 0b6f7c9e-8a3c-4f0e-9d6b-1c2d3e4f5a6b",
      "its log has it under the reference …",
    ],
    ['is "a b" (and 12 more)', 'is "…" (and … more)'],
    ['ends within "a quotation', 'ends within "…"'],
    ["two\nlines\0", "two lines "],
  ])("%j has the cause %j", (message, cause) => {
    expect(causeOf(message)).toBe(cause);
  });

  test("a cause has at most 200 characters, and no half of one", () => {
    expect(causeOf("a ".repeat(1_000))).toHaveLength(200);
    expect(causeOf(`${"a".repeat(199)}😀`)).toBe("a".repeat(199));
  });

  test.each(['"', "a", "1", "-", "ü", '"a', "\n"])("a message of millions of %j takes no time", (piece) => {
    const began = performance.now();
    causeOf(piece.repeat(1_000_000));
    expect(performance.now() - began).toBeLessThan(1_000);
  });
});
