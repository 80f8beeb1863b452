import type { ComponentDefinition } from "@lading/schema/internal";
import { beforeAll, expect, test, vi } from "vitest";
import { useApi } from "../http/support.ts";
import { pieceRow, seedPieces, seedShapes, shapeRow } from "./seed.ts";

const text: ComponentDefinition = {
  id: "text",
  name: "Text",
  type: "singleLine",
  config: { singleLine: { required: true } },
};
const piece = (id: string, identifier: string): ComponentDefinition => ({
  id,
  name: id,
  type: "piece",
  config: { piece: { identifier } },
});

const api = useApi();
beforeAll(async () => {
  await seedPieces(
    api,
    pieceRow("inner", [text]),
    pieceRow("outer", [piece("in", "inner"), text]),
    pieceRow("loop", [piece("again", "loop")]),
  );
  const chunk: ComponentDefinition = {
    id: "chunk",
    name: "Chunk",
    type: "contentChunk",
    config: { contentChunk: { components: [piece("deep", "outer")] } },
  };
  const choice: ComponentDefinition = {
    id: "choice",
    name: "Choice",
    type: "componentChoice",
    config: { componentChoice: { choices: [text, piece("chosen", "inner")] } },
  };
  await seedShapes(
    api,
    shapeRow("page", "document", [text, chunk, choice, piece("loop", "loop"), piece("gone", "deleted")]),
    shapeRow("shoe", "product", [], [piece("v", "inner")]),
  );
});

test("a shape or piece that does not exist is an error by name", async () => {
  expect(
    await api.data(`{ shape(identifier: "none") { ... on Shape { name } ... on ShapeNotFoundError { message } ... on BasicError { errorName } }
      piece(identifier: "none") { ... on Piece { name } ... on BasicError { errorName } } }`),
  ).toEqual({
    shape: { message: 'No shape has the identifier "none"', errorName: "ShapeNotFoundError" },
    piece: { errorName: "PieceNotFoundError" },
  });
});

test("a page of shapes of a wrong size is an error of the answer, with its name as code", async () => {
  const { status, body } = await api.ask("{ shapes(first: 5000) { totalCount } tenant { identifier } }");
  expect({ status, data: body.data }).toEqual({
    status: 200,
    data: { shapes: null, tenant: { identifier: "shop" } },
  });
  expect(body.errors).toEqual([
    expect.objectContaining({
      path: ["shapes"],
      extensions: expect.objectContaining({ code: "ValidationError" }),
    }),
  ]);
});

test("the resolved configuration expands the definition of every piece, and ends", async () => {
  const { shapes } = await api.data(
    "{ shapes { edges { node { identifier type resolvedConfiguration } } } }",
  );
  const [page, shoe] = shapes.edges.map(({ node }: { node: object }) => node);
  const flatText = { ...text, config: { required: true } };
  const opened = (id: string, identifier: string, components: object[]) => ({
    ...piece(id, identifier),
    config: { identifier, components },
  });
  const inner = (id: string) => opened(id, "inner", [flatText]);
  expect(page).toEqual({
    identifier: "page",
    type: "document",
    resolvedConfiguration: {
      components: [
        flatText,
        {
          id: "chunk",
          name: "Chunk",
          type: "contentChunk",
          config: { components: [opened("deep", "outer", [inner("in"), flatText])], repeatable: false },
        },
        {
          id: "choice",
          name: "Choice",
          type: "componentChoice",
          config: { choices: [flatText, inner("chosen")] },
        },
        opened("loop", "loop", [opened("again", "loop", [])]),
        opened("gone", "deleted", []),
      ],
    },
  });
  expect(shoe).toMatchObject({
    identifier: "shoe",
    resolvedConfiguration: { components: [], variantComponents: [inner("v")] },
  });
});

test("pieces that multiply are an error by name, while other shapes are answered", async () => {
  const twice = (level: number) => [piece("a", `m${level}`), piece("b", `m${level}`)];
  for (let level = 0; level < 20; level++) await seedPieces(api, pieceRow(`m${level}`, twice(level + 1)));
  await seedShapes(api, shapeRow("zz-multiplied", "document", twice(0)));
  const queries = vi.spyOn(api.database, "query");
  const { body } = await api.ask("{ shapes { edges { node { identifier resolvedConfiguration } } } }");
  expect(queries.mock.calls.length).toBeLessThan(30);
  queries.mockRestore();
  expect(body.errors).toEqual([
    expect.objectContaining({
      message: 'The shape "zz-multiplied" has more than 10000 components with its pieces expanded',
      extensions: expect.objectContaining({ code: "ValidationError", errorName: "ValidationError" }),
    }),
  ]);
  const found = body.data.shapes.edges.map(({ node }: { node: { resolvedConfiguration: object } }) => node);
  expect(
    found.map((node: { resolvedConfiguration: object | null }) => node.resolvedConfiguration !== null),
  ).toEqual([true, true, false]);
});

test("settings are read by the type of their component", async () => {
  const { shape } = await api.data(
    `{ shape(identifier: "page") { ... on Shape { name meta { key value } components { id name type description config { __typename
       ... on SingleLineComponentConfig { required pattern } ... on PieceComponentConfig { identifier }
       ... on ContentChunkComponentConfig { components { id config { ... on PieceComponentConfig { identifier } } } }
       ... on ComponentChoiceComponentConfig { choices { id type } } } } variantComponents { id } }
       ... on BasicError { message } } }`,
  );
  expect(shape).toEqual({
    name: "The page",
    meta: null,
    components: [
      {
        id: "text",
        name: "Text",
        type: "singleLine",
        description: null,
        config: { __typename: "SingleLineComponentConfig", required: true, pattern: null },
      },
      {
        id: "chunk",
        name: "Chunk",
        type: "contentChunk",
        description: null,
        config: {
          __typename: "ContentChunkComponentConfig",
          components: [{ id: "deep", config: { identifier: "outer" } }],
        },
      },
      {
        id: "choice",
        name: "Choice",
        type: "componentChoice",
        description: null,
        config: {
          __typename: "ComponentChoiceComponentConfig",
          choices: [
            { id: "text", type: "singleLine" },
            { id: "chosen", type: "piece" },
          ],
        },
      },
      {
        id: "loop",
        name: "loop",
        type: "piece",
        description: null,
        config: { __typename: "PieceComponentConfig", identifier: "loop" },
      },
      {
        id: "gone",
        name: "gone",
        type: "piece",
        description: null,
        config: { __typename: "PieceComponentConfig", identifier: "deleted" },
      },
    ],
    variantComponents: [],
  });
});

test("the tenant query returns its settings, and refuses the name of another tenant", async () => {
  expect(
    await api.data(`{ tenant(identifier: "shop") { id identifier name rootItemId staticAuthToken languages { code name }
      vatTypes { name percent } priceVariants { identifier currency } stockLocations { identifier name } } }`),
  ).toEqual({
    tenant: {
      id: api.shop.tenant.id,
      identifier: "shop",
      name: "The shop",
      rootItemId: api.shop.tenant.rootItemId,
      staticAuthToken: null,
      languages: [{ code: "en", name: "English" }],
      vatTypes: [{ name: "No tax", percent: 0 }],
      priceVariants: [{ identifier: "default", currency: "EUR" }],
      stockLocations: [{ identifier: "default", name: "Default" }],
    },
  });
  const { body } = await api.ask('{ tenant(identifier: "other") { id } }');
  expect(body.errors[0].message).toBe('This is the API of the tenant "shop", not of "other"');
});
