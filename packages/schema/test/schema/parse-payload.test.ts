import { describe, expect, it } from "vitest";
import { type Intent, parsePayload, problemText } from "../../src/index.ts";

const textsAt = (pointers: string[]) => Object.fromEntries(pointers.map((pointer) => [pointer, ""]));

const id = "65f1a2b3c4d5e6f708192a3b";

function errorsOf(intent: Intent, value: unknown, templated?: string[]): string[] {
  const parsed = parsePayload(intent, value, templated && textsAt(templated));
  return "errors" in parsed ? parsed.errors.map(problemText) : [];
}

const stock = { sku: "chair", stockLocationIdentifier: "main", operation: "overwrite" };

describe("a rendered payload", () => {
  it("a rendered payload with an unrendered template is refused", () => {
    const price = { sku: "chair", priceVariantIdentifier: "default", price: "{{ a.price }}" };
    expect(errorsOf("product/variant/price/modify", price)).toEqual([
      '/price: expected number, got string "{{ a.price }}"',
    ]);
    expect(errorsOf("item/delete", { itemId: "{{ a.id }}" })).toHaveLength(1);
  });

  it.each(["a\u0000b", "\ud800", "b\udc00a"])(
    "a payload with text no database takes is refused: %j",
    (text) => {
      expect(errorsOf("image/register", { key: text })).toEqual([
        "/key: contains a NUL character or an unpaired surrogate",
      ]);
      const component = { componentId: "body", richText: { json: [{ [text]: 1 }] } };
      expect(errorsOf("item/updateComponent/sku", { sku: "a", language: "en", component })).toEqual([
        "/component/richText/json/0: contains a NUL character or an unpaired surrogate",
      ]);
    },
  );

  it("parsing drops unknown fields", () => {
    const operation = { intent: "item/delete", _ref: "gone", itemId: id, colour: "red" };
    expect(parsePayload("item/delete", operation)).toEqual({ payload: { itemId: id } });
  });

  it("parsing drops the intent and the _ref", () => {
    const operation = { intent: "item/delete", _ref: "gone", itemId: id };
    expect(parsePayload("item/delete", operation)).toEqual({ payload: { itemId: id } });
  });

  it("parsing keeps null, which clears, distinct from an absent field", () => {
    const customer = { identifier: "kari", email: null };
    expect(parsePayload("customer/update", customer)).toEqual({ payload: customer });
  });

  it("parsing keeps dates as written", () => {
    const customer = { identifier: "kari", birthDate: "1 May 1990" };
    expect(parsePayload("customer/update", customer)).toEqual({ payload: customer });
  });

  it("parsing copies only the parts of a payload it changes", () => {
    const title = { componentId: "title", singleLine: { text: "Oak" } };
    const body = { componentId: "body", richText: { html: "<p>Oak</p>" } };
    const payload = { resourceIdentifier: "oak", language: "en", components: [title, body] };
    const parsed = parsePayload("document/update", payload);
    const listed = { componentId: "body", richText: { html: ["<p>Oak</p>"] } };
    expect(parsed).toEqual({ payload: { ...payload, components: [title, listed] } });
    expect("payload" in parsed && parsed.payload.components?.[0]).toBe(title);
    expect(body.richText.html).toBe("<p>Oak</p>");
  });

  it("parsing does not change its input", () => {
    const written = { id: "title", type: "singleLine", singleLine: { required: true } };
    const piece = { identifier: "seo", name: "SEO", components: [written] };
    const before = structuredClone(piece);
    parsePayload("piece/create", piece);
    expect(piece).toEqual(before);
  });
});

describe("text rendered from a template", () => {
  it("reading a list in rendered text takes linear time", () => {
    const cost = (length: number) => {
      const cart = Array.from({ length }, () => ({ name: "a", sku: "a", quantity: "2", price: {} }));
      const texts = Object.fromEntries(cart.map((_, index) => [`/cart/${index}/quantity`, "2"]));
      const before = process.cpuUsage();
      parsePayload("order/register", { customer: { identifier: "a" }, cart }, texts);
      return process.cpuUsage(before).user;
    };
    cost(1_000);
    expect(cost(10_000)).toBeLessThan(40 * cost(1_000));
  });

  it.each([
    ["12", 12],
    ["1e3", 1000],
    [" 7\n", 7],
  ])("the rendered text %j is a number where one is expected", (quantity, expected) => {
    const parsed = parsePayload(
      "product/variant/stock/modify",
      { ...stock, quantity },
      textsAt(["/quantity"]),
    );
    expect(parsed).toEqual({ payload: { ...stock, quantity: expected } });
  });

  it.each(["", "null", "NaN", "Infinity", "0x10", "1_000", "01", "1e999"])(
    "the rendered text %j is not a number",
    (quantity) => {
      const [error] = errorsOf("product/variant/stock/modify", { ...stock, quantity }, ["/quantity"]);
      expect(error).toMatch(/^\/quantity: expected .* \(rendered from a template\)$/);
    },
  );

  it("an error about rendered text shows the template as written in the file", () => {
    const source = { ...stock, quantity: "{{ shoe.count }}" };
    expect(
      parsePayload("product/variant/stock/modify", { ...stock, quantity: "" }, { "/quantity": "" }, source),
    ).toEqual({
      errors: [
        expect.objectContaining({ message: expect.stringMatching(/ \(rendered from "{{ shoe.count }}"\)$/) }),
      ],
    });
  });

  it("a number in rendered text is checked against its limits", () => {
    expect(errorsOf("product/variant/stock/modify", { ...stock, quantity: "-1" }, ["/quantity"])).toEqual([
      "/quantity: expected at least 0, got -1 (rendered from a template)",
    ]);
    expect(errorsOf("product/variant/stock/modify", { ...stock, quantity: "1.5" }, ["/quantity"])).toEqual([
      "/quantity: expected whole number, got number 1.5 (rendered from a template)",
    ]);
  });

  it("rendered text is a boolean only if it is true or false", () => {
    const publish = { language: "en", itemId: id };
    const parse = (includeDescendants: string) =>
      parsePayload("item/publish", { ...publish, includeDescendants }, textsAt(["/includeDescendants"]));
    expect(parse("true")).toEqual({ payload: { ...publish, includeDescendants: true } });
    expect(parse("false")).toEqual({ payload: { ...publish, includeDescendants: false } });
    expect(parse("yes")).toHaveProperty("errors");
  });

  it("rendered text stays text where text is expected", () => {
    const image = { key: "12" };
    expect(parsePayload("image/register", image, textsAt(["/key"]))).toEqual({ payload: image });
  });

  it("rendered text is read at any depth, in settings next to a type, and in many fields of one payload", () => {
    const singleLine = { min: "1", max: "20", required: "true" };
    const piece = {
      identifier: "seo",
      name: "SEO",
      components: [{ id: "title", type: "singleLine", singleLine }],
    };
    const templated = ["min", "max", "required"].map((name) => `/components/0/singleLine/${name}`);
    expect(parsePayload("piece/create", piece, textsAt(templated))).toMatchObject({
      payload: { components: [{ config: { singleLine: { min: 1, max: 20, required: true } } }] },
    });
  });

  it("text not rendered from a template is not read as another type", () => {
    expect(errorsOf("product/variant/stock/modify", { ...stock, quantity: "12" }, ["/sku"])).toEqual([
      '/quantity: expected number, got string "12"',
    ]);
  });
});

describe("the normal form", () => {
  const definitionsOf = (components: unknown[]) => {
    const parsed = parsePayload("piece/create", { identifier: "seo", name: "SEO", components });
    return "payload" in parsed ? parsed.payload.components : parsed.errors;
  };

  it("the normal form of a component definition has a name, and its settings in config", () => {
    const written = { id: "title", type: "singleLine", singleLine: { required: true } };
    expect(definitionsOf([written])).toEqual([
      { id: "title", name: "title", type: "singleLine", config: { singleLine: { required: true } } },
    ]);
  });

  it("settings directly in config move under their type, at any depth", () => {
    const flat = (type: string, config: object) => ({ id: type, name: type, type, config });
    const typed = (type: string, settings: object) => flat(type, { [type]: settings });
    const written = [
      flat("contentChunk", { components: [flat("numeric", { units: ["kg"] })], repeatable: true }),
      flat("singleLine", { required: true, singleLine: { min: 1 } }),
      { ...flat("richText", { required: true }), richText: { max: 2 } },
      flat("boolean", { min: 1 }),
    ];
    expect(definitionsOf(written)).toEqual([
      typed("contentChunk", { components: [typed("numeric", { units: ["kg"] })], repeatable: true }),
      typed("singleLine", { min: 1 }),
      typed("richText", { max: 2 }),
      { id: "boolean", name: "boolean", type: "boolean" },
    ]);
  });

  it("wrong settings directly in config are refused, and rendered ones are read", () => {
    const piece = (...components: object[]) => ({ identifier: "seo", name: "SEO", components });
    const chosen = { id: "b", type: "selection", config: { min: 1 } };
    const choice = { id: "a", type: "componentChoice", config: { choices: [chosen] } };
    expect(errorsOf("piece/create", piece(choice))).toEqual([
      '/components/0/config/choices/0/config/options: "options" is missing: expected a list',
    ]);
    const rendered = piece({ id: "a", type: "boolean", config: { required: "true" } });
    const pointer = "/components/0/config/required";
    expect(errorsOf("piece/create", rendered)).toEqual([`${pointer}: expected boolean, got string "true"`]);
    expect(parsePayload("piece/create", rendered, textsAt([pointer]))).toMatchObject({
      payload: { components: [{ config: { boolean: { required: true } } }] },
    });
  });

  it("a component definition in normal form stays as it is", () => {
    const normal = {
      id: "a",
      name: "A",
      type: "boolean",
      description: "On",
      config: { boolean: { required: true } },
    };
    expect(definitionsOf([normal, { id: "b", name: "B", type: "numeric" }])).toEqual([
      normal,
      { id: "b", name: "B", type: "numeric" },
    ]);
  });

  it("settings in config win over those next to the type", () => {
    const written = {
      id: "a",
      name: "A",
      type: "richText",
      richText: { min: 1 },
      config: { richText: { max: 2 } },
    };
    expect(definitionsOf([written])).toMatchObject([{ config: { richText: { max: 2 } } }]);
  });

  it("components inside chunks and choices are normalised", () => {
    const leaf = { id: "leaf", type: "boolean", boolean: { required: true } };
    const choice = { id: "choice", type: "componentChoice", componentChoice: { choices: [leaf] } };
    const chunk = { id: "chunk", type: "contentChunk", config: { contentChunk: { components: [choice] } } };
    const normalLeaf = { id: "leaf", name: "leaf", type: "boolean", config: { boolean: { required: true } } };
    const normalChoice = {
      id: "choice",
      name: "choice",
      type: "componentChoice",
      config: { componentChoice: { choices: [normalLeaf] } },
    };
    expect(definitionsOf([chunk])).toEqual([
      {
        id: "chunk",
        name: "chunk",
        type: "contentChunk",
        config: { contentChunk: { components: [normalChoice] } },
      },
    ]);
  });

  it.each([
    ["<p>Oak</p>", ["<p>Oak</p>"]],
    [
      ["<p>Oak</p>", "<p>Ash</p>"],
      ["<p>Oak</p>", "<p>Ash</p>"],
    ],
  ])("richText.html %j becomes a list", (html, list) => {
    const update = { sku: "chair", language: "en", component: { componentId: "body", richText: { html } } };
    const parsed = parsePayload("item/updateComponent/sku", update);
    expect(parsed).toMatchObject({ payload: { component: { richText: { html: list } } } });
  });
});
