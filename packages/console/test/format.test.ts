import { afterEach, expect, test, vi } from "vitest";

/** The module as a reader of these languages has it. */
const formatsFor = (...languages: string[]): Promise<typeof import("../src/ui/format.ts")> => {
  vi.stubGlobal("navigator", { languages });
  return import(`../src/ui/format.ts?${languages}`);
};
afterEach(() => vi.unstubAllGlobals());

const { countOf, durationText, moneyText, percentText, rateText } = await formatsFor("en");

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
  [18.599999999999994, "EUR", "18.60 EUR"],
  [1_200, "JPY", "1,200 JPY"],
  [-3, "USD", "-3.00 USD"],
  [7.5, "points", "7.5 points"],
  [7.5, null, "7.5"],
])("an amount of %d in %s is %s", (amount, currency, text) => {
  expect(moneyText(amount, currency)).toBe(text);
});

test("figures and times are written as the reader's first language does, units in English", async () => {
  const [german, american] = [await formatsFor("de", "en"), await formatsFor("en-US")];
  expect([german.numberText(1_234_567), american.numberText(1_234_567)]).toEqual(["1.234.567", "1,234,567"]);
  expect(german.percentText(999, 1_000)).toBe("99,9 %");
  expect(german.rateText(3_120)).toBe("3.120/s");
  expect(german.bytesText(1_434)).toBe("1,4 KiB");
  expect(german.moneyText(1_200.5, "EUR")).toBe("1.200,50 EUR");
  expect(german.durationText(4_250)).toBe("4,2 s");
  const [time, now] = ["2026-11-21T16:37:13", new Date("2026-11-28T09:00:00")];
  expect(german.timeText(time, now)).toBe("21. Nov., 16:37");
  // Before AM and PM is a narrow space.
  expect(american.timeText(time, now)).toMatch(/^Nov 21, 04:37\sPM$/);
  expect(german.timeText(time, new Date("2027-01-01T00:00:00"))).toBe("21. Nov. 2026, 16:37");
});
