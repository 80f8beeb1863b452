import type { ComponentDefinition } from "@lading/schema";
import { type ItemContentRow, itemContents } from "../../../src/storage/collections/item-contents.ts";
import type { Shop, WrittenPayload } from "../../support/commands.ts";
import { addShape, create, prepare } from "./support.ts";

/** Component settings: a line that all languages share. */
export const shared = { singleLine: { multilingual: false } };

export const line = (id: string, config?: object): ComponentDefinition => ({
  id,
  name: id,
  type: "singleLine",
  ...(config && { config }),
});

export const text = (componentId: string, value: string) => ({ componentId, singleLine: { text: value } });

export const [own, code] = [(value: string) => text("own", value), (value: string) => text("code", value)];

const required = { singleLine: { multilingual: false, required: true } };

const components = [line("own"), line("code", required)];

export const en = { language: "en" };

export const no = { language: "no" };

/** The shape "one", which shares a required line `code` between languages and has a line `own` in each. */
export async function prepareShape(shop: Shop): Promise<void> {
  await prepare(shop);
  const variantComponents = [line("own"), line("code", shared)];
  await addShape(shop, "product", "one", { components, variantComponents });
}

export function sharedContent(shop: () => Shop) {
  const contentOf = async (itemId: string, language: string, version = "draft") =>
    (await shop().get(itemContents, itemId, language, version)) as ItemContentRow;
  const read = async (itemId: string, version = "draft") => [
    (await contentOf(itemId, "en", version)).components,
    (await contentOf(itemId, "no", version)).components,
  ];
  const update = (itemId: string, more: WrittenPayload) => shop().done("product/update", { itemId, ...more });
  const publish = (itemId: string, language: object) => shop().done("item/publish", { itemId, ...language });
  const one = (more: WrittenPayload = {}) =>
    create(shop(), "product", {
      shapeIdentifier: "one",
      components: [own("x"), code("1")],
      variants: [{ sku: "a", name: "A", components: [code("v1")] }],
      ...more,
    });
  const both = async () => {
    const itemId = await one();
    await update(itemId, { ...no, name: "Stol" });
    return itemId;
  };
  return { contentOf, read, update, publish, one, both };
}
