import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type Rendered, renderPayload, TemplateError } from "../../src/templates/index.ts";
import { renderLimits } from "../../src/templates/limits.ts";
import { folderId, productId, scopeOf } from "./support/scope.ts";

const renderNow = (payload: object) => renderPayload(payload, scopeOf()) as Rendered;

test("a failure says where in the payload it is", () => {
  const payload = { components: [{ componentId: "a" }, { singleLine: { text: "{{ nobody.id }}" } }] };
  expect.assertions(2);
  try {
    renderNow(payload);
  } catch (error) {
    expect(error).toBeInstanceOf(TemplateError);
    expect((error as TemplateError).path).toEqual(["components", 1, "singleLine", "text"]);
  }
});

test("the limit of the output is that of the whole payload", async () => {
  const text = `${"x".repeat(900)}{{ product.language }}`;
  const payload = { list: Array.from({ length: Math.ceil(renderLimits.output / 900) }, () => text) };
  await expect((async () => renderPayload(payload, scopeOf()))()).rejects.toThrow(
    `may render to ${renderLimits.output} characters`,
  );
});

test("intent and _ref are left as they are, but not what is called so further inside", () => {
  const payload = {
    intent: "{{ product.id }}",
    _ref: "{{ product.id }}",
    meta: { intent: "{{ product.id }}" },
  };
  const { value, templated } = renderNow(payload);
  expect(value).toEqual({ ...payload, meta: { intent: productId } });
  expect(templated).toEqual(["/meta/intent"]);
  const plain = { intent: "{{ product.id }}", name: "Chair" };
  expect(renderNow(plain)).toEqual({ value: plain, templated: undefined });
});

test("keys are left as they are, and escaped in the pointers", () => {
  const { value, templated } = renderNow({ "{{ key }}": 1, "a/b~c": ["{{ folder.id }}"] });
  expect(value).toEqual({ "{{ key }}": 1, "a/b~c": [folderId] });
  expect(templated).toEqual(["/a~1b~0c/0"]);
});

test("a key called __proto__ stays a key", () => {
  const payload = JSON.parse('{"__proto__": {"admin": "{{ product.id }}"}}');
  const { value } = renderNow(payload);
  expect(JSON.stringify(value)).toBe(`{"__proto__":{"admin":"${productId}"}}`);
  expect((value as { admin?: string }).admin).toBeUndefined();
});

test("numbers and booleans in braces become text", () => {
  const { value } = renderNow({
    stock: "{{ shop.seats }}",
    open: "{{ shop.open }}",
    price: 12.5,
    none: null,
  });
  expect(value).toEqual({ stock: "0", open: "true", price: 12.5, none: null });
});

test("a payload without templates comes back itself, whatever it is", () => {
  const braceless = fc.stringMatching(/^[^{]*$/);
  const payload = fc.dictionary(
    braceless,
    fc.jsonValue().filter((value) => !JSON.stringify(value).includes("{{")),
  );
  fc.assert(
    fc.property(payload, (value) => {
      const rendered = renderNow(value);
      expect(rendered.value).toBe(value);
      expect(rendered.templated).toBeUndefined();
    }),
  );
});

test("rendering replaces the templates, leaves the rest and never changes the payload", () => {
  const leaf = fc.oneof(
    fc.constant("{{ product.id }}"),
    fc.constant("text"),
    fc.integer(),
    fc.constant(null),
    fc.boolean(),
  );
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof({ maxDepth: 4 }, leaf, fc.array(tie("tree")), fc.dictionary(fc.string(), tie("tree"))),
  }));
  fc.assert(
    fc.property(fc.record({ body: tree }), (payload) => {
      const before = JSON.stringify(payload);
      const { value, templated } = renderNow(payload);
      expect(JSON.stringify(payload)).toBe(before);
      expect(JSON.stringify(value)).toBe(before.replaceAll("{{ product.id }}", productId));
      expect(templated?.length ?? 0).toBe(before.split("{{ product.id }}").length - 1);
    }),
  );
});

test("any text either renders or fails with a template error", () => {
  const token = fc.constantFrom(
    "{{",
    "}}",
    "{{{",
    "}}}",
    "{{{{",
    "}}}}",
    "#if ",
    "/if",
    "#each ",
    "/each",
    "else",
    "product.id",
    "shop.tags",
    "lookup ",
    "(",
    ")",
    " as |a b|",
    "@index",
    "../",
    "this",
    "~",
    "!--",
    "--",
    "'x'",
    "1",
    "=",
    "&",
    ">",
    "*",
    "^",
    "raw",
    "[",
    "]",
    " ",
    "\\",
    "true",
  );
  fc.assert(
    fc.property(fc.array(token, { maxLength: 12 }), (tokens) => {
      try {
        expect(typeof (renderNow({ text: tokens.join("") }).value as { text: unknown }).text).toBe("string");
      } catch (error) {
        expect(error).toBeInstanceOf(TemplateError);
      }
    }),
    { numRuns: 3000 },
  );
});
