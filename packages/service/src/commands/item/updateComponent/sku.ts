import type { Payload } from "@lading/schema";
import { changedVariant } from "../../../rules/variants.ts";
import { productVariants } from "../../../storage/collections/product-variants.ts";
import type { Command } from "../../command.ts";
import { requireProduct, requireVariant } from "../../product/variant/variant.ts";
import { requireLanguage } from "../../settings.ts";
import { type ComponentOptions, withComponent } from "../write/component.ts";
import { wantRelated } from "../write/uses.ts";
import { followShape, wantVariant } from "../write/variant-keys.ts";

export const command: Command<"item/updateComponent/sku"> = {
  keys({ sku, component }, want) {
    wantRelated([component], want);
    wantVariant(sku, want, followShape);
  },
  async execute(
    { unit, tenant, media, now, uploads },
    payload: Payload<"item/updateComponent/sku"> & ComponentOptions,
  ) {
    const { sku, language } = payload;
    requireLanguage(tenant, language);
    const variant = await requireVariant(unit, sku);
    const { shape } = await requireProduct(unit, variant.productId);
    const stored = variant.contents[language]?.components ?? [];
    const components = await withComponent(
      { unit, media, uploads },
      shape,
      "variantComponents",
      stored,
      payload,
    );
    const changed = changedVariant(variant, { components }, language, now);
    if (changed !== undefined) unit.update(productVariants, changed);
    return { action: changed ? "updated" : "unchanged", output: { id: variant.productId } };
  },
};
