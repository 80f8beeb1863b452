import { expect, test } from "vitest";
import { literalTemplate } from "../../src/internal.ts";

test("making a text a template takes no longer for a run of backslashes than for other characters", () => {
  const backslashes = "\\".repeat(1_000_000);
  const begin = performance.now();
  expect(literalTemplate(`${backslashes}x`)).toBe(`${backslashes}x`);
  expect(performance.now() - begin).toBeLessThan(5_000);
});
