import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseTemplate, plainPath, referencesOf } from "../../src/index.ts";
import { usesOf } from "../../src/templates/references-of.ts";

/** The references of a template as `name.path`, those in conditions with a question mark. */
function references(template: string): string[] {
  return referencesOf(parseTemplate(template)).map(
    ({ name, path, conditional }) => [name, ...path].join(".") + (conditional ? "?" : ""),
  );
}

describe("referencesOf finds no reference in", () => {
  it.each([
    ["text", "just text"],
    ["a comment", "{{! a.b }}{{!-- c.d --}}"],
    ["escaped braces", "\\{{ a.b }}"],
    ["a default", "{{ defaults.languages.[0] }}"],
    ["the index and other data", "{{@index}}{{@key}}{{@../index}}"],
    ["literals as arguments", "{{ upload 'a.b' }}{{ f 1 true null }}"],
    ["a helper without arguments", "{{ upload }}"],
    ["a raw block", "{{{{raw}}}}{{ a.b }}{{{{/raw}}}}"],
  ])("%s", (_, template) => {
    expect(references(template)).toEqual([]);
  });

  it("what belongs to the element of a list", () => {
    expect(references("{{#each a.list}}{{name}}{{this.name}}{{./name}}{{this}}{{/each}}")).toEqual([
      "a.list",
    ]);
    expect(
      references("{{#each a.list as |x i|}}{{x.y}}{{i}}{{#each x.z}}{{../w}}{{/each}}{{/each}}"),
    ).toEqual(["a.list"]);
  });
});

describe("referencesOf finds a reference", () => {
  it.each([
    ["with its path", "{{ a.b.c }} {{ d }}", ["a.b.c", "d"]],
    ["with dashes", "{{update-brief-op.message}}", ["update-brief-op.message"]],
    ["with an index", "{{ a.list.[0].id }}", ["a.list.0.id"]],
    ["with brackets or quotes around its name", '{{ [a b].id }}{{ "c d" }}', ["a b.id", "c d"]],
    [
      "in an argument",
      "{{ valueOf (fetchItemById a.id b.language) key=c.d }}",
      ["a.id", "b.language", "c.d"],
    ],
    [
      "in a condition and its branches",
      "{{#if a.b}}{{ c.d }}{{else}}{{ e.f }}{{/if}}",
      ["a.b?", "c.d?", "e.f?"],
    ],
    ["in a chain of conditions", "{{#if a}}{{else if b.c}}{{ d.e }}{{/if}}", ["a?", "b.c?", "d.e?"]],
    ["after a condition", "{{#unless a}}{{/unless}}{{ b.c }}", ["a?", "b.c"]],
    ["in an inverse block", "{{^if a.b}}{{ c.d }}{{/if}}", ["a.b?", "c.d?"]],
    ["out of a list", "{{#each a.list}}{{ ../b.id }}{{ @root.c.id }}{{/each}}", ["a.list", "b.id", "c.id"]],
    ["in the else of a list", "{{#each a.list}}{{else}}{{ b.id }}{{/each}}", ["a.list", "b.id"]],
    [
      "that a block stepped into",
      "{{#with a.b}}{{ c }}{{ ../d.e }}{{ this.f }}{{/with}}",
      ["a.b", "a.b.c", "d.e", "a.b.f"],
    ],
    ["by a block parameter", "{{#with a as |x|}}{{#if x.b}}{{ x.c }}{{/if}}{{/with}}", ["a", "a.b?", "a.c?"]],
    [
      "by a look-up",
      "{{ lookup a 'b' }}{{ lookup (lookup c 'd') 0 }}{{ lookup e f.g }}",
      ["a.b", "c.d.0", "e", "f.g"],
    ],
    ["behind a sub-expression", "{{ (lookup a 'b').c }}", ["a.b"]],
    ["in a block that does not exist", "{{#what a.b}}{{ ../c.d }}{{/what}}", ["a.b", "c.d"]],
  ])("%s", (_, template, expected) => {
    expect(references(template)).toEqual(expected);
  });

  it("with its place", () => {
    const [first, second] = referencesOf(parseTemplate("é {{ a.b }}\r\n {{#if\n c.d}}{{/if}}"));
    expect([first?.line, first?.column, second?.line, second?.column]).toEqual([1, 6, 3, 2]);
  });
});

describe("plainPath", () => {
  it.each([
    "{{ a }}",
    "{{ a.b",
    "x{{ a.b }}",
    "{{ this.a }}",
    "{{ a.this }}",
    "{{ else.a }}",
    "{{ a.[0] }}",
    "{{ a.b c }}",
    "{{ ../a.b }}",
  ])("leaves %s to the parser", (template) => {
    expect(plainPath(template)).toBeUndefined();
  });

  it("reads what it reads as the parser does", () => {
    const name = fc.stringMatching(/^[a-z_]?[\w-]{1,5}$/);
    const word = fc.constantFrom(
      "else",
      "this",
      "true",
      "elsewhere",
      "as",
      "if",
      "defaults",
      "null-x",
      "a-b",
    );
    const template = fc
      .tuple(fc.array(fc.oneof(name, word), { minLength: 2, maxLength: 4 }), fc.constantFrom("", " ", "  "))
      .map(([names, space]) => `{{${space}${names.join(".")}${space}}}`);
    let read = 0;
    fc.assert(
      fc.property(template, (text) => {
        const path = plainPath(text);
        if (path === undefined) return;
        read++;
        const [only, ...others] = parseTemplate(text).body;
        expect(others).toEqual([]);
        expect(only).toMatchObject({
          type: "MustacheStatement",
          params: [],
          path: { parts: path, depth: 0, data: false },
        });
        const spared = usesOf(text);
        expect([...spared.references, ...spared.defaults]).toHaveLength(1);
        if (path[0] !== "defaults") expect(spared.references).toEqual(referencesOf(parseTemplate(text)));
      }),
      { numRuns: 3_000 },
    );
    expect(read).toBeGreaterThan(300);
  });
});
