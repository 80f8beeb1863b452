import { describe, expect, it } from "vitest";
import { created, issuesWith, line, plain, required, shape, upserted } from "./support/content.ts";

describe("content nested in other content", () => {
  const seo = { intent: "piece/upsert", identifier: "seo", name: "SEO", components: [required("title")] };
  const within = (components: unknown) => ({ componentId: "seo", piece: { identifier: "seo", components } });
  const usesPiece = shape({
    components: [{ id: "seo", type: "piece", config: { piece: { identifier: "seo" } } }],
  });

  it("nested content is checked against its piece, if the file defines the piece that the shape uses", async () => {
    expect(await issuesWith(seo, usesPiece, upserted([within([line("titel")])]))).toEqual([
      "UnknownComponent /operations/2/components/0/piece/components/0/componentId",
      "RequiredComponentMissing /operations/2/components/0/piece/components",
    ]);
    const other = { componentId: "seo", piece: { identifier: "sea", components: [] } };
    expect(await issuesWith(seo, usesPiece, upserted([other]))).toEqual([
      "WrongPiece /operations/2/components/0/piece/identifier",
    ]);
  });

  it("nested content is not checked when the file does not define its piece", async () => {
    expect(await issuesWith(usesPiece, upserted([within([line("anything")])]))).toEqual([]);
  });

  it("each chunk must have its required components, and a choice must be one of the choices", async () => {
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
    expect(await issuesWith(shape({ components }), upserted(content))).toEqual([
      "UnknownComponent /operations/1/components/0/contentChunk/chunks/1/0/componentId",
      "RequiredComponentMissing /operations/1/components/0/contentChunk/chunks/2",
      "UnknownComponent /operations/1/components/1/componentChoice/componentId",
      "DuplicateChoice /operations/1/components/2/componentMultipleChoice/1",
      "WrongComponentType /operations/1/components/2/componentMultipleChoice/1/numeric",
    ]);
  });
});

describe("a file's definition of a shape", () => {
  const unknown = (index: number) => `UnknownComponent /operations/${index}/components/0/componentId`;

  it("a shape in the file applies to later operations, until a later definition replaces it", async () => {
    expect(
      await issuesWith(
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

  it("an update of a shape without a list keeps the earlier list, if the file defined it", async () => {
    const renamed = shape({ components: undefined });
    expect(
      await issuesWith(renamed, upserted([line("any")]), shape(), renamed, upserted([line("any")])),
    ).toEqual([unknown(4)]);
    expect(
      await issuesWith(shape({ intent: "shape/create", components: undefined }), upserted([line("any")])),
    ).toEqual([unknown(1)]);
  });

  it("settings of a component are read wherever they may be written", async () => {
    const missing = "RequiredComponentMissing /operations/1/components";
    for (const settings of [
      { config: { singleLine: { required: true } } },
      { singleLine: { required: true } },
      { config: { required: true } },
    ]) {
      const components = [{ id: "a", type: "singleLine", ...settings }];
      expect(await issuesWith(shape({ components }), created([]))).toContain(missing);
    }
  });

  it("a shape with a template in its definition is unknown", async () => {
    const any = upserted([line("any")]);
    for (const components of [[plain("a"), plain("{{ b.id }}")], [{ id: "any", type: "{{ b.id }}" }]])
      expect(
        (await issuesWith(shape({ components }), any)).filter((issue) => !issue.startsWith("Undefined")),
      ).toEqual([]);
    const some = shape({ identifier: "{{ defaults.tenantId }}" });
    expect(await issuesWith(shape(), some, any)).toEqual([]);
    expect(
      await issuesWith(shape(), upserted([line("any")], { shapeIdentifier: "{{ defaults.tenantId }}" })),
    ).toEqual([]);
    const templated = { componentId: "{{ defaults.tenantId }}", singleLine: { text: "x" } };
    expect(await issuesWith(shape(), created([templated]))).toEqual([]);
  });

  it("content of a deleted shape is not checked", async () => {
    const deletion = { intent: "shape/delete", identifier: "article" };
    const other = { ...deletion, identifier: "other" };
    expect(await issuesWith(shape(), other, upserted([line("any")]))).toEqual([unknown(2)]);
    expect(await issuesWith(shape(), deletion, upserted([line("any")]))).toEqual([]);
  });

  it("content of other shapes is not checked", async () => {
    expect(await issuesWith(shape(), upserted([line("any")], { shapeIdentifier: "other" }))).toEqual([]);
    expect(
      await issuesWith(
        shape({ identifier: "constructor" }),
        upserted([line("any")], { shapeIdentifier: "toString" }),
      ),
    ).toEqual([]);
  });

  it("shapes are forgotten when they would take too much memory", async () => {
    const options = [{ key: "x".repeat(10_000), value: "x" }];
    const components = Array.from({ length: 500 }, (_, i) => ({
      ...{ id: `c${i}`, type: "selection", config: { selection: { options } } },
    }));
    const small = shape({ identifier: "small" });
    const toSmall = upserted([line("any")], { shapeIdentifier: "small" });
    expect(await issuesWith(shape({ components }), small, upserted([line("any")]), toSmall)).toEqual([
      unknown(3),
    ]);
  });
});
