import { describe, expect, it } from "vitest";
import {
  created,
  id,
  issuesWith,
  line,
  type Operation,
  plain,
  required,
  shape,
  text,
  upserted,
} from "./support/content.ts";
import { check, issuesOf, positionOf } from "./support/files.ts";

const productShape = (more: Operation = {}) =>
  shape({ type: "product", variantComponents: [required("size"), plain("color")], ...more });
const update = (component: unknown, more: Operation = {}) => ({
  intent: "item/updateComponent/item",
  language: "en",
  resourceIdentifier: "a",
  component,
  ...more,
});

describe("content that does not fit a shape of the file", () => {
  it("an unknown component is a warning with its position and the nearest name, and an error when strict", async () => {
    const content = text([shape(), created([line("intrro"), line("intro")])]);
    const position = positionOf(content, '"intrro"');
    const pointer = "/operations/1/components/0/componentId";
    expect(await issuesOf(content)).toEqual([`warning UnknownComponent ${pointer} ${position}`]);
    expect(await issuesOf(content, { strict: true })).toEqual([
      `error UnknownComponent ${pointer} ${position}`,
    ]);
    const { issues } = await check(content);
    expect(issues[0]?.message).toBe('There is no component "intrro" here. Did you mean "intro"?');
  });

  it("content of the wrong type, or of none, is found", async () => {
    const wrong = { componentId: "body", numeric: { number: 1 } };
    expect(await issuesWith(shape(), upserted([wrong, { componentId: "intro" }]))).toEqual([
      "WrongComponentType /operations/1/components/0/numeric",
      "NoContent /operations/1/components/1",
    ]);
    const misspelt = { componentId: "body", singelLine: { text: "x" } };
    expect(await issuesWith(shape(), upserted([misspelt]))).toEqual([
      "UnknownField /operations/1/components/0/singelLine",
    ]);
  });

  it("repeated components, and values refused by the shape, are found", async () => {
    const components = [{ id: "intro", type: "singleLine", singleLine: { max: 3, pattern: "^[a-z]*$" } }];
    expect(await issuesWith(shape({ components }), upserted([line("intro"), line("intro")]))).toEqual([
      "DuplicateComponent /operations/1/components/1",
    ]);
    const text = (text: string) => upserted([{ componentId: "intro", singleLine: { text } }]);
    expect(
      await issuesWith(shape({ components }), text("long"), text("A"), text("{{ defaults.x }}")),
    ).toEqual([
      "TooMany /operations/1/components/0/singleLine/text",
      "PatternMismatch /operations/2/components/0/singleLine/text",
      "UnknownDefault /operations/3/components/0/singleLine/text",
    ]);
  });

  it("a pattern that cannot run in linear time is never run, even next to a template", async () => {
    const unsafe = { id: "intro", type: "singleLine", singleLine: { pattern: "^(a+)+\\1$" } };
    const open = {
      id: "rows",
      type: "contentChunk",
      contentChunk: { components: [plain("{{ defaults.taskId }}")] },
    };
    const intro = upserted([{ componentId: "intro", singleLine: { text: `${"a".repeat(5_000)}!` } }]);
    for (const components of [[unsafe], [unsafe, open]])
      expect(await issuesWith(shape({ components }), intro)).toEqual([
        "UnsafePattern /operations/0/components/0/config/singleLine/pattern",
      ]);
  });

  it("a definition the command refuses is found, and changes nothing", async () => {
    const twice = shape({ intent: "shape/update", type: undefined, components: [plain("a"), plain("a")] });
    expect(await issuesWith(shape(), twice, upserted([line("a")]))).toEqual([
      "DuplicateComponent /operations/1/components/1/id",
      "UnknownComponent /operations/2/components/0/componentId",
    ]);
  });

  it("a missing required component is found if the operation can only create", async () => {
    const missing = "RequiredComponentMissing /operations/1/components";
    expect(await issuesWith(shape(), created([]))).toEqual([missing]);
    expect(await issuesWith(shape(), created(undefined))).toEqual([missing]);
    expect(await issuesWith(shape(), upserted([], { resourceIdentifier: undefined }))).toEqual([missing]);
    for (const named of [
      { resourceIdentifier: "a" },
      { itemId: id },
      { resourceIdentifier: undefined, externalReference: "x" },
    ])
      expect(await issuesWith(shape(), upserted([], named))).toEqual([]);
  });

  it("clearing a required component is found in every operation", async () => {
    const cleared = { componentId: "intro", singleLine: null };
    expect(await issuesWith(shape(), upserted([cleared]))).toEqual([
      "RequiredComponentMissing /operations/1/components/0",
    ]);
  });

  it("wrong content is found in variants", async () => {
    const product = (intent: string, components: unknown) =>
      created([line("intro")], { intent, vatTypeId: id, variants: [{ sku: "s", name: "n", components }] });
    expect(await issuesWith(productShape(), product("product/create", [line("colour")]))).toEqual([
      "UnknownComponent /operations/1/variants/0/components/0/componentId",
      "RequiredComponentMissing /operations/1/variants/0/components",
    ]);
    const upsert = { ...product("product/upsert", [line("colour")]), itemId: id };
    expect(await issuesWith(productShape(), upsert)).toEqual([
      "UnknownComponent /operations/1/variants/0/components/0/componentId",
    ]);
    expect(await issuesWith(productShape(), { ...upsert, itemId: undefined, variants: undefined })).toEqual([
      "RequiredComponentMissing /operations/1/variants",
    ]);
  });

  it("wrong content is found in updates of items and variants the file creates, by any of their names", async () => {
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
    expect(await issuesWith(...operations)).toEqual([
      "UnknownComponent /operations/2/component/componentId",
      "UnknownComponent /operations/3/component/componentId",
      "UnknownComponent /operations/4/component/componentId",
      "UnknownComponent /operations/5/components/0/componentId",
      "RequiredComponentMissing /operations/6/components",
      "UnknownComponent /operations/7/components/0/componentId",
    ]);
  });

  it("incomplete content prevents publishing in its language, unless it was written again", async () => {
    const publish = (more: Operation = {}) => ({
      ...{ intent: "item/publish", language: "en", itemId: "{{ page.id }}", ...more },
    });
    const page = upserted([line("body")], { _ref: "page" });
    expect(await issuesWith(shape(), page, publish())).toEqual(["RequiredComponentMissing /operations/2"]);
    expect(await issuesWith(shape(), page, publish({ itemId: undefined, resourceIdentifier: "a" }))).toEqual([
      "RequiredComponentMissing /operations/2",
    ]);
    const { issues } = await check(text([shape(), page, publish()]));
    expect(issues[0]?.message).toBe(
      'The component "intro" (singleLine) is required and is missing: operations[1] leaves it out, so this cannot be published',
    );
    expect(await issuesWith(shape(), page, publish({ language: "de" }))).toEqual([]);
    expect(await issuesWith(shape(), page, update(line("intro")), publish())).toEqual([]);
    expect(await issuesWith(shape(), upserted(undefined, { _ref: "page" }), publish())).toEqual([]);
    const shared = {
      id: "intro",
      type: "singleLine",
      config: { singleLine: { required: true, multilingual: false } },
    };
    expect(
      await issuesWith(shape({ components: [shared] }), upserted([], { _ref: "page" }), publish()),
    ).toEqual([]);
  });
});

describe("items that are first all written and then published", () => {
  const publish = (resourceIdentifier: string, more: Operation = {}) => ({
    ...{ intent: "item/publish", language: "en", resourceIdentifier, ...more },
  });
  const page = (resourceIdentifier: string, components: unknown, more: Operation = {}) =>
    upserted(components, { resourceIdentifier, ...more });
  const [whole, part] = [[line("intro")], [line("body")]];
  const missing = (index: number) => `RequiredComponentMissing /operations/${index}`;

  it("each item that cannot be published is reported if all are published after being written", async () => {
    const pages = [
      page("a", part, { _ref: "a" }),
      page("b", whole, { externalReference: "e" }),
      page("c", part),
    ];
    const issues = await issuesWith(
      ...[shape(), ...pages, page("a", whole, { language: "de" })],
      ...[publish("a"), publish("b"), publish("c"), publish("a", { language: "de" })],
      publish("a", { resourceIdentifier: undefined, itemId: "{{ a.id }}" }),
    );
    expect(issues).toEqual([missing(5), missing(7), missing(9)]);
  });

  it("items are not reported if an operation in between may have completed them", async () => {
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
        expect(await issuesWith(shape(), page("a", part, { _ref: "a" }), between, last)).toEqual([]);
    const written = [page("x", part, byId), page("a", whole), publish("x", byId)];
    expect(await issuesWith(shape(), ...written)).toEqual([]);
  });

  it("no more items are remembered than the limit", async () => {
    const many = Array.from({ length: 12_000 }, (_, i) => page(`p${i}`, part));
    expect(await issuesWith(shape(), ...many, publish("p0"), publish("p11999"))).toEqual([missing(12_002)]);
  });
});

describe("large amounts of wrong content", () => {
  const long = (i: number) => `${i}`.padStart(40, "x");

  it("wrong content is checked in little time, in one operation or in many", {
    tags: "release",
  }, async () => {
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
