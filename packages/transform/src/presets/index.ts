import type { Format } from "../choices.ts";

export interface Preset {
  /** A line about what it converts. */
  readonly about: string;
  readonly format: Format;
  load(): Promise<{ default: object }>;
}

/** Maps for the exports of other systems, by name. */
export const presets: Readonly<Record<string, Preset>> = {
  "shopify-products": {
    about: "Shopify's products with variants, prices, stock, images and tags (CSV of Products, Export)",
    format: "csv",
    load: () => import("./shopify-products.json", { with: { type: "json" } }),
  },
  "shopify-customers": {
    about: "Shopify's customers with their default address (CSV of Customers, Export)",
    format: "csv",
    load: () => import("./shopify-customers.json", { with: { type: "json" } }),
  },
  "woocommerce-products": {
    about: "WooCommerce's products: simple and variable ones, with variations (CSV of Products, Export)",
    format: "csv",
    load: () => import("./woocommerce-products.json", { with: { type: "json" } }),
  },
};

/** A preset whose map depends on the export, which has a content model of its own. */
export interface ModelPreset extends Pick<Preset, "about"> {
  readonly format: "json";
  /** Where the rows are. */
  readonly path: string;
  /** Makes the map of an export, and says what it leaves out. */
  load(): Promise<(document: unknown) => { map: object; notes: readonly string[] }>;
}

/** Presets that make the map of an export, by name. */
export const modelPresets: Readonly<Record<string, ModelPreset>> = {
  contentful: {
    about:
      "Contentful's entries as documents, with a shape for each content type (JSON of contentful-export)",
    format: "json",
    path: "entries",
    load: async () => (await import("./contentful.ts")).contentfulMap,
  },
};

export const writtenMap = (map: object): string => `${JSON.stringify(map, null, 2)}\n`;

/** The text of a preset's map, to compile, or to write as the beginning of one's own. */
export async function presetMap({ load }: Preset): Promise<string> {
  return writtenMap((await load()).default);
}
