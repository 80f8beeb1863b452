import type { ComponentDefinition } from "@lading/schema/internal";
import { describe, expect, it } from "vitest";
import { check, define, errorsOf } from "./support/check.ts";

const title = define("title", "singleLine", { max: 5 });
const text = (componentId: string, value = "short") => ({ componentId, singleLine: { text: value } });
const tooLong = "singleLine/text TooMany: 8 characters, but the shape allows at most 5";
const card = (...components: object[]) => ({
  componentId: "card",
  piece: { identifier: "card", components },
});
const holder = define("card", "piece", { identifier: "card" });

describe("a piece", () => {
  it("a piece must be the one that the shape names", () => {
    const other = [{ componentId: "card", piece: { identifier: "cart", components: [text("nonsense")] } }];
    expect(errorsOf([holder], other, { pieces: { card: [title] } })).toEqual([
      'components/0/piece/identifier WrongPiece: The shape expects the piece "card" here, not "cart"',
    ]);
  });

  it("a piece must exist", () => {
    expect(errorsOf([holder], [card()])).toEqual([
      'components/0/piece/identifier PieceNotFound: There is no piece "card"',
    ]);
  });

  it("the content of a piece is checked at any depth", () => {
    const pieces = { card: [title, holder] };
    expect(errorsOf([holder], [card(text("title"), card(text("title", "too long")))], { pieces })).toEqual([
      `components/0/piece/components/1/piece/components/0/${tooLong}`,
    ]);
  });

  it("a piece may contain itself, but not more than five levels deep", () => {
    const nested = (levels: number): object => (levels === 0 ? text("title") : card(nested(levels - 1)));
    const pieces = { card: [title, holder] };
    expect(errorsOf([holder], [nested(5)], { pieces })).toEqual([]);
    expect(errorsOf([holder], [nested(6)], { pieces })).toEqual([
      `components/0${"/piece/components/0".repeat(5)}/piece NestingTooDeep: Components are nested deeper than 5 levels`,
    ]);
  });
});

describe("a chunk", () => {
  const rows = (repeatable?: boolean) =>
    define("rows", "contentChunk", { components: [title], ...(repeatable !== undefined && { repeatable }) });
  const chunks = (...list: object[][]) => [{ componentId: "rows", contentChunk: { chunks: list } }];

  it.each([undefined, false])("a chunk with repeatable: %s may be given once", (repeatable) => {
    expect(errorsOf([rows(repeatable)], chunks([text("title")], []))).toEqual([
      "components/0/contentChunk/chunks NotRepeatable: 2 chunks, but the chunk is not repeatable",
    ]);
    expect(errorsOf([rows(repeatable)], chunks([text("title")]))).toEqual([]);
  });

  it("every chunk of a component is checked", () => {
    expect(
      errorsOf([rows(true)], chunks([text("title")], [text("title", "too long"), text("titel")])),
    ).toEqual([
      `components/0/contentChunk/chunks/1/0/${tooLong}`,
      'components/0/contentChunk/chunks/1/1/componentId UnknownComponent: There is no component "titel" here. Did you mean "title"?',
    ]);
  });

  it("an empty chunk is kept, because its position counts", () => {
    const { components } = check([rows(true)], chunks([], [text("title", "")], [text("title")]));
    expect(components).toEqual(chunks([], [], [text("title")]));
  });
});

describe("a choice", () => {
  const choices = [title, define("body", "richText")];
  const one = define("one", "componentChoice", { choices });
  const many = (allowDuplicates?: boolean): ComponentDefinition =>
    define("many", "componentMultipleChoice", {
      choices,
      ...(allowDuplicates !== undefined && { allowDuplicates }),
    });

  it("a choice must be among the choices", () => {
    expect(errorsOf([one], [{ componentId: "one", componentChoice: text("titel") }])).toEqual([
      'components/0/componentChoice/componentId UnknownComponent: There is no component "titel" here. Did you mean "title"?',
    ]);
    expect(
      errorsOf([many()], [{ componentId: "many", componentMultipleChoice: [text("title"), text("price")] }]),
    ).toEqual([
      'components/0/componentMultipleChoice/1/componentId UnknownComponent: There is no component "price" here. There are "title" or "body".',
    ]);
  });

  it("the content of a choice is checked", () => {
    expect(errorsOf([one], [{ componentId: "one", componentChoice: text("title", "too long") }])).toEqual([
      `components/0/componentChoice/${tooLong}`,
    ]);
    expect(
      errorsOf([many()], [{ componentId: "many", componentMultipleChoice: [text("title", "too long")] }]),
    ).toEqual([`components/0/componentMultipleChoice/0/${tooLong}`]);
  });

  it("a choice requires no other choice, even where these are required", () => {
    const required = [
      define("a", "singleLine", { required: true }),
      define("b", "singleLine", { required: true }),
    ];
    expect(
      errorsOf(
        [define("one", "componentChoice", { choices: required })],
        [{ componentId: "one", componentChoice: text("a") }],
      ),
    ).toEqual([]);
  });

  it("a choice may be made twice only where duplicates are allowed", () => {
    const twice = [{ componentId: "many", componentMultipleChoice: [text("title"), text("title")] }];
    const error =
      'components/0/componentMultipleChoice/1 DuplicateChoice: "title" is chosen twice, which the shape does not allow';
    expect(errorsOf([many()], twice)).toEqual([error]);
    expect(errorsOf([many(false)], twice)).toEqual([error]);
    expect(check([many(true)], twice)).toEqual({ components: twice, errors: [] });
  });

  it("a choice that is a piece is checked to the end, including its required components", () => {
    const shape = [define("blocks", "componentMultipleChoice", { choices: [holder] })];
    const pieces = {
      card: [
        define("title", "singleLine", { required: true }),
        define("media", "componentChoice", { choices }),
      ],
    };
    const block = card({ componentId: "media", componentChoice: null });
    expect(
      errorsOf(shape, [{ componentId: "blocks", componentMultipleChoice: [block] }], {
        complete: false,
        pieces,
      }),
    ).toEqual([
      'components/0/componentMultipleChoice/0/piece/components RequiredComponentMissing: The component "title" (singleLine) is required and is missing',
    ]);
  });
});

it("nested content is stored without the components that were cleared", () => {
  const pieces = { card: [title, define("media", "componentChoice", { choices: [title] })] };
  const given = [card(text("title"), { componentId: "media", componentChoice: null })];
  expect(check([holder], given, { pieces })).toEqual({ components: [card(text("title"))], errors: [] });
});
