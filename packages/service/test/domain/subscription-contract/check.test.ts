import { describe, expect, test } from "vitest";
import { later } from "../../../src/domain/subscription-contract/check.ts";

describe("the end of a period", () => {
  test("a period cannot end after the year 9999", () => {
    expect(() => later("9999-06-01T00:00:00.000Z", { period: 1, unit: "year" })).toThrow(/year 10000/);
  });

  test.each([
    ["2030-01-31", 1, "month", "2030-02-28"],
    ["2032-01-31", 1, "month", "2032-02-29"],
    ["2030-10-31", 13, "month", "2031-11-30"],
    ["2030-12-15", 1, "month", "2031-01-15"],
    ["2032-02-29", 1, "year", "2033-02-28"],
    ["2030-12-30", 3, "day", "2031-01-02"],
    ["2030-02-25", 2, "week", "2030-03-11"],
  ] as const)("a period from %s of %i %s ends on %s at the same time of day", (from, period, unit, to) => {
    expect(later(`${from}T22:15:00.000Z`, { period, unit })).toBe(`${to}T22:15:00.000Z`);
  });
});
