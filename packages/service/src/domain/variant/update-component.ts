import type { Payload } from "@lading/schema";
import { productVariants } from "../../storage/collections/product-variants.ts";
import type { Command } from "../command.ts";
import { prefetchRelated } from "../content/check.ts";
import { type ComponentOptions, withComponent } from "../content/set-component.ts";
import { requireLanguage } from "../settings/require.ts";
import { requireProduct, requireVariant } from "./commands.ts";
import { followShape, prefetchVariant } from "./keys.ts";
import { sharedBefore, sharedVariant } from "./share-content.ts";
import { changedVariant } from "./update.ts";

export const updateComponent: Command<"item/updateComponent/sku"> = {
  keys({ sku, component }, prefetch) {
    prefetchRelated([component], prefetch);
    prefetchVariant(sku, prefetch, followShape);
  },
  async execute(context, payload: Payload<"item/updateComponent/sku"> & ComponentOptions) {
    const { unit, tenant, now } = context;
    const { sku, language } = payload;
    requireLanguage(tenant, language);
    const variant = await requireVariant(unit, sku);
    const { shape } = await requireProduct(unit, variant.productId, variant.sku);
    const before = variant.contents[language]?.components;
    const stored = before ?? (await sharedBefore(unit, shape, variant));
    const components = await withComponent(context, shape, "variantComponents", stored, payload);
    const written = shape.variantComponents.filter(({ id }) => id === payload.component.componentId);
    const changed = await sharedVariant(
      context,
      shape,
      variant,
      changedVariant(variant, { components }, language, now),
      { language, payload: [payload.component], written },
    );
    if (changed !== undefined) unit.update(productVariants, changed);
    return { action: changed ? "updated" : "unchanged", output: { id: variant.productId } };
  },
};
