import type { Command } from "../../command.ts";
import { createVariant, wantVariantOfProduct } from "./variant.ts";

export const command: Command<"product/variant/create"> = {
  keys: wantVariantOfProduct,
  execute: createVariant,
};
