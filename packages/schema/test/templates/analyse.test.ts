import { describe, expect, it } from "vitest";
import { usesOf } from "../../src/templates/template.ts";

/** A template's references as `name.path`, those in conditions with a question mark. */
function references(template: string): string[] {
  return usesOf(template).references.map(
    ({ name, path, conditional }) => [name, ...path].join(".") + (conditional ? "?" : ""),
  );
}

describe("usesOf, in templates without references", () => {
  it.each([
    ["text", "just text"],
    ["a comment", "{{! a.b }}{{!-- c.d --}}"],
    ["escaped braces", "\\{{ a.b }}"],
    ["a default", "{{ defaults.languages.[0] }}"],
    ["the index and other data", "{{@index}}{{@key}}{{@../index}}"],
    ["literals as arguments", "{{ upload 'a.b' }}{{ f 1 true null }}"],
    ["a helper without arguments", "{{ upload }}"],
    ["a raw block", "{{{{raw}}}}{{ a.b }}{{{{/raw}}}}"],
  ])("usesOf finds no reference in %s", (_, template) => {
    expect(references(template)).toEqual([]);
  });

  it("usesOf finds no reference in names of a list's element", () => {
    expect(references("{{#each a.list}}{{name}}{{this.name}}{{./name}}{{this}}{{/each}}")).toEqual([
      "a.list",
    ]);
    expect(
      references("{{#each a.list as |x i|}}{{x.y}}{{i}}{{#each x.z}}{{../w}}{{/each}}{{/each}}"),
    ).toEqual(["a.list"]);
  });
});

describe("usesOf, in templates with references", () => {
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
  ])("usesOf finds a reference %s", (_, template, expected) => {
    expect(references(template)).toEqual(expected);
  });

  it("usesOf returns the position of a reference", () => {
    const [first, second] = usesOf("é {{ a.b }}\r\n {{#if\n c.d}}{{/if}}").references;
    expect([first?.line, first?.column, second?.line, second?.column]).toEqual([1, 6, 3, 2]);
  });
});

describe("usesOf, as the template is rendered", () => {
  it("usesOf resolves names in a raw block as outside of it", () => {
    expect(references("{{#raw}}{{ a.b }}{{/raw}}")).toEqual(["a.b"]);
  });

  it("usesOf takes a quoted name with arguments for a helper", () => {
    const { helpers, references: read } = usesOf('{{ "upload" "x" }}');
    expect(helpers).toMatchObject([{ name: "upload", arguments: ["x"] }]);
    expect(read).toEqual([]);
  });

  it("usesOf takes a sub-expression for a call, even without arguments or of an unknown helper", () => {
    const { helpers, references: read } = usesOf("{{#if (now)}}{{/if}}{{ (a) }}");
    expect(helpers.map(({ name }) => name)).toEqual(["now", "a"]);
    expect(read).toEqual([]);
  });

  it("usesOf takes a quoted name for a block parameter of that name", () => {
    expect(references('{{#with a.b as |p|}}{{ "p" }}{{/with}}')).toEqual(["a.b", "a.b"]);
  });

  it("usesOf takes text in an argument for text, not for a reference", () => {
    expect(references('{{#with "a"}}{{ b }}{{/with}}{{ lookup "a" "b" }}')).toEqual([]);
  });

  it("usesOf never takes a name after `this` and a slash for a block parameter", () => {
    const template = "{{#with a as |b|}}{{#with c}}{{ this/b }}{{/with}}{{/with}}";
    expect(references(template)).toEqual(["a", "a.c", "a.c.b"]);
  });
});
