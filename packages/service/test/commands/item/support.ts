import type { ComponentDefinition, Intent } from "@lading/schema/internal";
import { type ItemVersion, itemContents } from "../../../src/storage/collections/item-contents.ts";
import { itemTopics } from "../../../src/storage/collections/item-topics.ts";
import {
  type ProductVariantRow,
  productVariants,
} from "../../../src/storage/collections/product-variants.ts";
import { type ShapeRow, type ShapeType, shapes } from "../../../src/storage/collections/shapes.ts";
import { newId } from "../../../src/storage/ids.ts";
import { historiesOfItems, pathsOfItems } from "../../../src/storage/queries/tree.ts";
import { UnitOfWork } from "../../../src/storage/unit-of-work/unit-of-work.ts";
import type { Shop, WrittenPayload } from "../../support/commands.ts";

/** The shapes that the tests of items write content of: a title that is required, and an optional intro. */
export const components: ComponentDefinition[] = [
  { id: "title", name: "Title", type: "singleLine", config: { singleLine: { required: true } } },
  { id: "intro", name: "Intro", type: "richText" },
];

/** Of variants nothing is required. */
const variantComponents: ComponentDefinition[] = [{ id: "width", name: "Width", type: "numeric" }];

export const title = (text: string) => ({ componentId: "title", singleLine: { text } });
export const intro = (html: string) => ({ componentId: "intro", richText: { html: [html] } });
export const width = (number: number) => ({ componentId: "width", numeric: { number } });

/** Stores a shape as `shape/create` does, so that tests of items depend on no other command. */
export async function addShape(
  shop: Shop,
  type: ShapeType,
  identifier: string = type,
  lists: Partial<Pick<ShapeRow, ComponentLists>> = { components, variantComponents },
): Promise<void> {
  const now = new Date().toISOString();
  await shop.database.transaction(async (transaction) => {
    const unit = new UnitOfWork(transaction, shop.tenant.id);
    unit.insert(shapes, {
      identifier,
      type,
      revision: newId(),
      name: identifier,
      meta: null,
      components: lists.components ?? [],
      variantComponents: lists.variantComponents ?? [],
      createdAt: now,
      updatedAt: now,
    });
    await unit.flush();
  });
}

type ComponentLists = "components" | "variantComponents";

export const kinds = ["folder", "document", "product"] as const;
export type Kind = (typeof kinds)[number];

/** A tenant with the languages `en` and `no` and a shape for each kind, named as the kind. */
export async function prepare(shop: Shop): Promise<void> {
  await shop.set({
    languages: [
      { code: "en", name: "English" },
      { code: "no", name: "Norwegian" },
    ],
    priceVariants: [
      { identifier: "default", name: "Default", currency: "EUR" },
      { identifier: "b2b", name: "Business", currency: "EUR" },
    ],
    stockLocations: [
      { identifier: "default", name: "Default" },
      { identifier: "backorder", name: "Backorder", unlimited: true },
    ],
  });
  for (const kind of kinds) await addShape(shop, kind);
}

export function newItem(shop: Shop, kind: Kind, more: WrittenPayload = {}): WrittenPayload {
  return {
    language: "en",
    shapeIdentifier: kind,
    name: `A ${kind}`,
    components: [title("Oak")],
    tree: { parentId: shop.tenant.rootItemId },
    ...(kind === "product" && {
      vatTypeId: shop.tenant.settings.vatTypes[0]?.id,
      variants: [{ sku: `sku-${++skus}`, name: "Oak" }],
    }),
    ...more,
  };
}

let skus = 0;

export async function create(shop: Shop, kind: Kind, more: WrittenPayload = {}): Promise<string> {
  const { output } = await shop.done(`${kind}/create` as Intent, newItem(shop, kind, more));
  return kind === "folder" ? (output.id as { value: string }).value : (output.id as string);
}

export async function newTopic(shop: Shop, name = "Wood"): Promise<string> {
  const { output } = await shop.done("topic/create", { language: "en", name });
  return output.id as string;
}

export async function topicsOf(shop: Shop, itemId: string): Promise<string[]> {
  const links = (await shop.all(itemTopics)).filter((link) => link.itemId === itemId);
  return links.sort((a, b) => a.position - b.position).map(({ topicId }) => topicId);
}

export const draftOf = (shop: Shop, id: string, language = "en") =>
  shop.get(itemContents, id, language, "draft");

export async function variantsOf(shop: Shop, productId: string): Promise<ProductVariantRow[]> {
  const all = await shop.all(productVariants);
  return all.filter((row) => row.productId === productId).sort((a, b) => a.position - b.position);
}

export async function variantBySku(shop: Shop, sku: string): Promise<ProductVariantRow | undefined> {
  return (await shop.all(productVariants)).find((row) => row.sku === sku);
}

export async function pathOf(
  shop: Shop,
  id: string,
  language = "en",
  version: ItemVersion = "draft",
): Promise<string | null | undefined> {
  return (await pathsOfItems(shop.database, shop.tenant.id, { language, version }, [id])).get(id);
}

/** The former paths of an item, the newest last. */
export async function historyOf(shop: Shop, id: string, language = "en"): Promise<string[]> {
  return (await historiesOfItems(shop.database, shop.tenant.id, language, [id])).get(id) ?? [];
}
