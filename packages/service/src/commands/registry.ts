import type { DumpKind, Intent } from "@lading/schema/internal";
import type { Command, Commands } from "../domain/command.ts";
import { customerIntents } from "../domain/customer/intents.ts";
import type { ReadKind } from "../domain/dump/dumped-tenant.ts";
import { readContentModel } from "../domain/dump/operations/content-model.ts";
import { readContracts } from "../domain/dump/operations/contracts.ts";
import { readCustomers } from "../domain/dump/operations/customers.ts";
import { readFlows } from "../domain/dump/operations/flows.ts";
import { readItems } from "../domain/dump/operations/items.ts";
import { readOrders } from "../domain/dump/operations/orders.ts";
import { readPaths } from "../domain/dump/operations/paths.ts";
import { readPriceLists } from "../domain/dump/operations/price-lists.ts";
import { readSettings } from "../domain/dump/operations/settings.ts";
import { readTopics } from "../domain/dump/operations/topics.ts";
import { flowIntents } from "../domain/flow/intents.ts";
import { imageIntents } from "../domain/image/intents.ts";
import { itemIntents } from "../domain/item/intents.ts";
import { orderIntents } from "../domain/order/intents.ts";
import { priceListIntents } from "../domain/price-list/intents.ts";
import { settingIntents } from "../domain/settings/intents.ts";
import { shapeIntents } from "../domain/shape/intents.ts";
import { contractIntents } from "../domain/subscription-contract/intents.ts";
import { topicIntents } from "../domain/topic/intents.ts";
import { variantIntents } from "../domain/variant/intents.ts";

/** The command of every intent. The type requires all of them. */
export const commands: Commands = {
  ...shapeIntents,
  ...itemIntents,
  ...variantIntents,
  ...imageIntents,
  ...customerIntents,
  ...orderIntents,
  ...contractIntents,
  ...priceListIntents,
  ...topicIntents,
  ...flowIntents,
  ...settingIntents,
};

/** Reads each kind of operations of a dump. */
export const dumpReaders: Readonly<Record<DumpKind, ReadKind>> = {
  settings: readSettings,
  "content-model": readContentModel,
  topics: readTopics,
  items: readItems,
  orders: readOrders,
  customers: readCustomers,
  "price-lists": readPriceLists,
  flows: readFlows,
  contracts: readContracts,
  paths: readPaths,
};

export const commandOf = <I extends Intent>(intent: I): Command<I> => commands[intent];
