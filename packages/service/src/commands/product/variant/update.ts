import type { Command } from "../../command.ts";
import { wantRelated } from "../../item/write/uses.ts";
import { followShape, followSiblings, wantVariant } from "../../item/write/variant-keys.ts";
import { changeVariant, requireVariant } from "./variant.ts";

export const command: Command<"product/variant/update"> = {
  keys({ sku, components, isDefault }, want) {
    wantRelated(components, want);
    wantVariant(sku, want, isDefault ? followSiblings : followShape);
  },
  execute: async (context, payload) =>
    changeVariant(context, await requireVariant(context.unit, payload.sku), payload),
};
