import type { Command } from "../../../domain/command.ts";
import { wantRelated } from "../../../domain/content/uses.ts";
import { changeVariant, requireVariant } from "../../../domain/variant/commands.ts";
import { followShape, followSiblings, wantVariant } from "../../../domain/variant/keys.ts";

export const command: Command<"product/variant/update"> = {
  keys({ sku, components, isDefault }, want) {
    wantRelated(components, want);
    wantVariant(sku, want, isDefault ? followSiblings : followShape);
  },
  execute: async (context, payload) =>
    changeVariant(context, await requireVariant(context.unit, payload.sku), payload),
};
