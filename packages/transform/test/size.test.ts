import { expect, test } from "vitest";
import { valuesIn } from "../src/size.ts";

test.each([
  ["{}", 1],
  ['{"a":[1,2],"b":"[,{"}', 4],
  ['{"a":"\\"[,","b":"\\\\"}', 2],
  ['"', 0],
])("counts brackets and commas outside of strings in the JSON %s", (json, count) => {
  expect(valuesIn(json)).toBe(count);
});

test("an unterminated text, and one of ten million characters, are scanned once", () => {
  const begin = performance.now();
  expect(valuesIn(`"${'\\"'.repeat(1_000_000)}`)).toBe(0);
  expect(valuesIn(`["${"x".repeat(10_000_000)}"]`)).toBe(1);
  expect(performance.now() - begin).toBeLessThan(5_000);
});
