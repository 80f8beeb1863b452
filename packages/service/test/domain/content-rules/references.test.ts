import type { ComponentContent } from "@lading/schema/internal";
import { expect, test } from "vitest";
import { piecesInDefinitions, referencesInContent } from "../../../src/domain/content-rules/references.ts";
import { define } from "./support/check.ts";

const item = (n: number) => `65a00000000000000000000${n}`;

test("references are found wherever they are nested", () => {
  const relation = (itemId: string, ...skus: string[]) => ({
    componentId: "r",
    itemRelations: { itemIds: [itemId], skus },
  });
  const components = [
    relation(item(1), "sku-1"),
    { componentId: "p", piece: { identifier: "p", components: [relation(item(2))] } },
    {
      componentId: "c",
      contentChunk: { chunks: [[relation(item(3))], [{ componentId: "f", files: [{ key: "file-1" }] }]] },
    },
    {
      componentId: "o",
      componentChoice: {
        componentId: "i",
        images: [{ key: "image-1", showcase: [{ itemIds: [item(4)], skus: ["sku-2"] }] }],
      },
    },
    {
      componentId: "m",
      componentMultipleChoice: [
        { componentId: "v", videos: [{ key: "video-1", thumbnails: [{ key: "image-2" }] }] },
      ],
    },
    {
      componentId: "t",
      paragraphCollection: { paragraphs: [{ images: [{ key: "image-3" }], videos: [{ key: "video-2" }] }] },
    },
    { componentId: "g", gridRelations: { gridIds: [item(5)] } },
    { componentId: "n", images: null, piece: null, componentChoice: null },
  ] as ComponentContent[];
  expect(referencesInContent(components)).toEqual({
    itemIds: [item(1), item(2), item(3), item(4)],
    skus: ["sku-1", "sku-2"],
    imageKeys: ["image-1", "image-2", "image-3"],
    videoKeys: ["video-1", "video-2"],
    fileKeys: ["file-1"],
    gridIds: [item(5)],
  });
});

test("the pieces of definitions are found wherever they are nested, each once", () => {
  const piece = (identifier: string) => define(identifier, "piece", { identifier });
  const definitions = [
    piece("a"),
    define("c", "contentChunk", { components: [piece("b"), piece("a")] }),
    define("o", "componentChoice", { choices: [piece("c"), define("x", "boolean")] }),
    define("m", "componentMultipleChoice", { choices: [piece("d")] }),
  ];
  expect(piecesInDefinitions(definitions)).toEqual(["a", "b", "c", "d"]);
});
