import type { Payload } from "@lading/schema";
import { changedVariant } from "../../../rules/variants.ts";
import { productVariants } from "../../../storage/collections/product-variants.ts";
import type { Command } from "../../command.ts";
import { requireProduct, requireVariant } from "../../product/variant/variant.ts";
import { requireLanguage } from "../../settings.ts";
import { type ComponentOptions, withComponent } from "../write/component.ts";
import { sharedBefore, sharedVariant } from "../write/share.ts";
import { wantRelated } from "../write/uses.ts";
import { followShape, wantVariant } from "../write/variant-keys.ts";

export const command: Command<"item/updateComponent/sku"> = {
  keys({ sku, component }, want) {
    wantRelated([component], want);
    wantVariant(sku, want, followShape);
  },
  async execute(context, payload: Payload<"item/updateComponent/sku"> & ComponentOptions) {
    const { unit, tenant, now } = context;
    const { sku, language } = payload;
    requireLanguage(tenant, language);
    const variant = await requireVariant(unit, sku);
    const { shape } = await requireProduct(unit, variant.productId);
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
