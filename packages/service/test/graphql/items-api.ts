import type { ComponentDefinition } from "@lading/schema/internal";
import { expect } from "vitest";
import { opened } from "../../../../test/support/opened.ts";
import { type Api, openApi } from "../http/support.ts";
import { pieceRow, seedPieces, seedShapes, shapeRow } from "./seed.ts";

const definition = (type: ComponentDefinition["type"], config?: object): ComponentDefinition =>
  ({
    id: type,
    name: `The ${type}`,
    type,
    ...(config && { config: { [type]: config } }),
  }) as ComponentDefinition;

const contentModel: ComponentDefinition[] = [
  definition("singleLine"),
  definition("richText"),
  definition("numeric", { units: ["kg"] }),
  definition("boolean"),
  definition("datetime"),
  definition("location"),
  definition("selection", { options: [{ key: "s", value: "Small" }] }),
  definition("propertiesTable"),
  definition("paragraphCollection", { multilingual: [] }),
  definition("images"),
  definition("videos"),
  definition("files", { maxFileSize: { size: 1, unit: "MiB" } }),
  definition("itemRelations"),
  definition("gridRelations"),
  definition("colors"),
  definition("piece", { identifier: "seo" }),
  definition("contentChunk", { components: [definition("singleLine")], repeatable: true }),
  definition("componentChoice", { choices: [definition("numeric"), definition("boolean")] }),
  definition("componentMultipleChoice", { choices: [definition("numeric"), definition("boolean")] }),
];

/** A tenant with a shape of each type, of which `document` has a component of every type, and a folder. */
export interface ItemsApi extends Api {
  folder: string;
  /** Creates an item in English by one of the mutations; answers its id. */
  create(mutation: string, input: object): Promise<string>;
  /** Creates a product with one variant, whose SKU is its name. */
  product(name: string, fields?: object): Promise<string>;
  /** Asks the query `item`: answers the selection of an item, or an error's name and message. */
  // biome-ignore lint/suspicious/noExplicitAny: an answer has whatever shape its query asked for
  item(given: string, selection?: string): Promise<any>;
}

/** As `useApi`. */
export const useItemsApi = (): ItemsApi => opened(openItemsApi);

async function openItemsApi(): Promise<ItemsApi> {
  const api = await openApi();
  const seo = [definition("selection", { options: [{ key: "i", value: "Index" }] })];
  await seedPieces(api, pieceRow("seo", seo));
  await seedShapes(
    api,
    shapeRow("folder", "folder"),
    shapeRow("document", "document", contentModel),
    shapeRow("product", "product", [], [definition("singleLine")]),
  );
  const { rootItemId: parentId, settings } = api.shop.tenant;
  const create: ItemsApi["create"] = async (mutation, input) => {
    const name = `${mutation[0]?.toUpperCase()}${mutation.slice(1)}Input`;
    const query = `mutation ($input: ${name}!) { made: ${mutation}(language: "en", input: $input) {
      ... on Item { id } ... on BasicError { errorName message errors { message path } } } }`;
    const { made } = await api.data(query, { input });
    expect(made).toEqual({ id: expect.stringMatching(/^[0-9a-f]{24}$/) });
    return made.id;
  };
  const folder = await create("createFolder", {
    shapeIdentifier: "folder",
    name: "Shoes",
    tree: { parentId },
  });
  return {
    ...api,
    folder,
    create,
    product: (name, fields = {}) =>
      create("createProduct", {
        shapeIdentifier: "product",
        name,
        tree: { parentId: folder },
        vatTypeId: settings.vatTypes[0]?.id,
        variants: [{ sku: name, name, isDefault: true }],
        ...fields,
      }),
    item: async (given, selection = "id") => {
      const query = `{ item(${given}) { ... on Item { ${selection} } ... on BasicError { errorName message } } }`;
      return (await api.data(query)).item;
    },
  };
}
