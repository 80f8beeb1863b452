import type { Command } from "../../../domain/command.ts";
import { createVariant, prefetchVariantOfProduct } from "../../../domain/variant/commands.ts";

export const command: Command<"product/variant/create"> = {
  keys: prefetchVariantOfProduct,
  execute: createVariant,
};
