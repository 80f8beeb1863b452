import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { runs } from "../../../../test/support/extent.ts";
import { hasTemplate, TemplateSyntaxError, templateLimits } from "../../src/internal.ts";
import { parseTemplate } from "../../src/templates/parse/parse-template.ts";
import { offsetsIn } from "../../src/templates/parse/syntax-error.ts";
import { rendererOf, usesOf } from "../../src/templates/template.ts";

function fault(template: string): TemplateSyntaxError {
  try {
    parseTemplate(template);
  } catch (error) {
    if (error instanceof TemplateSyntaxError) return error;
    throw error;
  }
  throw new Error(`${template} does parse`);
}

describe("parseTemplate, given invalid input", () => {
  it.each([
    ["a block that is not closed", "{{#if a}}x", 1, 11],
    ["a block that is closed by another name", "x\n{{#if a}}y{{/unless}}", 2, 4],
    ["an end without a block", "ab {{/if}}", 1, 4],
    ["an else without a block", "{{else}}", 1, 1],
    ["a second else", "{{#if a}}{{else}}{{else}}{{/if}}", 1, 18],
    ["empty braces", "{{}}", 1, 3],
    ["braces that are not closed", "hello {{ a.b", 1, 7],
    ["a single closing brace", "{{ a } }}", 1, 6],
    ["three braces closed by two", "{{{ a }}", 1, 7],
    ["a string that is not closed", '{{ upload "x }}', 1, 11],
    ["a comment that is not closed", "é {{!-- x }}", 1, 3],
    ["a path that goes up in its middle", "{{ a.b/../c }}", 1, 4],
    ["an argument without a value", "a\r\n\r\n  {{ x y=}}", 3, 10],
  ])("parseTemplate refuses %s with its line and column", (_, template, line, column) => {
    expect([fault(template).line, fault(template).column]).toEqual([line, column]);
    expect(fault(template).message).toMatch(/^the template /);
  });

  it.each([
    ["{{", "has braces that are opened and not closed"],
    ["a {{ b }} {{ ", "has braces that are opened and not closed"],
    ["{{#if a}}{{", "has braces that are opened and not closed"],
    ["{{ }}", "has braces with nothing in them"],
    ["{{#if a}}x{{ b }}", "ends before its last block is closed"],
    ["{{else if a}}", "has an {{else}} that belongs to no block"],
    ["{{/if}}", "closes a block that is not open"],
    ['{{ upload "x }}', "has a quotation mark that is opened and not closed"],
    ["{{ a, b }}", 'has an unexpected "a,"'],
  ])("parseTemplate explains in plain words: %s %s", (template, message) => {
    expect(fault(template).message).toBe(`the template ${message}`);
  });

  it.each([
    ["blocks nested 65 deep", "{{#if a}}".repeat(65) + "{{/if}}".repeat(65), "deeper than 64"],
    [
      "65 sub-expressions in one place",
      `{{ f ${"(f ".repeat(65)}${")".repeat(65)} }}`,
      "more than 64 sub-expressions",
    ],
    ["more than 10,000 characters of code", "{{ a.b }}".repeat(2_001), "more than 10000 characters"],
    ["code that hides behind quotes", `{{ f "}}" ${"[a].".repeat(3_000)}b }}`, "more than 10000 characters"],
    ["more than 262,144 characters", `{{ a }}${" ".repeat(templateLimits.length)}`, "longer than"],
  ])("parseTemplate refuses %s, with the limit", (_, template, message) => {
    expect(fault(template).message).toContain(message);
  });

  it("parseTemplate throws only errors with a position within the text", () => {
    const piece = fc.constantFrom(
      "{{",
      "}}",
      "{{{",
      "#if ",
      "/if",
      "else",
      " a",
      ".b",
      '"',
      "(",
      ")",
      "[",
      "]",
      "|",
      "=",
      "!--",
      "\n",
      "@",
      "../",
      ">",
      "~",
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 15 }), (pieces) => {
        const template = pieces.join("");
        try {
          parseTemplate(template);
        } catch (error) {
          expect(error).toBeInstanceOf(TemplateSyntaxError);
          const { line, column } = error as TemplateSyntaxError;
          const offset = offsetsIn(template)(line, column);
          expect(offset).toBeGreaterThanOrEqual(0);
          expect(offset).toBeLessThanOrEqual(template.length);
        }
      }),
      { numRuns: runs(2_000) },
    );
  });
});

describe("parseTemplate, given long templates", () => {
  it.each([
    ["blocks up to the limits", "{{#a}}".repeat(64) + "{{/a}}".repeat(64)],
    ["a chain of conditions", `{{#if a}}${"{{else if b}}".repeat(900)}{{/if}}`],
    ["brackets", `{{a${".[0]".repeat(2_400)}}}`],
    ["quotes that are not closed", '{{["'.repeat(50_000)],
    ["braces that are not closed", "{{".repeat(100_000)],
  ])("parseTemplate takes time in proportion to %s", (_, template) => {
    const before = process.cpuUsage();
    try {
      parseTemplate(template);
    } catch (error) {
      expect(error).toBeInstanceOf(TemplateSyntaxError);
    }
    expect(process.cpuUsage(before).user / 1e6).toBeLessThan(5);
  });
});

describe("parseTemplate", () => {
  it("parseTemplate leaves a long text around braces alone", () => {
    const html = `<p>[${"(x) ".repeat(20_000)}</p>`;
    expect(parseTemplate(`${html}{{ a.id }}${html}`).body).toHaveLength(3);
  });
});

describe("a template", () => {
  it("a template is parsed and compiled once while it is short and in use", () => {
    expect(usesOf("{{#if same.id}}{{/if}}")).toBe(usesOf("{{#if same.id}}{{/if}}"));
    expect(rendererOf("{{ same.id }}")).toBe(rendererOf("{{ same.id }}"));
  });

  it("no more templates are remembered than the limit", () => {
    const first = usesOf("{{ first.id }}");
    for (let index = 0; index < 2_000; index++) usesOf(`{{ other-${index}.id }}`);
    expect(usesOf("{{ first.id }}")).not.toBe(first);
  });
});

describe("hasTemplate", () => {
  it("hasTemplate looks for two braces", () => {
    expect(["{{", "a {{ b }}", "{ {", "}}", ""].map(hasTemplate)).toEqual([true, true, false, false, false]);
  });
});
