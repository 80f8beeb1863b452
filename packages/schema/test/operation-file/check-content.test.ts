import { describe, expect, it } from "vitest";
import { check, issuesOf, placeOf } from "./support/files.ts";

type Operation = Record<string, unknown>;

const id = "0123456789abcdef01234567";
const required = (name: string) => ({
  id: name,
  type: "singleLine",
  config: { singleLine: { required: true } },
});
const plain = (name: string) => ({ id: name, type: "singleLine" });
const line = (componentId: string) => ({ componentId, singleLine: { text: "x" } });

const shape = (more: Operation = {}) => ({
  intent: "shape/upsert",
  identifier: "article",
  name: "Article",
  type: "document",
  components: [required("intro"), plain("body")],
  ...more,
});
const productShape = (more: Operation = {}) =>
  shape({ type: "product", variantComponents: [required("size"), plain("color")], ...more });
const created = (components: unknown, more: Operation = {}) => ({
  intent: "document/create",
  language: "en",
  name: "n",
  shapeIdentifier: "article",
  tree: { parentId: id },
  components,
  ...more,
});
const upserted = (components: unknown, more: Operation = {}) =>
  created(components, { intent: "document/upsert", resourceIdentifier: "a", ...more });
const update = (component: unknown, more: Operation = {}) => ({
  intent: "item/updateComponent/item",
  language: "en",
  resourceIdentifier: "a",
  component,
  ...more,
});

const text = (operations: readonly Operation[]) => JSON.stringify({ version: "1.0.0", operations }, null, 1);

/** The issues as `code pointer`, of which each is a warning. */
async function found(...operations: Operation[]): Promise<string[]> {
  const { issues } = await check(text(operations));
  return issues.map(
    ({ severity, code, pointer }) => `${severity === "warning" ? "" : severity}${code} ${pointer}`,
  );
}

describe("content that does not fit a shape of the file", () => {
  it("is a warning with its place and the nearest component, an error when strict", async () => {
    const content = text([shape(), created([line("intrro"), line("intro")])]);
    const place = placeOf(content, '"intrro"');
    const pointer = "/operations/1/components/0/componentId";
    expect(await issuesOf(content)).toEqual([`warning UnknownComponent ${pointer} ${place}`]);
    expect(await issuesOf(content, { strict: true })).toEqual([`error UnknownComponent ${pointer} ${place}`]);
    const { issues } = await check(content);
    expect(issues[0]?.message).toBe('There is no component "intrro" here. Did you mean "intro"?');
  });

  it("has the wrong type, or none", async () => {
    const wrong = { componentId: "body", numeric: { number: 1 } };
    expect(await found(shape(), upserted([wrong, { componentId: "intro" }]))).toEqual([
      "WrongComponentType /operations/1/components/0/numeric",
      "NoContent /operations/1/components/1",
    ]);
    const misspelt = { componentId: "body", singelLine: { text: "x" } };
    expect(await found(shape(), upserted([misspelt]))).toEqual([
      "UnknownField /operations/1/components/0/singelLine",
    ]);
  });

  it("lacks a required component, where the operation can only create", async () => {
    const missing = "RequiredComponentMissing /operations/1/components";
    expect(await found(shape(), created([]))).toEqual([missing]);
    expect(await found(shape(), created(undefined))).toEqual([missing]);
    expect(await found(shape(), upserted([], { resourceIdentifier: undefined }))).toEqual([missing]);
    for (const named of [
      { resourceIdentifier: "a" },
      { itemId: id },
      { resourceIdentifier: undefined, externalReference: "x" },
    ])
      expect(await found(shape(), upserted([], named))).toEqual([]);
  });

  it("clears a required component, whatever the operation does", async () => {
    const cleared = { componentId: "intro", singleLine: null };
    expect(await found(shape(), upserted([cleared]))).toEqual([
      "RequiredComponentMissing /operations/1/components/0",
    ]);
  });

  it("is found in variants", async () => {
    const product = (intent: string, components: unknown) =>
      created([line("intro")], { intent, vatTypeId: id, variants: [{ sku: "s", name: "n", components }] });
    expect(await found(productShape(), product("product/create", [line("colour")]))).toEqual([
      "UnknownComponent /operations/1/variants/0/components/0/componentId",
      "RequiredComponentMissing /operations/1/variants/0/components",
    ]);
    const upsert = { ...product("product/upsert", [line("colour")]), itemId: id };
    expect(await found(productShape(), upsert)).toEqual([
      "UnknownComponent /operations/1/variants/0/components/0/componentId",
    ]);
    expect(await found(productShape(), { ...upsert, itemId: undefined, variants: undefined })).toEqual([
      "RequiredComponentMissing /operations/1/variants",
    ]);
  });

  it("is found in operations on items and variants that the file has created, however they are named", async () => {
    const operations = [
      productShape(),
      created([line("intro")], {
        ...{ intent: "product/create", _ref: "shoe", resourceIdentifier: "a", vatTypeId: id },
        variants: [{ sku: "s", name: "n", components: [line("size")] }],
      }),
      update(line("nope")),
      update(line("nope"), { resourceIdentifier: undefined, itemId: "{{ shoe.id }}" }),
      { intent: "item/updateComponent/sku", language: "en", sku: "s", component: line("body") },
      { intent: "product/update", language: "en", itemId: "{{shoe.id}}", components: [line("nope")] },
      { intent: "product/variant/create", language: "en", productId: "{{ shoe.id }}", sku: "t", name: "n" },
      { intent: "product/variant/update", language: "en", sku: "t", components: [line("body")] },
      update(line("body")),
      { intent: "product/variant/update", language: "en", sku: "t", components: [line("color")] },
    ];
    expect(await found(...operations)).toEqual([
      "UnknownComponent /operations/2/component/componentId",
      "UnknownComponent /operations/3/component/componentId",
      "UnknownComponent /operations/4/component/componentId",
      "UnknownComponent /operations/5/components/0/componentId",
      "RequiredComponentMissing /operations/6/components",
      "UnknownComponent /operations/7/components/0/componentId",
    ]);
  });

  it("keeps an item from being published in that language, unless something was written between", async () => {
    const publish = (more: Operation = {}) => ({
      ...{ intent: "item/publish", language: "en", itemId: "{{ page.id }}", ...more },
    });
    const page = upserted([line("body")], { _ref: "page" });
    expect(await found(shape(), page, publish())).toEqual(["RequiredComponentMissing /operations/2"]);
    expect(await found(shape(), page, publish({ itemId: undefined, resourceIdentifier: "a" }))).toEqual([
      "RequiredComponentMissing /operations/2",
    ]);
    const { issues } = await check(text([shape(), page, publish()]));
    expect(issues[0]?.message).toBe(
      'The component "intro" (singleLine) is required and is missing: operations[1] leaves it out, so this cannot be published',
    );
    expect(await found(shape(), page, publish({ language: "de" }))).toEqual([]);
    expect(await found(shape(), page, update(line("intro")), publish())).toEqual([]);
    expect(await found(shape(), upserted(undefined, { _ref: "page" }), publish())).toEqual([]);
    const shared = {
      id: "intro",
      type: "singleLine",
      config: { singleLine: { required: true, multilingual: false } },
    };
    expect(await found(shape({ components: [shared] }), upserted([], { _ref: "page" }), publish())).toEqual(
      [],
    );
  });
});

describe("items that are written first and published after all of them", () => {
  const publish = (resourceIdentifier: string, more: Operation = {}) => ({
    ...{ intent: "item/publish", language: "en", resourceIdentifier, ...more },
  });
  const page = (resourceIdentifier: string, components: unknown, more: Operation = {}) =>
    upserted(components, { resourceIdentifier, ...more });
  const [whole, part] = [[line("intro")], [line("body")]];
  const missing = (index: number) => `RequiredComponentMissing /operations/${index}`;

  it("are each told of", async () => {
    const pages = [
      page("a", part, { _ref: "a" }),
      page("b", whole, { externalReference: "e" }),
      page("c", part),
    ];
    const issues = await found(
      ...[shape(), ...pages, page("a", whole, { language: "de" })],
      ...[publish("a"), publish("b"), publish("c"), publish("a", { language: "de" })],
      publish("a", { resourceIdentifier: undefined, itemId: "{{ a.id }}" }),
    );
    expect(issues).toEqual([missing(5), missing(7), missing(9)]);
  });

  it("are not told of once anything may have completed them", async () => {
    const byId = { resourceIdentifier: undefined, itemId: id };
    for (const between of [
      page("a", whole),
      page("a", undefined),
      page("x", whole, byId),
      page("x", whole, { ...byId, itemId: "{{ a.id }}" }),
      page("x", whole, { resourceIdentifier: undefined, externalReference: "e" }),
      page("{{ defaults.tenantId }}", whole),
      page("a", whole, { language: "{{ defaults.languages.[0] }}" }),
      update(line("intro")),
      shape({ components: [plain("intro"), plain("body")] }),
    ])
      for (const last of [publish("a"), publish("a", { ...byId, itemId: "{{ a.id }}" })])
        expect(await found(shape(), page("a", part, { _ref: "a" }), between, last)).toEqual([]);
    const written = [page("x", part, byId), page("a", whole), publish("x", byId)];
    expect(await found(shape(), ...written)).toEqual([]);
  });

  it("are remembered up to a bound", async () => {
    const many = Array.from({ length: 12_000 }, (_, i) => page(`p${i}`, part));
    expect(await found(shape(), ...many, publish("p0"), publish("p11999"))).toEqual([missing(12_002)]);
  });
});

describe("content inside of other content", () => {
  const seo = { intent: "piece/upsert", identifier: "seo", name: "SEO", components: [required("title")] };
  const within = (components: unknown) => ({ componentId: "seo", piece: { identifier: "seo", components } });
  const usesPiece = shape({
    components: [{ id: "seo", type: "piece", config: { piece: { identifier: "seo" } } }],
  });

  it("of a piece of the file is held against the piece, which has to be the one of the shape", async () => {
    expect(await found(seo, usesPiece, upserted([within([line("titel")])]))).toEqual([
      "UnknownComponent /operations/2/components/0/piece/components/0/componentId",
      "RequiredComponentMissing /operations/2/components/0/piece/components",
    ]);
    const other = { componentId: "seo", piece: { identifier: "sea", components: [] } };
    expect(await found(seo, usesPiece, upserted([other]))).toEqual([
      "WrongPiece /operations/2/components/0/piece/identifier",
    ]);
  });

  it("of a piece that the file does not define is not looked at", async () => {
    expect(await found(usesPiece, upserted([within([line("anything")])]))).toEqual([]);
  });

  it("of a chunk is complete in each chunk; a choice is one of the choices", async () => {
    const components = [
      {
        id: "rows",
        type: "contentChunk",
        contentChunk: { repeatable: true, components: [required("cell")] },
      },
      {
        id: "one",
        type: "componentChoice",
        config: { componentChoice: { choices: [plain("a"), plain("b")] } },
      },
      { id: "many", type: "componentMultipleChoice", componentMultipleChoice: { choices: [required("a")] } },
    ];
    const content = [
      { componentId: "rows", contentChunk: { chunks: [[line("cell")], [line("sell"), line("cell")], []] } },
      { componentId: "one", componentChoice: line("c") },
      {
        componentId: "many",
        componentMultipleChoice: [line("a"), { componentId: "a", numeric: { number: 1 } }],
      },
    ];
    expect(await found(shape({ components }), upserted(content))).toEqual([
      "UnknownComponent /operations/1/components/0/contentChunk/chunks/1/0/componentId",
      "RequiredComponentMissing /operations/1/components/0/contentChunk/chunks/2",
      "UnknownComponent /operations/1/components/1/componentChoice/componentId",
      "WrongComponentType /operations/1/components/2/componentMultipleChoice/1/numeric",
    ]);
  });
});

describe("what a file says of a shape", () => {
  const unknown = (index: number) => `UnknownComponent /operations/${index}/components/0/componentId`;

  it("counts from there on, and is replaced by what it says later", async () => {
    expect(
      await found(
        upserted([line("new")]),
        shape(),
        upserted([line("new")]),
        shape({ intent: "shape/update", type: undefined, components: [plain("new")] }),
        upserted([line("new")]),
        upserted([line("body")]),
        shape({ components: null }),
        upserted([line("new")]),
      ),
    ).toEqual([unknown(2), unknown(5), unknown(7)]);
  });

  it("is what was before where a list is left out, and nothing where the file does not say what was", async () => {
    const renamed = shape({ components: undefined });
    expect(await found(renamed, upserted([line("any")]), shape(), renamed, upserted([line("any")]))).toEqual([
      unknown(4),
    ]);
    expect(
      await found(shape({ intent: "shape/create", components: undefined }), upserted([line("any")])),
    ).toEqual([unknown(1)]);
  });

  it("is read wherever the settings are written", async () => {
    const missing = "RequiredComponentMissing /operations/1/components";
    for (const settings of [
      { config: { singleLine: { required: true } } },
      { singleLine: { required: true } },
      { config: { required: true } },
    ]) {
      const components = [{ id: "a", type: "singleLine", ...settings }];
      expect(await found(shape({ components }), created([]))).toContain(missing);
    }
  });

  it("is unknown where a template has part in it", async () => {
    const any = upserted([line("any")]);
    for (const components of [[plain("a"), plain("{{ b.id }}")], [{ id: "any", type: "{{ b.id }}" }]])
      expect(
        (await found(shape({ components }), any)).filter((issue) => !issue.startsWith("Undefined")),
      ).toEqual([]);
    const some = shape({ identifier: "{{ defaults.tenantId }}" });
    expect(await found(shape(), some, any)).toEqual([]);
    expect(
      await found(shape(), upserted([line("any")], { shapeIdentifier: "{{ defaults.tenantId }}" })),
    ).toEqual([]);
    const templated = { componentId: "{{ defaults.tenantId }}", singleLine: { text: "x" } };
    expect(await found(shape(), created([templated]))).toEqual([]);
  });

  it("is nothing for the content of other shapes", async () => {
    expect(await found(shape(), upserted([line("any")], { shapeIdentifier: "other" }))).toEqual([]);
    expect(
      await found(
        shape({ identifier: "constructor" }),
        upserted([line("any")], { shapeIdentifier: "toString" }),
      ),
    ).toEqual([]);
  });

  it("is forgotten when it would take too much memory", async () => {
    const components = Array.from({ length: 500 }, (_, i) => plain(`${"x".repeat(10_000)}${i}`));
    const small = shape({ identifier: "small" });
    const toSmall = upserted([line("any")], { shapeIdentifier: "small" });
    expect(await found(shape({ components }), small, upserted([line("any")]), toSmall)).toEqual([unknown(3)]);
  });
});

describe("very much wrong content", () => {
  const long = (i: number) => `${i}`.padStart(40, "x");

  it("of one operation, or of many, is checked in little time", async () => {
    const many = Array.from({ length: 1_000 }, (_, i) => required(long(i)));
    const chunk = { id: "rows", type: "contentChunk", contentChunk: { components: many } };
    const model = [shape({ components: many }), shape({ identifier: "rows", components: [chunk] })];
    const wrong = Array.from({ length: 5_000 }, (_, i) => line(long(i + 100_000)));
    const rows = [{ componentId: "rows", contentChunk: { chunks: Array(5_000).fill([]) } }];
    const single = Array.from({ length: 1_000 }, (_, i) => upserted([line(long(i + 200_000))]));
    const content = text([...model, upserted(wrong), upserted(rows, { shapeIdentifier: "rows" }), ...single]);
    const { user: before } = process.cpuUsage();
    const report = await check(content);
    expect((process.cpuUsage().user - before) / 1e6).toBeLessThan(4);
    expect(report).toMatchObject({ errorCount: 0, warningCount: 3_000 });
    const advised = report.issues.filter(({ message }) => message.includes("Did you mean"));
    expect(advised).toHaveLength(20);
  });
});
