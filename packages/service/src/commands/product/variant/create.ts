import type { Command } from "../../../domain/command.ts";
import { createVariant, wantVariantOfProduct } from "../../../domain/variant/commands.ts";

export const command: Command<"product/variant/create"> = {
  keys: wantVariantOfProduct,
  execute: createVariant,
};
