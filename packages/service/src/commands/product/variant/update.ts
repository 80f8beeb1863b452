import type { Command } from "../../../domain/command.ts";
import { prefetchRelated } from "../../../domain/content/check.ts";
import { changeVariant, requireVariant } from "../../../domain/variant/commands.ts";
import { followShape, followSiblings, prefetchVariant } from "../../../domain/variant/keys.ts";

export const command: Command<"product/variant/update"> = {
  keys({ sku, components, isDefault }, prefetch) {
    prefetchRelated(components, prefetch);
    prefetchVariant(sku, prefetch, isDefault ? followSiblings : followShape);
  },
  execute: async (context, payload) =>
    changeVariant(context, await requireVariant(context.unit, payload.sku), payload),
};
