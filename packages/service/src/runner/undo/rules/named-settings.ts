import {
  requireLanguage,
  requirePipelineStage,
  requirePriceVariant,
  requireStockLocation,
  vatTypeOf,
} from "../../../domain/settings/require.ts";
import { requirePlan } from "../../../domain/subscription-contract/references.ts";
import { checkVariantSettings } from "../../../domain/variant/check.ts";
import { flowItems } from "../../../storage/collections/flow-items.ts";
import { itemAliases } from "../../../storage/collections/item-aliases.ts";
import { itemContents } from "../../../storage/collections/item-contents.ts";
import { itemFormerPaths } from "../../../storage/collections/item-former-paths.ts";
import { items } from "../../../storage/collections/items.ts";
import { orders } from "../../../storage/collections/orders.ts";
import { priceLists, priceListVariants } from "../../../storage/collections/price-lists.ts";
import { productVariants } from "../../../storage/collections/product-variants.ts";
import { publishedVariants } from "../../../storage/collections/published-variants.ts";
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

/** Rules about rows that name settings: the tenant has these still. */
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
    onChange(["stockLocations"], ({ tenant }, { sku, stockLocations }) =>
      checkVariantSettings(tenant, { sku, stockLocations }, []),
    ),
    onChange(["subscriptionPlans"], ({ tenant }, { sku, subscriptionPlans }) =>
      checkVariantSettings(tenant, { sku, subscriptionPlans }, []),
    ),
  ),
  rulesOf(
    publishedVariants,
    onChange(["priceVariants"], hasPriceVariants),
    onChange(["stockLocations"], ({ tenant }, { stockLocations }) =>
      checkVariantSettings(tenant, { stockLocations }, []),
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
      for (const place of pipelines) requirePipelineStage(tenant, place, []);
    }),
  ),
  rulesOf(
    subscriptionContracts,
    onChange(["subscriptionPlan", "initial", "recurring"], ({ tenant }, contract) =>
      requirePlan(tenant, { subscriptionPlan: contract.subscriptionPlan }, contract),
    ),
  ),
];
