import { describe, expect, it } from "vitest";
import { checkOperation, intentNames, objectionToCondition, problemText } from "../../src/internal.ts";

const id = "65f1a2b3c4d5e6f708192a3b";
const errorsOf = (operation: unknown) => checkOperation(operation).errors.map(problemText);
const warningsOf = (operation: unknown) => checkOperation(operation).warnings.map(problemText);

describe("a value that is not an operation", () => {
  it.each([
    [null, 'expected an operation, an object with "intent", got null'],
    [[], 'expected an operation, an object with "intent", got a list of 0'],
    ["item/publish", 'expected an operation, an object with "intent", got string "item/publish"'],
    [{}, '/intent: "intent" is missing: expected an intent'],
    [{ intent: 5 }, "/intent: expected an intent, got number 5"],
    [{ intent: "__proto__" }, '/intent: string "__proto__" is not a known intent'],
  ])("%j is refused as an operation", (operation, message) => {
    expect(errorsOf(operation)).toEqual([message]);
  });

  it("the error about an unknown intent names the nearest intents", () => {
    const [error] = errorsOf({ intent: "product/variant/stok/modfy" });
    expect(error).toMatch(/not a known intent; did you mean "product\/variant\/stock\/modify"/);
  });

  it("an invalid operation keeps its _ref, so that later operations can be checked against it", () => {
    expect(checkOperation({ intent: "product/crate", _ref: "chair" })).toMatchObject({ ref: "chair" });
  });
});

describe("_ifUnchangedSince", () => {
  const operation = (time: unknown, intent = "topic/delete") => ({
    intent,
    topicId: id,
    _ifUnchangedSince: time,
  });

  it.each(["2026-01-31T12:00:00Z", "2026-01-31t12:00:00.123456+02:00", "2024-02-29T23:59:59-11:30"])(
    "%j is a time with its time zone",
    (time) => {
      expect([...errorsOf(operation(time)), ...warningsOf(operation(time))]).toEqual([]);
    },
  );

  it.each([
    ...["2026-01-31T12:00:00", "2026-01-31", "2026-02-30T12:00:00Z", "2026-01-31T25:00:00Z", "", null, 5],
    "{{ t.updatedAt }}",
  ])("%j is refused as a time", (time) => {
    expect(errorsOf(operation(time))).toEqual([
      expect.stringMatching(/^\/_ifUnchangedSince: expected (a time with its time zone, such as|string)/),
    ]);
  });

  it.each([
    [{ intent: "product/create" }, /it creates, and what does not exist has not changed$/],
    [{ intent: "item/paths/addAliases" }, /what it writes has no updatedAt$/],
    [{ intent: "language/upsert" }, /what it writes has no updatedAt$/],
  ])("%j is refused with it, at its position", (given, reason) => {
    const { errors, warnings } = checkOperation({ ...given, _ifUnchangedSince: "2026-01-31T12:00:00Z" });
    expect(errors.filter(({ path }) => path[0] === "_ifUnchangedSince")).toEqual([
      { code: "UnknownField", path: ["_ifUnchangedSince"], message: expect.stringMatching(reason) },
    ]);
    expect(warnings).toEqual([]);
  });

  it("every other intent takes it", () => {
    const refusing = intentNames.filter((intent) => objectionToCondition(intent) !== undefined);
    expect(refusing).toEqual(
      intentNames.filter((intent) =>
        /\/(create|register|addItems|\w+(Aliases|History))$|^(language|vatType|priceVariant|stockLocation|market|subscriptionPlan|orderPipeline)\//.test(
          intent,
        ),
      ),
    );
  });
});

describe("an error", () => {
  it("an error names the position of a wrong type ten levels deep", () => {
    const numeric = { componentId: "height", numeric: { number: "tall" } };
    const inner = { componentId: "inner", piece: { identifier: "size", components: [numeric] } };
    const chunk = { componentId: "rows", contentChunk: { chunks: [[inner]] } };
    const component = { componentId: "outer", piece: { identifier: "table", components: [chunk] } };
    const operation = { intent: "item/updateComponent/item", itemId: id, language: "en", component };
    expect(errorsOf(operation)).toEqual([
      "/component/piece/components/0/contentChunk/chunks/0/0/piece/components/0/numeric/number: " +
        'expected number, got string "tall"',
    ]);
  });

  it("all errors of an operation are listed together", () => {
    const operation = { intent: "product/variant/stock/modify", sku: "", operation: "add", quantity: 0.5 };
    expect(errorsOf(operation)).toEqual([
      '/operation: expected one of "decrease", "increase", "overwrite", got string "add"',
      "/quantity: expected whole number, got number 0.5",
      "/sku: must not be empty",
      '/stockLocationIdentifier: "stockLocationIdentifier" is missing: expected string',
    ]);
  });

  it("an error names the field, and the form it expects", () => {
    const shape = { intent: "shape/create", identifier: "page", type: "document" };
    const components = { intro: { type: "singleLine" } };
    expect(errorsOf({ ...shape, components })).toEqual([
      '/name: "name" is missing: expected string',
      '/components: "components" expects a list of {id, type, …}, got an object',
    ]);
    const content = [
      { componentId: "a", contentChunk: { chunks: {} } },
      "b",
      { componentId: "c", singleLine: 1 },
    ];
    const document = { intent: "document/upsert", name: "n", shapeIdentifier: "page", language: "en" };
    expect(errorsOf({ ...document, tree: id, components: content, topicIds: id })).toEqual([
      '/topicIds: "topicIds" expects a list of strings, got string "65f1a2b3c4d5e6f708192a3b"',
      '/components/0/contentChunk/chunks: "chunks" expects a list of lists of {componentId, …}, got an object',
      '/components/1: expected an object {componentId, …}, got string "b"',
      '/components/2/singleLine: "singleLine" expects an object {text}, got number 1',
      '/tree: "tree" expects an object {parentId, …}, got string "65f1a2b3c4d5e6f708192a3b"',
    ]);
    expect(errorsOf({ intent: "product/create" })).toContain(
      '/variants: "variants" is missing: expected a list of {sku, name, …}',
    );
  });

  it.each([
    [
      {
        ...{ intent: "product/variant/stock/modify", operation: "increase" },
        ...{ sku: "a", stockLocationIdentifier: "b", quantity: -1 },
      },
      "/quantity: expected at least 0, got -1",
    ],
    [
      {
        ...{ intent: "product/variant/stock/modify", operation: "increse" },
        ...{ sku: "a", stockLocationIdentifier: "b", quantity: 1 },
      },
      '/operation: did you mean "increase"? Expected one of "decrease", "increase", "overwrite", ' +
        'got string "increse"',
    ],
    [
      { intent: "item/publish", language: "en", itemId: "65F1" },
      '/itemId: expected an id of 24 lowercase hexadecimal digits, got string "65F1"',
    ],
    [
      { intent: "item/publish", language: "en" },
      'needs "itemId" or "resourceIdentifier", to say which one is meant',
    ],
    [{ intent: "topic/delete" }, 'needs "topicId" or "resourceIdentifier", to say which one is meant'],
    [
      { intent: "customer/create", identifier: "kari", email: "kari" },
      '/email: expected an email address, got string "kari"',
    ],
    [
      { intent: "customer/create", identifier: "kari", birthDate: "soon" },
      '/birthDate: expected a date and time such as 2026-01-31T12:00:00Z, got string "soon"',
    ],
    [
      { intent: "item/flow/stage/addItems", stageIdentifier: "todo", items: [] },
      "/items: expected at least 1 in the list, got 0",
    ],
    [
      { intent: "piece/create", identifier: "x".repeat(65), name: "X" },
      "/identifier: expected at most 64 characters, got 65",
    ],
    [
      { intent: "piece/create", identifier: "x", name: "X" },
      "/identifier: expected at least 2 characters, got 1",
    ],
    [{ intent: "image/register", key: ["a.png"] }, "/key: expected string, got a list of 1"],
    [{ intent: "folder/update", itemId: id, language: "en", name: null }, "/name: expected string, got null"],
  ])("the error of %j says what is right", (operation, message) => {
    expect(errorsOf(operation)).toEqual([message]);
  });

  it("an error shortens a long value", () => {
    const [error] = errorsOf({ intent: "item/delete", itemId: "x".repeat(1_000) });
    expect(error!.length).toBeLessThan(150);
  });

  it("the number of errors listed for one operation is limited", () => {
    const topicIds = Array.from({ length: 20_000 }, () => 5);
    const { errors } = checkOperation({ intent: "folder/update", itemId: id, language: "en", topicIds });
    expect(errors).toHaveLength(1_000);
    expect(errors.at(-1)).toMatchObject({ code: "WrongType", path: ["topicIds", 999] });
  });

  it("a lower limit above its upper one is an error", () => {
    const component = {
      id: "tags",
      type: "selection",
      config: { selection: { options: [], min: 3, max: 2 } },
    };
    const operation = { intent: "piece/create", identifier: "tags", name: "Tags", components: [component] };
    expect(errorsOf(operation)).toEqual([
      '/components/0/config/selection/min: "min" is 3, above "max", which is 2',
    ]);
  });

  it("an unknown field of a cart item or a payment is an error, as those are strict", () => {
    const operation = {
      intent: "order/register",
      customer: { identifier: "kari" },
      cart: [{ name: "Chair", quantity: 1, quantty: 2 }],
      payment: [{ provider: "cash", cashh: {} }],
    };
    expect(errorsOf(operation)).toEqual([
      '/cart/0/quantty: "quantty" is not a known field; did you mean "quantity"?',
      '/payment/0/cashh: "cashh" is not a known field; did you mean "cash"?',
    ]);
    expect(warningsOf(operation)).toEqual([]);
  });
});

describe("a template", () => {
  it.each([
    {
      intent: "product/variant/stock/modify",
      sku: "{{ a.sku }}",
      stockLocationIdentifier: "main",
      operation: "{{#if a.low}}increase{{else}}overwrite{{/if}}",
      quantity: "{{ a.stock }}",
    },
    {
      intent: "item/publish",
      language: "{{ defaults.languages.[0] }}",
      itemId: "{{#if a.id.id}}{{ a.id.id }}{{else}}{{ a.id }}{{/if}}",
      includeDescendants: "{{ a.deep }}",
    },
    {
      intent: "customer/upsert",
      identifier: "kari",
      email: "{{ a.name }}@example.com",
      birthDate: "{{ a.born }}",
    },
    {
      intent: "piece/create",
      identifier: `{{#if a.identifier}}{{ a.identifier }}{{else}}${"x".repeat(60)}{{/if}}`,
      name: "X",
    },
  ])("a template may replace any scalar: %j", (operation) => {
    expect(checkOperation(operation)).toMatchObject({ errors: [], warnings: [] });
  });

  it.each(["{{ a.stock", "a.stock }}", "}} {{"])("an open template is not a number: %j", (quantity) => {
    const operation = {
      intent: "product/variant/stock/modify",
      sku: "a",
      stockLocationIdentifier: "b",
      operation: "increase",
    };
    expect(errorsOf({ ...operation, quantity })).toEqual([
      `/quantity: expected number, got string ${JSON.stringify(quantity)}`,
    ]);
  });

  it("a template cannot replace an object or a list", () => {
    expect(
      errorsOf({ intent: "item/updateComponent/sku", sku: "a", language: "en", component: "{{ a }}" }),
    ).toEqual(['/component: "component" expects an object {componentId, …}, got string "{{ a }}"']);
  });
});
