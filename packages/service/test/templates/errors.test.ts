import { describe, expect, it } from "vitest";
import { errorOf, render } from "./support/scope.ts";

/** Template, then every text that its error must hold. */
const mistakes: [string, string, ...string[]][] = [
  ["an unknown reference", "{{ prodct.id }}", '_ref "prodct"', '"folder"', 'Did you mean "product"?'],
  [
    "an unknown property",
    "{{ product.idd }}",
    '"product" (operation 1)',
    '"idd"',
    '"versionLabel"',
    'Did you mean "id"?',
  ],
  [
    "a property of a property that has none",
    "{{ product.id.id }}",
    '"product.id" has no property "id"',
    "it is the text",
  ],
  ["a property of null", "{{ piece.name.first }}", '"piece.name" has no property "first": it is null'],
  [
    "an unknown default",
    "{{ defaults.rootItemIds }}",
    '"defaults" has no property',
    'Did you mean "rootItemId"?',
  ],
  ["an index beyond the list", "{{ defaults.languages.[7] }}", '"defaults.languages" has no property "7"'],
  ["null", "{{ piece.name }}", '"piece.name" is null', "{{#if piece.name}}"],
  [
    "an object",
    "{{ shop.prices }}",
    '"shop.prices" is an object with "en" and "no"',
    "Name one of its properties",
  ],
  ["a whole result", "{{ product }}", '"product" is an object with "id", "language" and "versionLabel"'],
  ["a list", "{{ shop.tags }}", "a list of 2", "shop.tags.[0]", "{{#each shop.tags}}"],
  ["the context itself", "{{ this }}", '"this" stands for everything'],
  ["the root itself", "{{#with @root}}x{{/with}}", '"@root" stands for everything'],
  ["an unknown helper", "{{ uplod 'x' }}", 'no helper "uplod"', 'Did you mean "upload"?'],
  ["an unknown helper within another", "{{ upload (fetch 1) }}", 'no helper "fetch"'],
  ["arguments to a path", "{{ product.id 'x' }}", 'no helper "product.id"'],
  ["a block used as a helper", "{{ if product.id }}", "{{#if …}}…{{/if}}"],
  ["a helper used as a block", "{{#upload 'x'}}y{{/upload}}", 'no block "upload"', '"if", "unless", "each"'],
  ["a reference used as a block", "{{#product}}y{{/product}}", 'no block "product"'],
  ["log, which prints nothing", "{{log product.id}}", 'no helper "log"'],
  ["if without a condition", "{{#if}}y{{/if}}", '"#if" takes 1 argument, got 0'],
  ["if with two conditions", "{{#if a b}}y{{/if}}", '"#if" takes 1 argument, got 2'],
  [
    "if with an unknown option",
    "{{#if a zero=1}}y{{/if}}",
    '"#if" takes no argument named "zero"; it takes "includeZero"',
  ],
  ["with that names two things", "{{#with shop as |a b|}}{{/with}}", "1 block parameter"],
  ["an unknown reference in a condition", "{{#if prodct.id}}y{{/if}}", '_ref "prodct"'],
  ["an absent property in each", "{{#each product.tags}}{{/each}}", 'no property "tags"'],
  ["an absent property in with", "{{#with product.tags}}{{/with}}", 'no property "tags"'],
  ["each over text", "{{#each product.id}}{{/each}}", '"#each" goes over a list or an object', "the text"],
  ["each over a number", "{{#each shop.seats}}{{/each}}", "the number 0"],
  [
    "lookup of an absent value",
    "{{lookup shop.prices 'sv'}}",
    '"lookup" finds no property "sv"',
    '"en" and "no"',
  ],
  [
    "valueOf a null property",
    "{{ valueOf piece 'name' }}",
    "\"(valueOf piece 'name')\" is null, which cannot be printed.",
    "Where it may be missing, write {{#if (valueOf piece 'name')}}…{{/if}}.",
  ],
  [
    "lookup of a null property",
    "{{ lookup piece 'name' }}",
    "\"(lookup piece 'name')\" is null, which cannot be printed.",
  ],
  ["valueOf a property of null", "{{ valueOf piece 'name.first' }}", 'no property "first" in null'],
  ["valueOf a list", "{{ valueOf shop 'tags' }}", "{{#each (valueOf shop 'tags')}}"],
  ["lookup with one argument", "{{lookup shop}}", '"lookup" takes object and property; it got 1 argument'],
  ["a helper of the language alone", "{{ valueOf }}", '"valueOf" takes entity and property; it got 0'],
  ["a name of outside within each", "{{#each shop.tags}}{{product.id}}{{/each}}", "{{ @root.product }}"],
  ["too many ../", "{{ ../product.id }}", "leads out of the template"],
  ["an unknown @variable", "{{#each shop.tags}}{{@idx}}{{/each}}", 'no "@idx"', '"@index"', '"@last"'],
  ["@index outside of each", "{{ @index }}", 'no "@index"', '"@root"'],
  [
    "a partial",
    "{{> header}}",
    "Partials and decorators are not supported, and this is a partial, {{> name}}; write \\{{ for braces",
  ],
  ["a partial block", "{{#> header}}x{{/header}}", "Partials and decorators are not supported"],
  ["a decorator", "{{* header}}", "Partials and decorators are not supported"],
  ["an inline partial", '{{#*inline "x"}}y{{/inline}}', "not supported"],
  ["an empty mustache", "{{ }}", "line 1, column"],
  [
    "a brace that is not closed",
    "{{ product.id",
    "The template has",
    "opened and not closed (line 1",
    "write \\{{",
  ],
  ["a block that is not closed", "one\n{{#if product.id}}", "line"],
  ["blocks that cross", "{{#if a}}{{#each b}}{{/if}}{{/each}}", "doesn't match"],
];

const advice = 'Write \\{{ for braces that are text; in JSON, "\\\\{{".';

describe("a template that reads an absent value", () => {
  it.each(mistakes)("a template that asks for what is not there says so: %s", (_name, template, ...texts) => {
    const error = errorOf(template, { helpers: { upload: (args) => args[0] } });
    expect(error.code).toBe("TemplateError");
    for (const text of texts) expect(error.message).toContain(text);
  });

  it("an error says when there is no reference at all", () => {
    expect(errorOf("{{ a.id }}", { results: {} }).message).toBe(
      `No operation before this one has the _ref "a". ${advice} None has one.`,
    );
  });

  it("an error says how braces are written where no name is near, as in a text not meant as a template", () => {
    for (const text of ["Dear {{firstName}},", "{{ first name }}"])
      expect(errorOf(text).message).toContain(`. ${advice}`);
    expect(errorOf("{{ prodcut.id }}").message).toMatch(/Did you mean "product"\? There are/);
  });

  it("an error lists at most five of a thousand names", () => {
    const results = Object.fromEntries(
      Array.from({ length: 1000 }, (_, index) => [`chair${index}`, { index, status: "failure" as const }]),
    );
    const { message } = errorOf("{{ table.id }}", { results });
    expect(message).toContain("and 995 more");
    expect(message.length).toBeLessThan(500);
  });
});

describe("a reference to an operation that failed", () => {
  it.each([
    "{{ broken.id }}",
    "{{ broken }}",
    "{{#with broken.id}}{{/with}}",
    "{{#each broken.ids}}{{/each}}",
    "{{ upload broken.id }}",
    "{{#if product.id}}{{ broken.id }}{{/if}}",
  ])("a reference to a failed operation fails with FailedDependency and its number: %s", (template) => {
    const error = errorOf(template, { helpers: { upload: (args) => args[0] } });
    expect(error.code).toBe("FailedDependency");
    expect(error.message).toBe('"broken" is the result of operation 4, which failed.');
  });

  it("a reference to a failed operation is false in a condition", () => {
    expect(render("{{#if broken.id}}yes{{else}}no{{/if}}")).toBe("no");
    expect(render("{{#unless broken.id}}no{{/unless}}")).toBe("no");
    expect(render("{{#if (lookup broken 'id')}}yes{{else}}no{{/if}}")).toBe("no");
  });

  it("a reference to an operation that succeeded in part does not fail", () => {
    expect(render("{{ half.language }}")).toBe("en");
  });
});

describe("rendered text", () => {
  it.each([
    ["NUL", "a\0b"],
    ["a high surrogate alone", "a\ud800b"],
    ["a low surrogate alone", "\udc00"],
  ])("a rendered text with %s in it is refused", (_name, text) => {
    const results = { bad: { index: 0, status: "success" as const, output: { text } } };
    expect(errorOf("{{ bad.text }}", { results }).message).toContain(
      "NUL character or an unpaired surrogate",
    );
  });

  it("a rendered text may join the halves of a surrogate pair", () => {
    const results = {
      bad: { index: 0, status: "success" as const, output: { high: "\ud83d", low: "\ude00" } },
    };
    expect(render("{{ bad.high }}{{ bad.low }}", { results })).toBe("😀");
  });
});
