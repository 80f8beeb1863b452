import { describe, expect, test } from "vitest";
import { useItemsApi } from "./items-api.ts";

const inlines = (...texts: string[]) =>
  texts.map((textContent) => ({ kind: "inline", type: null, textContent }));
const block = (type: string, ...children: object[]) => ({ kind: "block", type, children });

const structured = [
  block(
    "paragraph",
    ...inlines("First, ", "bold"),
    { kind: "inline", type: "line-break" },
    ...inlines("and on"),
  ),
  block(
    "bulleted-list",
    block("list-item", ...inlines("One")),
    block("list-item", { kind: "inline", type: "link", children: inlines("Two"), metadata: { href: "/" } }),
  ),
];

describe("content", () => {
  const api = useItemsApi();

  test("every kind of content is read as written, with its references", async () => {
    const related = await api.product("Related");
    const document = await api.create("createDocument", {
      shapeIdentifier: "document",
      name: "All",
      tree: { parentId: api.folder },
      components: [
        { componentId: "singleLine", singleLine: { text: "Line" } },
        { componentId: "richText", richText: { html: "<p>One &amp; two</p><p>Three</p>" } },
        { componentId: "numeric", numeric: { number: 1.5, unit: "kg" } },
        { componentId: "boolean", boolean: { value: false } },
        { componentId: "datetime", datetime: { datetime: "2026-01-31T12:00:00Z" } },
        { componentId: "location", location: { lat: 59.2, long: 9.6 } },
        { componentId: "selection", selection: { keys: ["s"] } },
        {
          componentId: "propertiesTable",
          propertiesTable: { sections: [{ title: "T", properties: [{ key: "k", value: "v" }] }] },
        },
        {
          componentId: "paragraphCollection",
          paragraphCollection: {
            paragraphs: [
              { title: { text: "P" }, body: { html: ["<b>B</b>"] } },
              { body: { json: structured } },
            ],
          },
        },
        { componentId: "videos", videos: [{ key: "v.mp4", title: "V" }] },
        { componentId: "files", files: [{ key: "f.pdf", title: "F" }] },
        { componentId: "itemRelations", itemRelations: { itemIds: [related], skus: ["Related"] } },
        { componentId: "colors", colors: { colors: [{ label: "Red", hex: "#ff0000" }] } },
        {
          componentId: "piece",
          piece: {
            identifier: "seo",
            components: [{ componentId: "selection", selection: { keys: ["i"] } }],
          },
        },
        {
          componentId: "contentChunk",
          contentChunk: { chunks: [[{ componentId: "singleLine", singleLine: { text: "C" } }]] },
        },
        {
          componentId: "componentChoice",
          componentChoice: { componentId: "numeric", numeric: { number: 7 } },
        },
        {
          componentId: "componentMultipleChoice",
          componentMultipleChoice: [{ componentId: "boolean", boolean: { value: true } }],
        },
      ],
    });
    const inner =
      "componentId name type content { ... on NumericComponentContent { number } ... on SingleLineComponentContent { text } ... on SelectionComponentContent { options { key value } } ... on BooleanComponentContent { value } }";
    const { components } = await api.item(
      `id: "${document}", language: "en"`,
      `components { componentId name type content { __typename
        ... on SingleLineComponentContent { text }
        ... on RichTextComponentContent { html plainText }
        ... on NumericComponentContent { number unit }
        ... on BooleanComponentContent { value }
        ... on DatetimeComponentContent { datetime }
        ... on LocationComponentContent { lat long }
        ... on SelectionComponentContent { keys options { key value } }
        ... on PropertiesTableComponentContent { sections { title properties { key value } } }
        ... on ParagraphCollectionComponentContent { paragraphs { title { text } body { plainText } } }
        ... on VideosComponentContent { videos { key title } }
        ... on FilesComponentContent { files { key title } }
        ... on ItemRelationsComponentContent { items { id name } productVariants { sku name } }
        ... on ColorsComponentContent { colors { label hex } }
        ... on PieceComponentContent { identifier components { ${inner} } }
        ... on ContentChunkComponentContent { chunks { ${inner} } }
        ... on ComponentChoiceComponentContent { selectedComponent { ${inner} } }
        ... on ComponentMultipleChoiceComponentContent { selectedComponents { ${inner} } } } }`,
    );
    const read = Object.fromEntries(
      components.map(
        ({
          type,
          name,
          content: { __typename, ...content },
        }: {
          type: string;
          name: string;
          content: { __typename: string };
        }) => {
          expect(__typename).toBe(`${type[0]?.toUpperCase()}${type.slice(1)}ComponentContent`);
          expect(name).toBe(`The ${type}`);
          return [type, content];
        },
      ),
    );
    expect(read).toEqual({
      singleLine: { text: "Line" },
      richText: { html: ["<p>One &amp; two</p><p>Three</p>"], plainText: "One & two\nThree" },
      numeric: { number: 1.5, unit: "kg" },
      boolean: { value: false },
      datetime: { datetime: "2026-01-31T12:00:00Z" },
      location: { lat: 59.2, long: 9.6 },
      selection: { keys: ["s"], options: [{ key: "s", value: "Small" }] },
      propertiesTable: { sections: [{ title: "T", properties: [{ key: "k", value: "v" }] }] },
      paragraphCollection: {
        paragraphs: [
          { title: { text: "P" }, body: { plainText: "B" } },
          { title: null, body: { plainText: "First, bold\nand on\nOne\nTwo" } },
        ],
      },
      videos: { videos: [{ key: "v.mp4", title: "V" }] },
      files: { files: [{ key: "f.pdf", title: "F" }] },
      itemRelations: {
        items: [{ id: related, name: "Related" }],
        productVariants: [{ sku: "Related", name: "Related" }],
      },
      colors: { colors: [{ label: "Red", hex: "#ff0000" }] },
      piece: {
        identifier: "seo",
        components: [
          {
            componentId: "selection",
            name: "The selection",
            type: "selection",
            content: { options: [{ key: "i", value: "Index" }] },
          },
        ],
      },
      contentChunk: {
        chunks: [
          [{ componentId: "singleLine", name: "The singleLine", type: "singleLine", content: { text: "C" } }],
        ],
      },
      componentChoice: {
        selectedComponent: {
          componentId: "numeric",
          name: "The numeric",
          type: "numeric",
          content: { number: 7 },
        },
      },
      componentMultipleChoice: {
        selectedComponents: [
          { componentId: "boolean", name: "The boolean", type: "boolean", content: { value: true } },
        ],
      },
    });
    expect(
      await api.item(
        `id: "${document}", language: "en"`,
        `component(id: "boolean") { type } none: component(id: "x") { type }`,
      ),
    ).toEqual({ component: { type: "boolean" }, none: null });
  });

  test("a published version, variants included, is unchanged until it is published again", async () => {
    const id = await api.product("Before", { variants: [{ sku: "pub", name: "Before", isDefault: true }] });
    const publish = `mutation { publishItem(id: "${id}", language: "en") { ... on PublishInfo { id language versionId errors { message } } ... on BasicError { errorName message } } }`;
    const { publishItem } = await api.data(publish);
    expect(publishItem).toEqual({ id, language: "en", versionId: expect.any(String), errors: [] });
    await api.data(
      `mutation { updateProduct(id: "${id}", language: "en", input: {name: "After"}) { ... on Product { name } ... on BasicError { message } } }`,
    );
    await api.data(
      `mutation { updateProductVariant(sku: "pub", language: "en", input: {name: "After"}) { ... on ProductVariant { name } ... on BasicError { message } } }`,
    );
    const read = (version: string) =>
      api.item(
        `id: "${id}", language: "en", version: ${version}`,
        "name version { id label } ... on Product { variants { sku name } defaultVariant { name } }",
      );
    expect(await read("published")).toEqual({
      name: "Before",
      version: { id: publishItem.versionId, label: "published" },
      variants: [{ sku: "pub", name: "Before" }],
      defaultVariant: { name: "Before" },
    });
    expect(await read('"draft"')).toMatchObject({
      name: "After",
      version: { label: "draft" },
      defaultVariant: { name: "After" },
    });
  });
});
