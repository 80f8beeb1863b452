import type { Table } from "../unit-of-work/collection.ts";
import { auditTrail } from "./audit-trail.ts";
import { customerGroups } from "./customer-groups.ts";
import { customers } from "./customers.ts";
import { flowItems } from "./flow-items.ts";
import { flowStages } from "./flow-stages.ts";
import { flows } from "./flows.ts";
import { images } from "./images.ts";
import { itemAliases } from "./item-aliases.ts";
import { itemContents } from "./item-contents.ts";
import { itemFormerPaths } from "./item-former-paths.ts";
import { itemShortcuts } from "./item-shortcuts.ts";
import { itemTopics } from "./item-topics.ts";
import { items } from "./items.ts";
import { orders } from "./orders.ts";
import { pieces } from "./pieces.ts";
import { priceLists, priceListVariants } from "./price-lists.ts";
import { productVariants } from "./product-variants.ts";
import { publishedVariants } from "./published-variants.ts";
import { settings } from "./settings.ts";
import { shapes } from "./shapes.ts";
import { subscriptionContractUsages } from "./subscription-contract-usages.ts";
import { subscriptionContracts } from "./subscription-contracts.ts";
import { topicContents } from "./topic-contents.ts";
import { topics } from "./topics.ts";

export const allCollections: readonly Table[] = [
  auditTrail,
  customerGroups,
  customers,
  flowItems,
  flowStages,
  flows,
  images,
  itemAliases,
  itemContents,
  itemFormerPaths,
  itemShortcuts,
  itemTopics,
  items,
  orders,
  pieces,
  priceListVariants,
  priceLists,
  productVariants,
  publishedVariants,
  settings,
  shapes,
  subscriptionContractUsages,
  subscriptionContracts,
  topicContents,
  topics,
];

const byTable = new Map(allCollections.map((collection) => [collection.table, collection]));

export const collectionOf = (table: string): Table | undefined => byTable.get(table);
