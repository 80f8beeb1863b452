import { expect, test } from "vitest";
import { countOf, durationText, moneyText, percentText, rateText } from "../src/ui/format.ts";

test("a part is never 100 % before it is complete", () => {
  expect(percentText(999_999, 1_000_000)).toBe("99.9 %");
  expect(percentText(0, 0)).toBe("0 %");
  expect(percentText(10, 10)).toBe("100 %");
});

test.each([
  [0.02, "<0.1 ms"],
  [0.42, "0.4 ms"],
  [850, "850 ms"],
  [4_250, "4.2 s"],
  [59_990, "59.9 s"],
  [60_000, "1 min"],
  [200_400, "3 min 20 s"],
  [3_599_999, "59 min 59 s"],
  [7_500_000, "2 h 5 min"],
  [100 * 3_600_000, "4 d 4 h"],
])("%d milliseconds are %s", (milliseconds, text) => {
  expect(durationText(milliseconds)).toBe(text);
});

test("counts have their noun, and thousands are separated", () => {
  expect(countOf(1, "operation")).toBe("1 operation");
  expect(countOf(4_210, "entity", "entities")).toBe("4,210 entities");
});

test("a rate has as many digits as matter", () => {
  expect([0.384, 4.21, 3_120.7].map(rateText)).toEqual(["0.38/s", "4.2/s", "3,121/s"]);
});

test.each([
  [12.5, "EUR", "12.50 EUR"],
  [0.1234, "EUR", "0.1234 EUR"],
  [1_200, "JPY", "1,200 JPY"],
  [-3, "USD", "-3.00 USD"],
  [7.5, "points", "7.5 points"],
  [7.5, null, "7.5"],
])("an amount of %d in %s is %s", (amount, currency, text) => {
  expect(moneyText(amount, currency)).toBe(text);
});
