import { validateDefinitions } from "@lading/schema/internal";
import { expect, test } from "vitest";
import { check, define, errorsOf } from "./support/check.ts";

const withPattern = (pattern: string) => define("it", "singleLine", { pattern });
const matches = (pattern: string, text: string) =>
  errorsOf([withPattern(pattern)], [{ componentId: "it", singleLine: { text } }]).length === 0;

test.each([
  ["a repeated repetition", "^(a+)+$", "a"],
  ["alternatives that overlap", "^(a|a|aa)*$", "a"],
  ["six repetitions in a row", "^a*a*a*a*a*a*b$", "a"],
  ["a repetition within a count", "^(.*a){12}$", "a"],
])("a pattern with %s, which hangs elsewhere, gets an answer within a second", (_name, pattern, letter) => {
  expect(validateDefinitions([withPattern(pattern)], [])).toEqual([]);
  const before = process.cpuUsage();
  expect(matches(pattern, `${letter.repeat(5_000)}!`)).toBe(false);
  expect(process.cpuUsage(before).user / 1e6).toBeLessThan(1);
});

test.each([
  ["a slug", "^[a-z0-9]+(-[a-z0-9]+)*$", "oak-chair-2", "oak--chair"],
  ["a color", "^#(?:[0-9a-f]{3}){1,2}$", "#1a2b3c", "#12"],
  ["a date", "^\\d{4}-\\d{2}-\\d{2}$", "2026-01-31", "2026-1-31"],
  ["an address", "^[^@\\s]+@[^@\\s]+\\.[a-z]{2,}$", "ann@example.com", "ann@example"],
  ["a part", "wood", "plywood", "steel"],
])("a pattern for %s matches as usual", (_name, pattern, right, wrong) => {
  expect(validateDefinitions([withPattern(pattern)], [])).toEqual([]);
  expect(matches(pattern, right)).toBe(true);
  expect(matches(pattern, wrong)).toBe(false);
});

const slow = (i: number) => `^(${"[a-z]{1,15}|".repeat(16)}${i})*$`;

test("patterns that take longer together than they may are given up, and the error says so", () => {
  const definitions = Array.from({ length: 500 }, (_, i) =>
    define(`c${i}`, "singleLine", { pattern: slow(i) }),
  );
  const components = definitions.map(({ id }) => ({
    componentId: id,
    singleLine: { text: `${"a".repeat(9_999)}!` },
  }));
  const before = process.cpuUsage();
  const { errors } = check(definitions, components);
  expect(process.cpuUsage(before).user / 1e6).toBeLessThan(10);
  expect(errors[0]?.code).toBe("PatternMismatch");
  expect(errors.at(-1)).toMatchObject({
    code: "PatternsTooSlow",
    message: expect.stringContaining("500 ms"),
  });
});

test("a pattern is not run on a text that is too long for it", () => {
  const components = [{ componentId: "it", singleLine: { text: "a".repeat(10_001) } }];
  expect(errorsOf([withPattern("a")], components)).toEqual([
    "components/0/singleLine/text TooMany: The text has 10001 characters; at most 10000 are allowed where there is a pattern",
  ]);
  expect(matches("a", "a".repeat(10_000))).toBe(true);
});
