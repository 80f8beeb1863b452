import type { Intent } from "@lading/schema";
import type { Command } from "./command.ts";
import { command as customerCreate } from "./customer/create.ts";
import { command as customerGroupCreate } from "./customer/group/create.ts";
import { command as customerGroupUpdate } from "./customer/group/update.ts";
import { command as customerGroupUpsert } from "./customer/group/upsert.ts";
import { command as customerUpdate } from "./customer/update.ts";
import { command as customerUpsert } from "./customer/upsert.ts";
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
import { command as orderRegister } from "./order/register.ts";
import { command as orderUpdate } from "./order/update.ts";
import { command as orderUpsert } from "./order/upsert.ts";
import { command as pieceCreate } from "./piece/create.ts";
import { command as pieceUpdate } from "./piece/update.ts";
import { command as pieceUpsert } from "./piece/upsert.ts";
import { command as pricelistCreate } from "./pricelist/create.ts";
import { command as pricelistSelectedProductVariantsRemove } from "./pricelist/selectedProductVariants/remove.ts";
import { command as pricelistSelectedProductVariantsUpsert } from "./pricelist/selectedProductVariants/upsert.ts";
import { command as pricelistUpdate } from "./pricelist/update.ts";
import { command as pricelistUpsert } from "./pricelist/upsert.ts";
import { command as productCreate } from "./product/create.ts";
import { command as productUpdate } from "./product/update.ts";
import { command as productUpsert } from "./product/upsert.ts";
import { command as productVariantCreate } from "./product/variant/create.ts";
import { command as productVariantDelete } from "./product/variant/delete.ts";
import { command as productVariantPriceModify } from "./product/variant/price/modify.ts";
import { command as productVariantStockModify } from "./product/variant/stock/modify.ts";
import { command as productVariantUpdate } from "./product/variant/update.ts";
import { command as productVariantUpsert } from "./product/variant/upsert.ts";
import { command as shapeCreate } from "./shape/create.ts";
import { command as shapeUpdate } from "./shape/update.ts";
import { command as shapeUpsert } from "./shape/upsert.ts";
import { command as subscriptionContractCreate } from "./subscription-contract/create.ts";
import { command as subscriptionContractUpdate } from "./subscription-contract/update.ts";
import { command as subscriptionContractUpsert } from "./subscription-contract/upsert.ts";

/** The command of every intent. Total: an intent of the schema that is missing here fails the type check. */
export const commands: { readonly [I in Intent]: Command<I> } = {
  "piece/create": pieceCreate,
  "piece/update": pieceUpdate,
  "piece/upsert": pieceUpsert,
  "shape/create": shapeCreate,
  "shape/update": shapeUpdate,
  "shape/upsert": shapeUpsert,
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
  "customer/create": customerCreate,
  "customer/update": customerUpdate,
  "customer/upsert": customerUpsert,
  "customer/group/create": customerGroupCreate,
  "customer/group/update": customerGroupUpdate,
  "customer/group/upsert": customerGroupUpsert,
  "order/register": orderRegister,
  "order/update": orderUpdate,
  "order/upsert": orderUpsert,
  "subscription-contract/create": subscriptionContractCreate,
  "subscription-contract/update": subscriptionContractUpdate,
  "subscription-contract/upsert": subscriptionContractUpsert,
  "pricelist/create": pricelistCreate,
  "pricelist/update": pricelistUpdate,
  "pricelist/upsert": pricelistUpsert,
  "pricelist/selectedProductVariants/upsert": pricelistSelectedProductVariantsUpsert,
  "pricelist/selectedProductVariants/remove": pricelistSelectedProductVariantsRemove,
  "topic/create": notImplemented("topic/create"),
  "topic/update": notImplemented("topic/update"),
  "topic/upsert": notImplemented("topic/upsert"),
  "topic/delete": notImplemented("topic/delete"),
  "flow/create": notImplemented("flow/create"),
  "flow/update": notImplemented("flow/update"),
  "flow/upsert": notImplemented("flow/upsert"),
};
