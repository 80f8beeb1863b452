import { expect, it } from "vitest";
import { needsParsing, rendererOf, usesOf } from "../../src/templates/template.ts";

const long = (number: number) => `{{#if a}}${number}{{/if}}`.padEnd(1_000, ".");

it("a template is parsed once for analysis and rendering", () => {
  const template = "{{#if parsed.once}}x{{/if}}";
  expect(needsParsing(template)).toBe(true);
  const uses = usesOf(template);
  expect(needsParsing(template)).toBe(false);
  const renderer = rendererOf(template);
  expect([usesOf(template), rendererOf(template)]).toEqual([uses, renderer]);
});

it("a long template is also parsed once", () => {
  const template = `{{#if a}}${"{{b.c}}".repeat(1_000)}{{/if}}`;
  usesOf(template);
  expect(needsParsing(template)).toBe(false);
});

it("the cache is bounded by its templates' text, not only by their number", () => {
  const numbers = Array.from({ length: 200 }, (_, number) => number);
  for (const number of numbers) usesOf(long(number));
  const cached = numbers.filter((number) => !needsParsing(long(number)));
  expect(cached).not.toContain(0);
  expect(cached.length).toBeLessThanOrEqual(131);
});
