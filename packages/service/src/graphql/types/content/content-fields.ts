import { plainTextOf } from "@lading/schema/internal";
import { GraphQLObjectType, GraphQLString } from "graphql";
import type { CoreContext } from "../../context.ts";
import type { FieldsById } from "../../derive/from-zod.ts";
import { listOf, text } from "../../derive/non-null.ts";
import { Item } from "../item.ts";
import { ProductVariant, variantView } from "../product-variant.ts";
import type { ContentSource } from "./component.ts";
import { definitionOf } from "./component-view.ts";

const SelectedOption = new GraphQLObjectType({
  name: "SelectedOption",
  fields: { key: { type: text }, value: { type: GraphQLString } },
});

/** Fields of contents that are looked up or computed from what is stored. */
export const contentFields: FieldsById = {
  RichTextContent: () => ({
    plainText: {
      type: GraphQLString,
      resolve: plainTextOf,
    },
  }),
  SelectionContent: () => ({
    options: {
      type: listOf(SelectedOption),
      description: "The selected keys with their names in the shape; null for a key that it no longer has.",
      async resolve({ keys, view }: ContentSource & { keys: string[] }) {
        const options = (await definitionOf(view))?.config?.selection?.options ?? [];
        return keys.map((key) => ({
          key,
          value: options.find((option) => option.key === key)?.value ?? null,
        }));
      },
    },
  }),
  ItemRelationsContent: () => ({
    items: {
      type: listOf(Item),
      description: "The related items that exist; `itemIds` lists all.",
      resolve: (
        { itemIds, view }: ContentSource & { itemIds?: string[] },
        _: object,
        { loaders }: CoreContext,
      ) => existing(itemIds, (id) => loaders.item(id, view.scope)),
    },
    productVariants: {
      type: listOf(ProductVariant),
      description: "The related variants that exist; `skus` lists all.",
      resolve: ({ skus, view }: ContentSource & { skus?: string[] }, _: object, { loaders }: CoreContext) =>
        existing(skus, async (sku) => {
          const row = await loaders.variant(sku);
          return row && variantView(row, view.scope);
        }),
    },
  }),
};

async function existing<Value>(
  keys: readonly string[] | undefined,
  find: (key: string) => Promise<Value | undefined>,
): Promise<Value[]> {
  const values = await Promise.all((keys ?? []).map(find));
  return values.filter((value) => value !== undefined);
}
