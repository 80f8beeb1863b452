import type { Commands } from "../command.ts";
import { deletePriceList, priceListCommands } from "./commands.ts";
import { removeSelected, upsertSelected } from "./selection-commands.ts";

export const priceListIntents = {
  "pricelist/create": priceListCommands.create,
  "pricelist/update": priceListCommands.update,
  "pricelist/upsert": priceListCommands.upsert,
  "pricelist/delete": deletePriceList,
  "pricelist/selectedProductVariants/upsert": upsertSelected,
  "pricelist/selectedProductVariants/remove": removeSelected,
} satisfies Partial<Commands>;
