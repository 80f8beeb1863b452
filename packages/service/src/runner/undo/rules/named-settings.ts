import {
  requireLanguage,
  requirePipelineStage,
  requirePriceVariant,
  requireStockLocation,
  vatTypeOf,
} from "../../../domain/settings/require.ts";
import { requirePlan } from "../../../domain/subscription-contract/references.ts";
import { checkVariantSettings, refuseLowStock } from "../../../domain/variant/check.ts";
import { leastStock } from "../../../domain/variant/stock.ts";
import { flowItems } from "../../../storage/collections/flow-items.ts";
import { itemAliases } from "../../../storage/collections/item-aliases.ts";
import { itemContents } from "../../../storage/collections/item-contents.ts";
import { itemFormerPaths } from "../../../storage/collections/item-former-paths.ts";
import { items } from "../../../storage/collections/items.ts";
import { orders } from "../../../storage/collections/orders.ts";
import { priceLists, priceListVariants } from "../../../storage/collections/price-lists.ts";
import { type ProductVariantRow, productVariants } from "../../../storage/collections/product-variants.ts";
import {
  type PublishedVariantRow,
  publishedVariants,
} from "../../../storage/collections/published-variants.ts";
import { settings } from "../../../storage/collections/settings.ts";
import { subscriptionContracts } from "../../../storage/collections/subscription-contracts.ts";
import { topicContents } from "../../../storage/collections/topic-contents.ts";
import { onChange, onReturn, type RuleContext, rulesOf, type TableRules } from "./rule.ts";

const hasLanguage = ({ tenant }: RuleContext, { language }: { language: string }): void =>
  requireLanguage(tenant, language);

const hasPriceVariants = (
  { tenant }: RuleContext,
  { priceVariants }: { priceVariants: readonly { identifier: string }[] },
): void => {
  for (const { identifier } of priceVariants) requirePriceVariant(tenant, identifier, []);
};

/** Rejects a deleted location, and stock that its current rules do not allow. */
async function hasStockLocations(
  { unit, tenant, since }: RuleContext,
  stockLocations: ProductVariantRow["stockLocations"],
  skuOf: () => string | Promise<string>,
): Promise<void> {
  for (const { identifier, stock } of stockLocations) {
    const location = requireStockLocation(tenant, identifier, []);
    if (stock >= leastStock(location)) continue;
    const setting = await unit.get(settings, "stockLocations", identifier);
    if (setting !== undefined && setting.updatedAt > since)
      refuseLowStock(await skuOf(), location, stock, []);
  }
}

/** The SKU under which a variant was published. */
async function publishedSku(
  { unit }: RuleContext,
  { productId, variantId }: PublishedVariantRow,
): Promise<string> {
  const contents = await unit.find(itemContents, "item", productId);
  const copies = contents.flatMap(({ variants }) => variants ?? []);
  return copies.find(({ id }) => id === variantId)?.sku ?? variantId;
}

/** Rules for rows that refer to settings: the settings must still exist. */
export const namedSettings: readonly TableRules[] = [
  rulesOf(
    itemContents,
    onReturn(hasLanguage),
    onChange(["variants"], ({ tenant }, { variants }) => {
      for (const { subscriptionPlans } of variants ?? [])
        checkVariantSettings(tenant, { subscriptionPlans }, []);
    }),
  ),
  rulesOf(topicContents, onReturn(hasLanguage)),
  rulesOf(itemAliases, onReturn(hasLanguage)),
  rulesOf(itemFormerPaths, onReturn(hasLanguage)),
  rulesOf(
    flowItems,
    onReturn((context, row) => {
      if (row.language !== "") hasLanguage(context, row);
    }),
  ),
  rulesOf(
    items,
    onChange(["vatTypeId"], ({ tenant }, { vatTypeId }) => {
      if (vatTypeId !== null) vatTypeOf(tenant, vatTypeId);
    }),
  ),
  rulesOf(
    productVariants,
    onChange(["contents"], ({ tenant }, { contents }) => {
      for (const language of Object.keys(contents)) requireLanguage(tenant, language);
    }),
    onChange(["priceVariants"], ({ tenant }, { sku, priceVariants }) =>
      checkVariantSettings(tenant, { sku, priceVariants }, []),
    ),
    onChange(["stockLocations"], (context, { sku, stockLocations }) =>
      hasStockLocations(context, stockLocations, () => sku),
    ),
    onChange(["subscriptionPlans"], ({ tenant }, { sku, subscriptionPlans }) =>
      checkVariantSettings(tenant, { sku, subscriptionPlans }, []),
    ),
  ),
  rulesOf(
    publishedVariants,
    onChange(["priceVariants"], hasPriceVariants),
    onChange(["stockLocations"], (context, variant) =>
      hasStockLocations(context, variant.stockLocations, () => publishedSku(context, variant)),
    ),
  ),
  rulesOf(priceLists, onChange(["priceVariants"], hasPriceVariants)),
  rulesOf(
    priceListVariants,
    onChange(["priceVariants"], (context, { priceVariants }) =>
      hasPriceVariants(context, { priceVariants: priceVariants ?? [] }),
    ),
  ),
  rulesOf(
    orders,
    onChange(["stockLocationIdentifier"], ({ tenant }, { stockLocationIdentifier: identifier }) => {
      if (identifier !== null) requireStockLocation(tenant, identifier, []);
    }),
    onChange(["pipelines"], ({ tenant }, { pipelines }) => {
      for (const stage of pipelines) requirePipelineStage(tenant, stage, []);
    }),
  ),
  rulesOf(
    subscriptionContracts,
    onChange(["subscriptionPlan", "initial", "recurring"], ({ tenant }, contract) =>
      requirePlan(tenant, { subscriptionPlan: contract.subscriptionPlan }, contract),
    ),
  ),
];
