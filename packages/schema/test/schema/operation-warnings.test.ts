import { describe, expect, it } from "vitest";
import { checkOperation, parsePayload, problemText } from "../../src/index.ts";

const warningsOf = (operation: unknown) => checkOperation(operation).warnings.map(problemText);

describe("a warning", () => {
  const product = { intent: "product/upsert", language: "en", name: "Chair", shapeIdentifier: "furniture" };

  it("settings under another type's name may be anything, and are a warning", () => {
    const stray = { id: "place", type: "location", singleLine: "x" };
    const chunk = { id: "rows", type: "contentChunk", config: { contentChunk: { components: [stray] } } };
    const operation = { intent: "shape/create", name: "Shop", type: "document", identifier: "shop" };
    const message = '"singleLine" is not a known field of a component of type "location"';
    const written = { ...operation, components: [stray, chunk] };
    expect(checkOperation(written)).toMatchObject({ errors: [], warnings: [{ code: "UnknownField" }, {}] });
    expect(warningsOf(written)).toEqual([
      `/components/0/singleLine: ${message}`,
      `/components/1/config/contentChunk/components/0/singleLine: ${message}`,
    ]);
    expect(parsePayload("shape/create", written)).toMatchObject({
      payload: { components: [{ id: "place", type: "location" }, { id: "rows" }] },
    });
    const wrong = { ...operation, components: [{ ...stray, location: "y" }] };
    expect(checkOperation(wrong).errors).toMatchObject([{ path: ["components", 0, "location"] }]);
    expect(parsePayload("shape/create", wrong)).toMatchObject({
      errors: [{ path: ["components", 0, "location"] }],
    });
  });

  it("a blank or padded key is a warning wherever something can get it", () => {
    const blank = "must not be blank: a new key like this is rejected";
    const padded = 'has white space around it; use "a": a new key like this is rejected';
    const key = " a ";
    const cart = [{ name: "Tea", quantity: 1 }];
    const operations: [object, ...string[]][] = [
      [{ intent: "customer/upsert", identifier: "  " }, `/identifier: ${blank}`],
      [{ intent: "customer/group/upsert", identifier: key }, `/identifier: ${padded}`],
      [
        { intent: "topic/upsert", language: "en", name: "T", resourceIdentifier: " " },
        `/resourceIdentifier: ${blank}`,
      ],
      [
        { ...product, resourceIdentifier: key, externalReference: key },
        `/externalReference: ${padded}`,
        `/resourceIdentifier: ${padded}`,
      ],
      [
        { intent: "order/upsert", cart, customer: { identifier: "" } },
        "/customer/identifier: must not be empty: a new key like this is rejected",
      ],
      [
        { intent: "order/upsert", cart: [], customer: { identifier: "a" } },
        "/cart: expected at least 1 in the list, got 0",
      ],
      [{ intent: "market/upsert", identifier: key, name: "M" }, `/identifier: ${padded}`],
      [{ intent: "piece/upsert", identifier: "  ", name: "P", components: [] }, `/identifier: ${blank}`],
      [{ intent: "image/register", key: "k", resourceIdentifier: key }, `/resourceIdentifier: ${padded}`],
    ];
    for (const [operation, ...warnings] of operations) {
      expect(checkOperation(operation).errors).toEqual([]);
      expect(warningsOf(operation)).toEqual(warnings);
    }
    expect(warningsOf({ intent: "customer/delete", identifier: key })).toEqual([]);
    expect(warningsOf({ intent: "customer/upsert", identifier: "{{ row.key }}" })).toEqual([]);
  });

  it("an empty key is a warning, since its operation will fail", () => {
    const empty = "must not be empty: the operation will fail";
    const emptyKey = "must not be empty: a new key like this is rejected";
    expect(warningsOf({ intent: "customer/create", identifier: "" })).toEqual([`/identifier: ${emptyKey}`]);
    const variants = [
      { sku: "a", name: "A" },
      { sku: "", name: "B", externalReference: "" },
    ];
    expect(warningsOf({ ...product, externalReference: "", variants })).toEqual([
      `/externalReference: ${emptyKey}`,
      "/variants/1/sku: must not be empty: a new SKU like this is rejected",
      `/variants/1/externalReference: ${emptyKey}`,
    ]);
    expect(warningsOf({ intent: "topic/create", language: "en", name: "", pathIdentifier: "" })).toEqual([
      `/pathIdentifier: ${empty}`,
      `/name: ${empty}`,
    ]);
    expect(warningsOf({ intent: "customer/group/create", identifier: "a", name: "" })).toEqual([]);
  });

  it("an unknown field is a warning that names the nearest known ones, at any depth", () => {
    const variant = {
      sku: "chair",
      name: "Chair",
      priceVariants: [{ identifier: "default", price: 9, curency: "NOK" }],
    };
    const operation = { ...product, componets: [], variants: [{ ...variant, stockLocation: [] }] };
    expect(checkOperation(operation).errors).toEqual([]);
    expect(warningsOf(operation)).toEqual([
      '/variants/0/priceVariants/0/curency: "curency" is not a known field; known here: "identifier", "price", "tierType", "tiers"',
      '/variants/0/stockLocation: "stockLocation" is not a known field; did you mean "stockLocations"?',
      '/componets: "componets" is not a known field; did you mean "components"?',
    ]);
  });

  it("the number of warnings listed for one operation is limited", () => {
    const strays = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`stray${index}`, 1]));
    expect(checkOperation({ ...product, ...strays }).warnings).toHaveLength(1_000);
  });

  it("warnings are returned together with errors", () => {
    const operation = { ...product, name: 5, topics: [] };
    expect(checkOperation(operation)).toMatchObject({
      errors: [{ code: "WrongType", path: ["name"] }],
      warnings: [{ code: "UnknownField", path: ["topics"] }],
    });
  });

  it("an unknown field gives a warning even if every object has a member of that name", () => {
    const operation = JSON.parse(
      '{"intent":"item/delete","resourceIdentifier":"a","__proto__":1,"constructor":2}',
    );
    expect(warningsOf(operation)).toHaveLength(2);
  });

  it("unused settings of a component are a warning", () => {
    const components = [
      { id: "title", type: "singleLine", richText: { required: true } },
      { id: "body", type: "richText", richText: { min: 1 }, config: { richText: { max: 2 }, numeric: {} } },
      {
        id: "any",
        type: "componentChoice",
        componentChoice: { choices: [{ id: "a", type: "files", boolean: {} }] },
      },
      { id: "later", type: "{{ a.type }}", boolean: {} },
    ];
    const operation = { intent: "piece/create", identifier: "text", name: "Text", components };
    expect(warningsOf(operation)).toEqual([
      '/components/0/richText: not used: the component is of type "singleLine"',
      '/components/1/richText: not used: the settings in "config" count',
      '/components/1/config/numeric: not used: the component is of type "richText"',
      '/components/2/componentChoice/choices/0/boolean: not used: the component is of type "files"',
    ]);
  });

  it("settings directly in config give no warning alone, but one next to those under the type", () => {
    const flat = (type: string, config: object) => ({ id: type, type, config });
    const choices = [flat("boolean", { required: true, min: 1 }), flat("selection", { min: "2" })];
    const components = [
      flat("singleLine", { required: true, singleLine: { min: 1 } }),
      { ...flat("richText", { max: 1 }), richText: {} },
      flat("componentChoice", { choices, multilingual: "no" }),
      flat("componentMultipleChoice", { choices }),
      flat("contentChunk", { contentChunk: { components: [flat("numeric", { units: ["kg"] })] } }),
      flat("contentChunk", { components: [null] }),
      flat("{{ a.type }}", { required: true }),
      flat("richText", { requird: true, singelLine: {}, zzz: 1 }),
    ];
    const operation = { intent: "piece/create", identifier: "text", name: "Text", components };
    const { errors, warnings } = checkOperation(operation);
    expect(errors).toEqual([]);
    const read = (type: string, key: string) =>
      `read as a setting of "${type}"; write it under "config": {"${type}": {"${key}": …}}`;
    const fails = "the operation will fail";
    const [unknown, ...others] = warnings.map(problemText);
    expect(unknown).toMatch('/components/6/config/required: "required" is not a known field');
    const misspelt = others.splice(0, 3);
    expect(misspelt.slice(0, 2)).toEqual([
      '/components/7/config/requird: "requird" is not a known field; did you mean "required", a setting of "richText"?',
      '/components/7/config/singelLine: "singelLine" is not a known field; did you mean "singleLine"?',
    ]);
    expect(misspelt[2]).toMatch('/components/7/config/zzz: "zzz" is not a known field; known here: ');
    expect(others).toEqual([
      '/components/0/config/required: not used: the settings under "singleLine" count',
      '/components/1/config/max: not used: the settings under "richText" count',
      `/components/2/config/choices: ${read("componentChoice", "choices")}`,
      `/components/2/config/multilingual: ${read("componentChoice", "multilingual")}`,
      `/components/2/config/multilingual: expected boolean, got string "no": ${fails}`,
      `/components/3/config/choices: ${read("componentMultipleChoice", "choices")}`,
      `/components/3/config/choices/0/config/required: ${read("boolean", "required")}`,
      `/components/3/config/choices/1/config/min: ${read("selection", "min")}`,
      `/components/3/config/choices/1/config/min: expected number, got string "2": ${fails}`,
      `/components/3/config/choices/1/config/options: "options" is missing: expected a list of {key, value, …}: ${fails}`,
      `/components/4/config/contentChunk/components/0/config/units: ${read("numeric", "units")}`,
      `/components/5/config/components: ${read("contentChunk", "components")}`,
      `/components/5/config/components/0: expected an object {id, type, …}, got null: ${fails}`,
    ]);
  });

  it("unknown fields give no warning where any JSON is allowed", () => {
    const component = {
      componentId: "body",
      richText: { json: [{ kind: "paragraph", anything: { goes: 1 } }] },
    };
    const operation = { intent: "item/updateComponent/sku", sku: "chair", language: "en", component };
    expect(checkOperation(operation)).toEqual({ intent: operation.intent, errors: [], warnings: [] });
  });
});
