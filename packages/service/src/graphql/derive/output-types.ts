import { componentTypes } from "@lading/schema/internal";
import { OutputTypes } from "./from-zod.ts";

const componentNames = new Set(componentTypes.map((type) => `${type[0]?.toUpperCase()}${type.slice(1)}`));

/** Names that differ from the id of their schema. */
const names: Readonly<Record<string, string>> = {
  // A customer as an order holds it; need not be a customer of the tenant.
  Customer: "OrderCustomer",
  PriceVariantPrice: "ProductPriceVariant",
  StockLocationStock: "ProductStockLocation",
};

/** `SingleLineContent` → `SingleLineComponentContent`, as existing clients know it; likewise `…Config`. */
function outputName(id: string): string {
  const [, component, kind] = /^(\w+?)(Content|Config)$/.exec(id) ?? [];
  if (component && componentNames.has(component)) return `${component}Component${kind}`;
  return names[id] ?? id;
}

/** The output types of values that are stored as they were given, derived from the schemas of the payloads. */
export const derivedTypes = new OutputTypes(outputName);
