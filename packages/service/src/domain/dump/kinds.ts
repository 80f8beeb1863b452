import { readContentModel } from "./content-model.ts";
import { readContracts } from "./contracts.ts";
import { readCustomers } from "./customers.ts";
import type { ReadKind } from "./dumped-tenant.ts";
import { readFlows } from "./flows.ts";
import { readItems } from "./items.ts";
import { readOrders } from "./orders.ts";
import { readPaths } from "./paths.ts";
import { readPriceLists } from "./price-lists.ts";
import { readSettings } from "./settings.ts";
import { readTopics } from "./topics.ts";

/** The kinds of operations of a dump, in their order: each after those that it needs. */
export const kinds = {
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
} as const satisfies Readonly<Record<string, ReadKind>>;

export type Kind = keyof typeof kinds;

export const kindNames = Object.keys(kinds) as readonly Kind[];
