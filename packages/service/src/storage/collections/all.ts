import type { EntityKind, KindIn } from "@lading/schema/internal";
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

const tablesOf: Readonly<Record<Exclude<EntityKind, KindIn<"settings">>, readonly [Table, ...Table[]]>> = {
  piece: [pieces],
  shape: [shapes],
  topic: [topics, topicContents],
  item: [
    ...([items, itemContents, itemTopics, productVariants, publishedVariants] as const),
    ...[itemAliases, itemFormerPaths, itemShortcuts],
  ],
  order: [orders],
  customerGroup: [customerGroups],
  customer: [customers],
  priceList: [priceLists, priceListVariants],
  flow: [flows, flowStages, flowItems],
  contract: [subscriptionContracts, subscriptionContractUsages],
};

const tablesOfKinds: Readonly<Partial<Record<EntityKind, readonly [Table, ...Table[]]>>> = tablesOf;

/** The collection with a row for each entity of a kind. */
export const tableOf = (kind: EntityKind): Table => tablesOfKinds[kind]?.[0] ?? settings;

/** Every collection, in the order of the names of their tables. */
export const allCollections: readonly Table[] = [
  ...[auditTrail, images, settings],
  ...Object.values(tablesOf).flat(),
].sort((one, other) => (one.table < other.table ? -1 : 1));

const byTable = new Map(allCollections.map((collection) => [collection.table, collection]));

export const collectionOf = (table: string): Table | undefined => byTable.get(table);
