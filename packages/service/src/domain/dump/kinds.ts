import type { DumpKind } from "@lading/schema";
import type { ReadKind } from "./dumped-tenant.ts";
import { readContentModel } from "./operations/content-model.ts";
import { readContracts } from "./operations/contracts.ts";
import { readCustomers } from "./operations/customers.ts";
import { readFlows } from "./operations/flows.ts";
import { readItems } from "./operations/items.ts";
import { readOrders } from "./operations/orders.ts";
import { readPaths } from "./operations/paths.ts";
import { readPriceLists } from "./operations/price-lists.ts";
import { readSettings } from "./operations/settings.ts";
import { readTopics } from "./operations/topics.ts";

/** Reads each kind of operations of a dump. */
export const readers: Readonly<Record<DumpKind, ReadKind>> = {
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
