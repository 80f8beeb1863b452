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

/** The text of a preset's map, to compile, or to write as the beginning of one's own. */
export async function presetMap({ load }: Preset): Promise<string> {
  return `${JSON.stringify((await load()).default, null, 2)}\n`;
}
