import type { CustomerRow } from "../storage/collections/customers.ts";
import type { PieceRow } from "../storage/collections/pieces.ts";
import type { PriceListVariantRow } from "../storage/collections/price-lists.ts";
import type { ProductVariantRow } from "../storage/collections/product-variants.ts";
import type { ShapeRow } from "../storage/collections/shapes.ts";
import type { Queries } from "../storage/database.ts";
import { piecesByIdentifier, shapesByIdentifier } from "../storage/queries/content-model.ts";
import { customersByIdentifier } from "../storage/queries/customers.ts";
import { findItems, type ItemScope, type ItemView } from "../storage/queries/items.ts";
import { selectedVariants } from "../storage/queries/price-lists.ts";
import { variantsBySku, variantsOfProducts } from "../storage/queries/product-variants.ts";
import { pathsOfItems, positionsOfItems } from "../storage/queries/tree.ts";
import { batched } from "./batched.ts";

/** What the resolvers of one request load together, so that a list does not cost a query per node. */
export interface Loaders {
  item(id: string, scope: ItemScope): Promise<ItemView | undefined>;
  path(id: string, language: string): Promise<string | null | undefined>;
  position(id: string): Promise<number | undefined>;
  shape(identifier: string): Promise<ShapeRow | undefined>;
  piece(identifier: string): Promise<PieceRow | undefined>;
  variant(sku: string): Promise<ProductVariantRow | undefined>;
  variantsOf(productId: string): Promise<ProductVariantRow[] | undefined>;
  customer(identifier: string): Promise<CustomerRow | undefined>;
  /** What a price list selects. */
  selectedVariants(priceListIdentifier: string): Promise<PriceListVariantRow[] | undefined>;
}

/** The loaders of one request; all they read is the tenant's. */
export function makeLoaders(queries: Queries, tenantId: string): Loaders {
  const itemsIn = perKey((key) => {
    const scope = JSON.parse(key) as ItemScope;
    return batched(async (ids) => byId(await findItems(queries, tenantId, scope, { ids })));
  });
  const pathsIn = perKey((language) => batched((ids) => pathsOfItems(queries, tenantId, language, ids)));
  return {
    item: (id, { language, version }) => itemsIn(JSON.stringify({ language, version }))(id),
    path: (id, language) => pathsIn(language)(id),
    position: batched((ids) => positionsOfItems(queries, tenantId, ids)),
    shape: batched((identifiers) => shapesByIdentifier(queries, tenantId, identifiers)),
    piece: batched((identifiers) => piecesByIdentifier(queries, tenantId, identifiers)),
    variant: batched((skus) => variantsBySku(queries, tenantId, skus)),
    variantsOf: batched((ids) => variantsOfProducts(queries, tenantId, ids)),
    customer: batched((identifiers) => customersByIdentifier(queries, tenantId, identifiers)),
    selectedVariants: batched((identifiers) => selectedVariants(queries, tenantId, identifiers)),
  };
}

const byId = (items: ItemView[]) => new Map(items.map((item) => [item.id, item]));

/** One loader for each key, made when it is first asked for. */
function perKey<Loader>(make: (key: string) => Loader): (key: string) => Loader {
  const made = new Map<string, Loader>();
  return (key) => {
    const loader = made.get(key) ?? make(key);
    made.set(key, loader);
    return loader;
  };
}
