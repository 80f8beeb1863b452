import { renderLimits } from "@lading/schema/internal";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { runs } from "../../../../test/support/extent.ts";
import { renderPayload } from "../../src/templates/render-payload.ts";
import { TemplateError } from "../../src/templates/scope.ts";
import { folderId, productId, scopeOf } from "./support/scope.ts";

const render = async (payload: object) => renderPayload(payload, scopeOf());

test("an error says where in the payload it is", async () => {
  const payload = { components: [{ componentId: "a" }, { singleLine: { text: "{{ nobody.id }}" } }] };
  expect.assertions(2);
  try {
    await render(payload);
  } catch (error) {
    expect(error).toBeInstanceOf(TemplateError);
    expect((error as TemplateError).path).toEqual(["components", 1, "singleLine", "text"]);
  }
});

test("the limit of the output applies to the whole payload", async () => {
  const text = `${"x".repeat(900)}{{ product.language }}`;
  const payload = { list: Array.from({ length: Math.ceil(renderLimits.output / 900) }, () => text) };
  await expect(render(payload)).rejects.toThrow(`may render to ${renderLimits.output} characters`);
});

test("intent and _ref are left as they are, but not members of these names further inside", async () => {
  const payload = {
    intent: "{{ product.id }}",
    _ref: "{{ product.id }}",
    meta: { intent: "{{ product.id }}" },
  };
  const { payload: value, texts } = await render(payload);
  expect(value).toEqual({ ...payload, meta: { intent: productId } });
  expect(texts).toEqual({ "/meta/intent": productId });
  const plain = { intent: "{{ product.id }}", name: "Chair" };
  expect(await render(plain)).toEqual({ payload: plain, texts: undefined });
});

test("keys are left as they are, and escaped in the pointers", async () => {
  const { payload: value, texts } = await render({ "{{ key }}": 1, "a/b~c": ["{{ folder.id }}"] });
  expect(value).toEqual({ "{{ key }}": 1, "a/b~c": [folderId] });
  expect(texts).toEqual({ "/a~1b~0c/0": folderId });
});

test("a key called __proto__ stays a key", async () => {
  const payload = JSON.parse('{"__proto__": {"admin": "{{ product.id }}"}}');
  const { payload: value } = await render(payload);
  expect(JSON.stringify(value)).toBe(`{"__proto__":{"admin":"${productId}"}}`);
  expect((value as { admin?: string }).admin).toBeUndefined();
});

test("numbers and booleans in braces become text", async () => {
  const { payload: value } = await render({
    stock: "{{ shop.seats }}",
    open: "{{ shop.open }}",
    price: 12.5,
    none: null,
  });
  expect(value).toEqual({ stock: "0", open: "true", price: 12.5, none: null });
});

test("a payload without templates comes back itself, whatever it is", async () => {
  const braceless = fc.stringMatching(/^[^{]*$/);
  const payload = fc.dictionary(
    braceless,
    fc.jsonValue().filter((value) => !JSON.stringify(value).includes("{{")),
  );
  await fc.assert(
    fc.asyncProperty(payload, async (value) => {
      const rendered = await render(value);
      expect(rendered.payload).toBe(value);
      expect(rendered.texts).toBeUndefined();
    }),
  );
});

test("rendering replaces the templates, leaves the rest and never changes the payload", async () => {
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
  await fc.assert(
    fc.asyncProperty(fc.record({ body: tree }), async (payload) => {
      const before = JSON.stringify(payload);
      const { payload: value, texts } = await render(payload);
      expect(JSON.stringify(payload)).toBe(before);
      expect(JSON.stringify(value)).toBe(before.replaceAll("{{ product.id }}", productId));
      expect(Object.keys(texts ?? {}).length).toBe(before.split("{{ product.id }}").length - 1);
    }),
  );
});

test("any text either renders or fails with a template error", async () => {
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
  await fc.assert(
    fc.asyncProperty(fc.array(token, { maxLength: 12 }), async (tokens) => {
      try {
        const { payload } = await render({ text: tokens.join("") });
        expect(payload).toEqual({ text: expect.any(String) });
      } catch (error) {
        expect(error).toBeInstanceOf(TemplateError);
      }
    }),
    { numRuns: runs(3000) },
  );
});
