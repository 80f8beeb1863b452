import type { Commands } from "../command.ts";
import { variantCreate, variantDelete, variantUpdate, variantUpsert } from "./commands.ts";
import { modifyPrice, modifyStock } from "./fact-commands.ts";
import { updateComponent } from "./update-component.ts";

export const variantIntents = {
  "product/variant/create": variantCreate,
  "product/variant/update": variantUpdate,
  "product/variant/upsert": variantUpsert,
  "product/variant/delete": variantDelete,
  "product/variant/stock/modify": modifyStock,
  "product/variant/price/modify": modifyPrice,
  "item/updateComponent/sku": updateComponent,
} satisfies Partial<Commands>;
