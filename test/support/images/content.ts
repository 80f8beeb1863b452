import { itemContents } from "../../../packages/service/src/storage/collections/item-contents.ts";
import { productVariants } from "../../../packages/service/src/storage/collections/product-variants.ts";
import type { RunnerBench } from "../runner.ts";
import { product, runUploading, upload } from "./uploading.ts";

const images = { id: "gallery", name: "Gallery", type: "images" };

const inside = [images, { id: "text", name: "Text", type: "singleLine" }];

/** Documents need at least two of these. */
const twoImages = (required: boolean) => ({
  ...{ ...images, id: "required", config: { images: { required, min: 2 } } },
});

/** A shape for each kind of item, with every kind of content that has images. */
const model = [
  { intent: "piece/upsert", identifier: "seo", name: "SEO", components: inside },
  ...["rich-product", "rich-document", "rich-folder"].map((identifier) => ({
    ...{ intent: "shape/upsert", identifier, name: identifier, type: identifier.slice("rich-".length) },
    components: [
      ...[images, twoImages(identifier === "rich-document"), { ...images, id: "films", type: "videos" }],
      {
        ...images,
        id: "manuals",
        type: "files",
        config: { files: { maxFileSize: { size: 1, unit: "MiB" } } },
      },
      {
        ...images,
        id: "body",
        type: "paragraphCollection",
        config: { paragraphCollection: { multilingual: [] } },
      },
      { ...images, id: "piece", type: "piece", config: { piece: { identifier: "seo" } } },
      {
        ...{ ...images, id: "chunk", type: "contentChunk" },
        config: { contentChunk: { components: inside, repeatable: true } },
      },
      { ...images, id: "choice", type: "componentChoice", config: { componentChoice: { choices: inside } } },
    ],
    ...(identifier === "rich-product" && { variantComponents: [images, ...inside.slice(1)] }),
  })),
];

export const content = (url: string, more: object[] = []) => {
  const list = [{ key: upload(url), altText: url }, ...more];
  return [
    { componentId: "gallery", images: list },
    { componentId: "required", images: [...list, { key: "another" }] },
    { componentId: "films", videos: [{ key: "film", thumbnails: list }, { key: "other" }] },
    { componentId: "manuals", files: [{ key: upload(url), title: url }] },
    { componentId: "body", paragraphCollection: { paragraphs: [{ title: { text: url }, images: list }] } },
    {
      componentId: "piece",
      piece: { identifier: "seo", components: [{ componentId: "gallery", images: list }] },
    },
    {
      componentId: "chunk",
      contentChunk: {
        chunks: [
          [{ componentId: "text", singleLine: { text: url } }],
          [{ componentId: "gallery", images: list }],
        ],
      },
    },
    { componentId: "choice", componentChoice: { componentId: "gallery", images: list } },
  ];
};

export const componentIds = content("").map(({ componentId }) => componentId);

type StoredRow = Record<string, unknown> & { components?: { componentId: string }[] };

/** Runs operations on the model; answers their log and all that is stored of items and variants. */
export async function runOnModel(bench: RunnerBench, operations: object[]) {
  const { tenant, log } = await runUploading(bench, [...model, ...operations]);
  const stored = (collection: { sql: { columnList: string }; table: string }, order = "1") =>
    bench.database.query<StoredRow>(
      `SELECT ${collection.sql.columnList} FROM ${collection.table} t WHERE t.tenant_id = $1 ORDER BY ${order}`,
      [tenant.id],
    );
  const contents = await stored(itemContents, "t.item_id, t.language, t.version");
  const variants = await stored(productVariants, "t.sku");
  return { log: log.slice(model.length), contents, variants, stored };
}

export const variant = (sku: string, fields: object) => ({ sku, name: sku, ...fields });

/** An operation on the item "item", whose shape has each kind of content with images. */
export const item = (kind: string, intent: string, fields: object) => ({
  ...{ ...product("item"), intent: `${kind}/${intent}`, shapeIdentifier: `rich-${kind}` },
  variants: kind === "product" ? product("item").variants : undefined,
  vatTypeId: kind === "product" ? "{{ defaults.vatTypeIds.[0] }}" : undefined,
  ...fields,
});
