import { expect, test } from "vitest";
import { valuesIn } from "../src/size.ts";

test.each([
  ["{}", 1],
  ['{"a":[1,2],"b":"[,{"}', 4],
  ['{"a":"\\"[,","b":"\\\\"}', 2],
  ['"', 0],
])("of the JSON %s the brackets and commas outside of texts count", (json, count) => {
  expect(valuesIn(json)).toBe(count);
});

test("a text that does not end, and one of ten million characters, are gone through once", () => {
  const begin = performance.now();
  expect(valuesIn(`"${'\\"'.repeat(1_000_000)}`)).toBe(0);
  expect(valuesIn(`["${"x".repeat(10_000_000)}"]`)).toBe(1);
  expect(performance.now() - begin).toBeLessThan(5_000);
});
