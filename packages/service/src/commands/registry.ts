import type { Intent } from "@lading/schema";
import type { Command } from "./command.ts";
import { command as documentCreate } from "./document/create.ts";
import { command as documentUpdate } from "./document/update.ts";
import { command as documentUpsert } from "./document/upsert.ts";
import { command as folderCreate } from "./folder/create.ts";
import { command as folderUpdate } from "./folder/update.ts";
import { command as folderUpsert } from "./folder/upsert.ts";
import { command as itemDelete } from "./item/delete.ts";
import { command as itemPublish } from "./item/publish.ts";
import { command as itemUnpublish } from "./item/unpublish.ts";
import { command as itemUpdateComponentItem } from "./item/updateComponent/item.ts";
import { command as itemUpdateComponentSku } from "./item/updateComponent/sku.ts";
import { notImplemented } from "./not-implemented.ts";
import { command as productCreate } from "./product/create.ts";
import { command as productUpdate } from "./product/update.ts";
import { command as productUpsert } from "./product/upsert.ts";
import { command as productVariantCreate } from "./product/variant/create.ts";
import { command as productVariantDelete } from "./product/variant/delete.ts";
import { command as productVariantPriceModify } from "./product/variant/price/modify.ts";
import { command as productVariantStockModify } from "./product/variant/stock/modify.ts";
import { command as productVariantUpdate } from "./product/variant/update.ts";
import { command as productVariantUpsert } from "./product/variant/upsert.ts";

/** The command of every intent. Total: an intent of the schema that is missing here fails the type check. */
export const commands: { readonly [I in Intent]: Command<I> } = {
  "piece/create": notImplemented("piece/create"),
  "piece/update": notImplemented("piece/update"),
  "piece/upsert": notImplemented("piece/upsert"),
  "shape/create": notImplemented("shape/create"),
  "shape/update": notImplemented("shape/update"),
  "shape/upsert": notImplemented("shape/upsert"),
  "folder/create": folderCreate,
  "folder/update": folderUpdate,
  "folder/upsert": folderUpsert,
  "document/create": documentCreate,
  "document/update": documentUpdate,
  "document/upsert": documentUpsert,
  "product/create": productCreate,
  "product/update": productUpdate,
  "product/upsert": productUpsert,
  "product/variant/create": productVariantCreate,
  "product/variant/update": productVariantUpdate,
  "product/variant/upsert": productVariantUpsert,
  "product/variant/delete": productVariantDelete,
  "product/variant/stock/modify": productVariantStockModify,
  "product/variant/price/modify": productVariantPriceModify,
  "item/updateComponent/item": itemUpdateComponentItem,
  "item/updateComponent/sku": itemUpdateComponentSku,
  "item/publish": itemPublish,
  "item/unpublish": itemUnpublish,
  "item/delete": itemDelete,
  "item/paths/addAliases": notImplemented("item/paths/addAliases"),
  "item/paths/setAliases": notImplemented("item/paths/setAliases"),
  "item/paths/removeAliases": notImplemented("item/paths/removeAliases"),
  "item/paths/addHistory": notImplemented("item/paths/addHistory"),
  "item/paths/setHistory": notImplemented("item/paths/setHistory"),
  "item/paths/removeHistory": notImplemented("item/paths/removeHistory"),
  "item/paths/addShortcuts": notImplemented("item/paths/addShortcuts"),
  "item/paths/setShortcuts": notImplemented("item/paths/setShortcuts"),
  "item/paths/removeShortcuts": notImplemented("item/paths/removeShortcuts"),
  "item/flow/stage/addItems": notImplemented("item/flow/stage/addItems"),
  "image/register": notImplemented("image/register"),
  "customer/create": notImplemented("customer/create"),
  "customer/update": notImplemented("customer/update"),
  "customer/upsert": notImplemented("customer/upsert"),
  "customer/group/create": notImplemented("customer/group/create"),
  "customer/group/update": notImplemented("customer/group/update"),
  "customer/group/upsert": notImplemented("customer/group/upsert"),
  "order/register": notImplemented("order/register"),
  "order/update": notImplemented("order/update"),
  "order/upsert": notImplemented("order/upsert"),
  "subscription-contract/create": notImplemented("subscription-contract/create"),
  "subscription-contract/update": notImplemented("subscription-contract/update"),
  "subscription-contract/upsert": notImplemented("subscription-contract/upsert"),
  "pricelist/create": notImplemented("pricelist/create"),
  "pricelist/update": notImplemented("pricelist/update"),
  "pricelist/upsert": notImplemented("pricelist/upsert"),
  "pricelist/selectedProductVariants/upsert": notImplemented("pricelist/selectedProductVariants/upsert"),
  "pricelist/selectedProductVariants/remove": notImplemented("pricelist/selectedProductVariants/remove"),
  "topic/create": notImplemented("topic/create"),
  "topic/update": notImplemented("topic/update"),
  "topic/upsert": notImplemented("topic/upsert"),
  "topic/delete": notImplemented("topic/delete"),
  "flow/create": notImplemented("flow/create"),
  "flow/update": notImplemented("flow/update"),
  "flow/upsert": notImplemented("flow/upsert"),
};
