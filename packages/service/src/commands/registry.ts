import type { Intent } from "@lading/schema";
import type { Command } from "../domain/command.ts";
import { command as customerCreate } from "./customer/create.ts";
import { command as customerDelete } from "./customer/delete.ts";
import { command as customerGroupCreate } from "./customer/group/create.ts";
import { command as customerGroupDelete } from "./customer/group/delete.ts";
import { command as customerGroupUpdate } from "./customer/group/update.ts";
import { command as customerGroupUpsert } from "./customer/group/upsert.ts";
import { command as customerUpdate } from "./customer/update.ts";
import { command as customerUpsert } from "./customer/upsert.ts";
import { command as documentCreate } from "./document/create.ts";
import { command as documentUpdate } from "./document/update.ts";
import { command as documentUpsert } from "./document/upsert.ts";
import { command as flowCreate } from "./flow/create.ts";
import { command as flowDelete } from "./flow/delete.ts";
import { command as flowUpdate } from "./flow/update.ts";
import { command as flowUpsert } from "./flow/upsert.ts";
import { command as folderCreate } from "./folder/create.ts";
import { command as folderUpdate } from "./folder/update.ts";
import { command as folderUpsert } from "./folder/upsert.ts";
import { command as imageRegister } from "./image/register.ts";
import { command as itemDelete } from "./item/delete.ts";
import { command as itemFlowStageAddItems } from "./item/flow/stage/addItems.ts";
import { command as itemPathsAddAliases } from "./item/paths/addAliases.ts";
import { command as itemPathsAddHistory } from "./item/paths/addHistory.ts";
import { command as itemPathsAddShortcuts } from "./item/paths/addShortcuts.ts";
import { command as itemPathsRemoveAliases } from "./item/paths/removeAliases.ts";
import { command as itemPathsRemoveHistory } from "./item/paths/removeHistory.ts";
import { command as itemPathsRemoveShortcuts } from "./item/paths/removeShortcuts.ts";
import { command as itemPathsSetAliases } from "./item/paths/setAliases.ts";
import { command as itemPathsSetHistory } from "./item/paths/setHistory.ts";
import { command as itemPathsSetShortcuts } from "./item/paths/setShortcuts.ts";
import { command as itemPublish } from "./item/publish.ts";
import { command as itemUnpublish } from "./item/unpublish.ts";
import { command as itemUpdateComponentItem } from "./item/updateComponent/item.ts";
import { command as itemUpdateComponentSku } from "./item/updateComponent/sku.ts";
import { command as languageUpsert } from "./language/upsert.ts";
import { command as marketUpsert } from "./market/upsert.ts";
import { command as orderDelete } from "./order/delete.ts";
import { command as orderRegister } from "./order/register.ts";
import { command as orderUpdate } from "./order/update.ts";
import { command as orderUpsert } from "./order/upsert.ts";
import { command as orderPipelineUpsert } from "./orderPipeline/upsert.ts";
import { command as pieceCreate } from "./piece/create.ts";
import { command as pieceDelete } from "./piece/delete.ts";
import { command as pieceUpdate } from "./piece/update.ts";
import { command as pieceUpsert } from "./piece/upsert.ts";
import { command as pricelistCreate } from "./pricelist/create.ts";
import { command as pricelistDelete } from "./pricelist/delete.ts";
import { command as pricelistSelectedProductVariantsRemove } from "./pricelist/selectedProductVariants/remove.ts";
import { command as pricelistSelectedProductVariantsUpsert } from "./pricelist/selectedProductVariants/upsert.ts";
import { command as pricelistUpdate } from "./pricelist/update.ts";
import { command as pricelistUpsert } from "./pricelist/upsert.ts";
import { command as priceVariantUpsert } from "./priceVariant/upsert.ts";
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
import { command as shapeDelete } from "./shape/delete.ts";
import { command as shapeUpdate } from "./shape/update.ts";
import { command as shapeUpsert } from "./shape/upsert.ts";
import { command as stockLocationUpsert } from "./stockLocation/upsert.ts";
import { command as subscriptionContractCreate } from "./subscription-contract/create.ts";
import { command as subscriptionContractDelete } from "./subscription-contract/delete.ts";
import { command as subscriptionContractUpdate } from "./subscription-contract/update.ts";
import { command as subscriptionContractUpsert } from "./subscription-contract/upsert.ts";
import { command as subscriptionPlanUpsert } from "./subscriptionPlan/upsert.ts";
import { command as topicCreate } from "./topic/create.ts";
import { command as topicDelete } from "./topic/delete.ts";
import { command as topicUpdate } from "./topic/update.ts";
import { command as topicUpsert } from "./topic/upsert.ts";
import { command as vatTypeUpsert } from "./vatType/upsert.ts";

/** The command of every intent. Total: an intent of the schema that is missing here fails the type check. */
export const commands: { readonly [I in Intent]: Command<I> } = {
  "piece/create": pieceCreate,
  "piece/update": pieceUpdate,
  "piece/upsert": pieceUpsert,
  "piece/delete": pieceDelete,
  "shape/create": shapeCreate,
  "shape/update": shapeUpdate,
  "shape/upsert": shapeUpsert,
  "shape/delete": shapeDelete,
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
  "item/paths/addAliases": itemPathsAddAliases,
  "item/paths/setAliases": itemPathsSetAliases,
  "item/paths/removeAliases": itemPathsRemoveAliases,
  "item/paths/addHistory": itemPathsAddHistory,
  "item/paths/setHistory": itemPathsSetHistory,
  "item/paths/removeHistory": itemPathsRemoveHistory,
  "item/paths/addShortcuts": itemPathsAddShortcuts,
  "item/paths/setShortcuts": itemPathsSetShortcuts,
  "item/paths/removeShortcuts": itemPathsRemoveShortcuts,
  "item/flow/stage/addItems": itemFlowStageAddItems,
  "image/register": imageRegister,
  "customer/create": customerCreate,
  "customer/update": customerUpdate,
  "customer/upsert": customerUpsert,
  "customer/delete": customerDelete,
  "customer/group/create": customerGroupCreate,
  "customer/group/update": customerGroupUpdate,
  "customer/group/upsert": customerGroupUpsert,
  "customer/group/delete": customerGroupDelete,
  "order/register": orderRegister,
  "order/update": orderUpdate,
  "order/upsert": orderUpsert,
  "order/delete": orderDelete,
  "subscription-contract/create": subscriptionContractCreate,
  "subscription-contract/update": subscriptionContractUpdate,
  "subscription-contract/upsert": subscriptionContractUpsert,
  "subscription-contract/delete": subscriptionContractDelete,
  "pricelist/create": pricelistCreate,
  "pricelist/update": pricelistUpdate,
  "pricelist/upsert": pricelistUpsert,
  "pricelist/delete": pricelistDelete,
  "pricelist/selectedProductVariants/upsert": pricelistSelectedProductVariantsUpsert,
  "pricelist/selectedProductVariants/remove": pricelistSelectedProductVariantsRemove,
  "topic/create": topicCreate,
  "topic/update": topicUpdate,
  "topic/upsert": topicUpsert,
  "topic/delete": topicDelete,
  "flow/create": flowCreate,
  "flow/update": flowUpdate,
  "flow/upsert": flowUpsert,
  "flow/delete": flowDelete,
  "language/upsert": languageUpsert,
  "vatType/upsert": vatTypeUpsert,
  "priceVariant/upsert": priceVariantUpsert,
  "stockLocation/upsert": stockLocationUpsert,
  "market/upsert": marketUpsert,
  "subscriptionPlan/upsert": subscriptionPlanUpsert,
  "orderPipeline/upsert": orderPipelineUpsert,
};

/** The command of an intent, typed for that intent. */
export const commandOf = <I extends Intent>(intent: I): Command<I> => commands[intent];
