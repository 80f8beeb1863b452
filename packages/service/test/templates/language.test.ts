import type { Helper } from "@lading/schema/internal";
import { describe, expect, test } from "vitest";
import { folderId, productId, render } from "./support/scope.ts";

/** Template and what it renders to, with the scope of support/scope.ts. */
const table: Record<string, [template: string, text: string][]> = {
  "ids, after a create, an update and an upsert": [
    ["{{ product.id }}", productId],
    ["{{ updated.id }}", productId],
    ["{{ updated.id.id }}", productId],
    ["{{ folder.id }}", folderId],
    ["{{ folder.id.value }}", folderId],
    ["{{ piece.id }}", "banner"],
    ["{{ lookup updated 'id' }}", productId],
    ["{{ lookup updated.id 'id' }}", productId],
    ["{{#if product.id.id}}{{product.id.id}}{{else}}{{product.id}}{{/if}}", productId],
    ["{{#if updated.id.id}}{{updated.id.id}}{{else}}{{updated.id}}{{/if}}", productId],
    ["{{#with updated}}{{id}}{{/with}}", productId],
  ],
  defaults: [
    ["{{ defaults.rootItemId }}", folderId],
    ["{{ defaults.languages.[0] }}", "en"],
    ["{{ defaults.languages.[1] }}", "no"],
    ["{{ defaults/rootItemId }}", folderId],
    ["{{ defaults.languages.length }}", "2"],
  ],
  "values as they are, not escaped for HTML": [
    ["{{ shop.name }}", "Möbel & Co"],
    ["{{{ shop.name }}}", "Möbel & Co"],
    ["{{& shop.name }}", "Möbel & Co"],
    ["{{ shop.open }} {{ shop.closed }} {{ shop.seats }} {{ shop.prices.no }}", "true false 0 12.5"],
    ["<p>{{ product.language }}</p>", "<p>en</p>"],
  ],
  "if and unless": [
    ["{{#if shop.open}}y{{/if}}", "y"],
    ["{{#if shop.closed}}y{{else}}n{{/if}}", "n"],
    ["{{#if shop.seats}}y{{else}}n{{/if}}", "n"],
    ["{{#if shop.seats includeZero=true}}y{{else}}n{{/if}}", "y"],
    ["{{#if shop.seats includeZero=false}}y{{else}}n{{/if}}", "n"],
    ["{{#if shop.none}}y{{else}}n{{/if}}", "n"],
    ["{{#if shop.prices}}y{{/if}}", "y"],
    ["{{#if piece.name}}y{{else}}n{{/if}}", "n"],
    ["{{#if shop.absent}}y{{else}}n{{/if}}", "n"],
    ["{{#if shop.absent.deeper.still}}y{{else}}n{{/if}}", "n"],
    ["{{#if defaults.absent}}y{{else}}n{{/if}}", "n"],
    ["{{#if shop.absent}}a{{else if shop.closed}}b{{else if shop.open}}c{{else}}d{{/if}}", "c"],
    ["{{#unless shop.closed}}y{{/unless}}", "y"],
    ["{{#unless shop.absent}}y{{else}}n{{/unless}}", "y"],
    ["{{^if shop.closed}}y{{/if}}", "y"],
    [
      "{{#if true}}y{{/if}}{{#if null}}n{{/if}}{{#if undefined}}n{{/if}}{{#if 0}}n{{/if}}{{#if ''}}n{{/if}}",
      "y",
    ],
    ["{{#if shop.open}}{{#if shop.closed}}a{{else}}b{{/if}}{{/if}}", "b"],
  ],
  each: [
    ["{{#each shop.tags}}{{this}}{{/each}}", "ab"],
    ["{{#each shop.tags}}{{.}}{{#unless @last}},{{/unless}}{{/each}}", "a,b"],
    ["{{#each shop.tags}}{{@index}}{{@key}}{{@first}}{{@last}} {{/each}}", "00truefalse 11falsetrue "],
    ["{{#each shop.prices}}{{@key}}={{this}};{{/each}}", "en=10;no=12.5;"],
    ["{{#each shop.prices}}{{@index}}{{/each}}", "01"],
    ["{{#each shop.none}}x{{else}}none{{/each}}", "none"],
    ["{{#each piece.name}}x{{else}}none{{/each}}", "none"],
    ["{{#each shop.tags as |tag index|}}{{index}}{{tag}}{{/each}}", "0a1b"],
    ["{{#each shop.prices as |price code|}}{{code}}{{price}}{{/each}}", "en10no12.5"],
    ["{{#each shop.tags}}{{../product.id}}{{/each}}", productId + productId],
    ["{{#each shop.tags}}{{@root.product.language}}{{/each}}", "enen"],
    [
      "{{#each shop.tags as |outer|}}{{#each @root.shop.tags as |inner|}}{{outer}}{{inner}} {{/each}}{{/each}}",
      "aa ab ba bb ",
    ],
    [
      "{{#each shop.tags}}{{#each @root.shop.tags}}{{@../index}}{{@index}} {{/each}}{{/each}}",
      "00 01 10 11 ",
    ],
    ["{{#each shop.tags}}{{#if @first}}{{this}}{{/if}}{{/each}}", "a"],
    ["{{#each shop.tags}}{{#with @root.product}}{{@index}}{{language}}{{/with}}{{/each}}", "0en1en"],
  ],
  with: [
    ["{{#with product}}{{language}}{{versionLabel}}{{/with}}", "endraft"],
    ["{{#with product as |p|}}{{p.language}}{{language}}{{/with}}", "enen"],
    ["{{#with piece.name}}x{{else}}none{{/with}}", "none"],
    [
      "{{#with product}}{{#with @root.shop}}{{name}}{{../language}}{{../../folder.id}}{{/with}}{{/with}}",
      `Möbel & Coen${folderId}`,
    ],
    [
      "{{#with shop as |language|}}{{#with @root.product}}{{language.name}}{{this.language}}{{/with}}{{/with}}",
      "Möbel & Coen",
    ],
  ],
  "this with a slash": [
    ["{{#with shop as |language|}}{{#with @root.product}}{{this/language}}{{/with}}{{/with}}", "en"],
  ],
  "lookup and sub-expressions": [
    ["{{lookup shop.tags 1}}", "b"],
    ["{{lookup shop.prices product.language}}", "10"],
    ["{{#each defaults.languages}}{{lookup @root.shop.prices this}} {{/each}}", "10 12.5 "],
    ["{{lookup (lookup shop 'prices') (lookup product 'language')}}", "10"],
    ["{{(lookup shop 'prices').no}}", "12.5"],
    ["{{#if (lookup shop 'absent')}}y{{else}}n{{/if}}", "n"],
    ["{{#with (lookup shop 'prices')}}{{no}}{{/with}}", "12.5"],
  ],
  "comments, raw text and white space": [
    ["a{{! a note }}b{{!-- with }} braces --}}c", "abc"],
    ["{{{{raw}}}}{{ product.id }}{{{{/raw}}}}", "{{ product.id }}"],
    ["\\{{ product.id }} {{ product.language }}", "{{ product.id }} en"],
    ["\\\\{{ product.language }}", "\\en"],
    ["a  {{~ product.language ~}}  b", "aenb"],
    ["a {{~#if shop.open~}} x {{~else~}} y {{~/if~}} b", "axb"],
    ["a\n{{#if shop.open}}\nx\n{{/if}}\nb", "a\nx\nb"],
    ["a }} b { c", "a }} b { c"],
    ["{ {{ product.language }} }", "{ en }"],
  ],
  "names that need brackets or quotes": [
    ["{{ [product].[id] }}", productId],
    ['{{ "product" "x" }}', "called with x"],
    ["{{ this.product.id }}", productId],
    ["{{ ./product.id }}", productId],
  ],
};

const helpers = { product: (args: unknown[]) => `called with ${args[0]}` };

describe.each(Object.entries(table))("%s", (_title, rows) => {
  test.each(rows)("the template %s renders to %s", (template, text) => {
    expect(render(template, { helpers: template.includes('"x"') ? helpers : {} })).toBe(text);
  });
});

test("a reference called defaults cannot hide the defaults", () => {
  const results = { defaults: { index: 0, status: "success" as const, output: { rootItemId: "no" } } };
  expect(render("{{ defaults.rootItemId }}", { results })).toBe(folderId);
});

test("a name alone is the helper of that name, unless a block parameter is called so", () => {
  const now = { helpers: { now: () => "noon" } };
  expect(render("{{ now }}", now)).toBe("noon");
  expect(render("{{#each shop.tags as |now|}}{{now}}{{/each}}", now)).toBe("ab");
});

test("helpers get plain arguments, id objects as ids, and their hash", () => {
  const calls: unknown[] = [];
  const note: Helper = (args, hash) => String(calls.push([args, hash]));
  render("{{ note 1 'two' true null updated.id shop.prices language=product.language }}", {
    helpers: { note },
  });
  expect(calls).toEqual([[[1, "two", true, null, productId, { en: 10, no: 12.5 }], { language: "en" }]]);
});
