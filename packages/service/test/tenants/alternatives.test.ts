import { expect, test } from "vitest";
import { alternatives } from "../../src/tenants/alternatives.ts";

test("the nearest name is suggested and comes first, however long names are", () => {
  expect(alternatives("eurr", ["usd", "eur"])).toBe('did you mean "eur"? It has "eur", "usd"');
  const long = "a-long-name-of-a-price-variant-".repeat(3);
  expect(alternatives(`${long}s`, ["usd", long])).toBe(`did you mean "${long}"? It has "${long}", "usd"`);
});

test("names are listed in order when none is similar", () => {
  expect(alternatives("gbp", ["a", "default"])).toBe('it has "a", "default"');
  expect(alternatives("gbp", [])).toBe("it has none");
});
