import type { Issue } from "@lading/schema";
import { reject } from "../../errors.ts";
import { filePlans } from "../../storage/bulk-tasks/plans/planners.ts";
import type { CustomerRow } from "../../storage/collections/customers.ts";
import type { FlowStageRow } from "../../storage/collections/flow-stages.ts";
import type { ImageRow } from "../../storage/collections/images.ts";
import type { OrderRow } from "../../storage/collections/orders.ts";
import type { PieceRow } from "../../storage/collections/pieces.ts";
import type { PriceListVariantRow } from "../../storage/collections/price-lists.ts";
import type { ProductVariantRow } from "../../storage/collections/product-variants.ts";
import type { ShapeRow } from "../../storage/collections/shapes.ts";
import type { Queries } from "../../storage/database.ts";
import { batched } from "../../storage/pages/batched.ts";
import type { Page, PageRequest } from "../../storage/pages/page.ts";
import { piecesByIdentifier, shapesByIdentifier } from "../../storage/queries/content-model.ts";
import { childCountsOfCustomers, customersByIdentifier } from "../../storage/queries/customers.ts";
import { stagesByIdentifier, stagesOfFlows } from "../../storage/queries/flows.ts";
import { imagesByKey } from "../../storage/queries/images.ts";
import {
  type AvailableVersion,
  childCountsOfItems,
  childrenOfItems,
  findItems,
  type ItemLanguage,
  type ItemScope,
  type ItemView,
  languagesOfItems,
  shapeIdentifiersOfItems,
  versionsOfItems,
} from "../../storage/queries/items.ts";
import { type LocalizedName, namesOfItems, namesOfTopics } from "../../storage/queries/names.ts";
import { ordersById } from "../../storage/queries/orders.ts";
import { selectedVariants } from "../../storage/queries/price-lists.ts";
import { variantsBySku, variantsOfProducts } from "../../storage/queries/product-variants.ts";
import {
  type MeteredUsage,
  type UsageWindow,
  usageOfContracts,
} from "../../storage/queries/subscription-contract-usages.ts";
import {
  childrenOfTopics,
  pathsOfTopics,
  type TopicView,
  topicsById,
  topicsOfItems,
} from "../../storage/queries/topics.ts";
import {
  aliasesOfItems,
  historiesOfItems,
  pathsOfItems,
  positionsOfItems,
  type ShortcutLocation,
  shortcutsOfItems,
} from "../../storage/queries/tree.ts";
import type { FailureGroup } from "../../storage/task-details/failures.ts";
import { issueCountsOfTasks, issuesOfTasks } from "../../storage/task-details/issues.ts";
import { type SearchBudget, searchLimits } from "../../storage/task-details/log-search.ts";
import type { LoggedOperation } from "../../storage/task-details/operation-logs.ts";
import type { ReadingRoom } from "../../storage/task-details/read-images.ts";
import { readLogEntries } from "../../storage/task-details/read-logs.ts";
import { type TenantUsage, tenantUsage } from "../../storage/tenants/tenants.ts";
import type { BulkTask } from "../../tasks/bulk-task.ts";
import { changeLimits, type OperationChanges } from "../../tasks/changes/changes.ts";
import { readChanges } from "../../tasks/changes/read-changes.ts";
import { readWholeRows, type WholeRows } from "../../tasks/changes/whole-rows.ts";
import { findRetries } from "../../tasks/find.ts";
import { findLastChange, type Written } from "../../tasks/log/last-change.ts";
import {
  findOperation,
  listOperations,
  type Operation,
  type OperationRange,
} from "../../tasks/log/operation.ts";
import { failureGroups } from "../../tasks/logs.ts";
import {
  maximumFailureGroups,
  maximumLastChanges,
  maximumMessages,
  maximumOperations,
  maximumRelated,
} from "../validation/query-limits.ts";

/**
 * Reads for the resolvers of one request. Concurrent reads share a query, so a list doesn't cost one query per node.
 */
export interface Loaders {
  item(id: string, scope: ItemScope): Promise<ItemView | undefined>;
  /** A page of the children of an item; undefined when it has none. */
  children(id: string, scope: ItemScope, request: PageRequest): Promise<Page<ItemView> | undefined>;
  childCount(id: string, scope: ItemScope): Promise<number | undefined>;
  versions(id: string, language: string): Promise<AvailableVersion[] | undefined>;
  languagesOf(itemId: string): Promise<ItemLanguage[] | undefined>;
  /** The name in the first of the languages that has one. */
  itemName(id: string, languages: readonly string[]): Promise<LocalizedName | undefined>;
  path(id: string, scope: ItemScope): Promise<string | null | undefined>;
  position(id: string): Promise<number | undefined>;
  shapeIdentifier(itemId: string): Promise<string | undefined>;
  shape(identifier: string): Promise<ShapeRow | undefined>;
  piece(identifier: string): Promise<PieceRow | undefined>;
  variant(sku: string): Promise<ProductVariantRow | undefined>;
  variantsOf(productId: string): Promise<ProductVariantRow[] | undefined>;
  aliases(itemId: string, language: string): Promise<string[] | undefined>;
  history(itemId: string, language: string): Promise<string[] | undefined>;
  shortcuts(itemId: string): Promise<ShortcutLocation[] | undefined>;
  topicsOf(itemId: string, language: string): Promise<TopicView[] | undefined>;
  topic(id: string, language: string): Promise<TopicView | undefined>;
  topicName(id: string, languages: readonly string[]): Promise<LocalizedName | undefined>;
  topicPath(id: string, language: string): Promise<string | null | undefined>;
  topicChildren(id: string, language: string): Promise<TopicView[] | undefined>;
  stage(identifier: string): Promise<FlowStageRow | undefined>;
  stagesOf(flowIdentifier: string): Promise<FlowStageRow[] | undefined>;
  customer(identifier: string): Promise<CustomerRow | undefined>;
  /** The number of child customers; undefined for none. */
  customerChildCount(identifier: string): Promise<number | undefined>;
  order(id: string): Promise<OrderRow | undefined>;
  image(key: string): Promise<ImageRow | undefined>;
  selectedVariants(priceListIdentifier: string): Promise<PriceListVariantRow[] | undefined>;
  /** The metered usage of a subscription contract; undefined for none. */
  usage(contractId: string, window: UsageWindow): Promise<MeteredUsage[] | undefined>;
  /** The retries that follow a task; undefined when it has none. */
  retries(taskId: string): Promise<BulkTask[] | undefined>;
  /** For the plan of a file: the access token with the role `planner` that created it, or null; else undefined. */
  plannerOf(taskId: string): Promise<string | null | undefined>;
  /** The rows that an operation of a task changed; undefined for none. */
  changes(taskId: string, index: number): Promise<OperationChanges | undefined>;
  /** The rows that an operation of a task wrote, with whole values; undefined for none. */
  wholeRows(taskId: string, index: number): Promise<WholeRows | undefined>;
  /** The groups of a task's failures; with `unrepaired`, only of those not repaired since. */
  failureGroups(taskId: string, unrepaired: boolean): Promise<FailureGroup[]>;
  operation(taskId: string, index: number): Promise<Operation | undefined>;
  operations(taskId: string, range: OperationRange): Promise<Operation[]>;
  /** The operation that changed an entity last; undefined if no task with before-images did. */
  lastChange(written: Written): Promise<LoggedOperation | undefined>;
  /** The message of a group's first failure; undefined once pruned. */
  failureMessage(group: FailureGroup): Promise<string | undefined>;
  /** The size of the tenant with this id. */
  tenantUsage(id: string): Promise<TenantUsage | undefined>;
  /** A page of the issues that validation found in a task's file. */
  issues(taskId: string, request: PageRequest): Promise<Page<Issue>>;
  /** The blocks and time left for log searches. */
  logSearch: SearchBudget;
}

/** The loaders of one request; they read only the tenant's data. */
export function makeLoaders(queries: Queries, tenantId: string): Loaders {
  const source = { queries, tenantId };
  const countRelated = counterTo(
    maximumRelated,
    "related items and variants; follow fewer relations, or ask for smaller pages",
  );
  const countGrouped = counterTo(maximumFailureGroups, "lists of failureGroups; ask for fewer tasks");
  const room = { characters: changeLimits.read };
  const variant = batched((skus) => variantsBySku(queries, tenantId, skus));
  let grouped: Promise<unknown> = Promise.resolve();
  // Serially: each reads all failures of a task, using as much of the database as it is allowed.
  const groupsOf = perKey((given: { taskId: string; unrepaired: boolean }) => {
    const group = () => failureGroups(queries, tenantId, given);
    const groups = grouped.then(group, group);
    grouped = groups;
    return groups;
  });
  const usageIn = perKey((window: UsageWindow) =>
    batched((ids) => usageOfContracts(queries, tenantId, window, ids)),
  );
  return {
    ...itemLoaders(source, countRelated),
    ...topicLoaders(source),
    stage: batched((identifiers) => stagesByIdentifier(queries, tenantId, identifiers)),
    stagesOf: batched((identifiers) => stagesOfFlows(queries, tenantId, identifiers)),
    shape: batched((identifiers) => shapesByIdentifier(queries, tenantId, identifiers)),
    piece: batched((identifiers) => piecesByIdentifier(queries, tenantId, identifiers)),
    variant: (sku) => {
      countRelated();
      return variant(sku);
    },
    variantsOf: batched((ids) => variantsOfProducts(queries, tenantId, ids)),
    order: batched((ids) => ordersById(queries, tenantId, ids)),
    image: batched((keys) => imagesByKey(queries, tenantId, keys)),
    customerChildCount: batched((identifiers) => childCountsOfCustomers(queries, tenantId, identifiers)),
    customer: batched((identifiers) => customersByIdentifier(queries, tenantId, identifiers)),
    selectedVariants: batched((identifiers) => selectedVariants(queries, tenantId, identifiers)),
    usage: (contractId, window) => usageIn(window)(contractId),
    retries: batched((ids) => findRetries(queries, tenantId, ids)),
    plannerOf: batched((ids) => filePlans(queries, tenantId, ids)),
    changes: changesLoader(source, room),
    wholeRows: (taskId, index) => readWholeRows(queries, { tenantId, taskId }, index, room),
    failureGroups: async (taskId, unrepaired) => {
      countGrouped();
      return groupsOf({ taskId, unrepaired });
    },
    ...operationLoaders(source),
    failureMessage: messageLoader(source),
    lastChange: lastChangeLoader(source, room),
    tenantUsage: batched(async () => new Map([[tenantId, await tenantUsage(queries, tenantId)]])),
    issues: issueLoader(source),
    logSearch: { ...searchLimits },
  };
}

/** Where loaders read: the database and a tenant. */
interface Source {
  queries: Queries;
  tenantId: string;
}

type LoadIn<Scope, Value> = (
  queries: Queries,
  tenantId: string,
  scope: Scope,
  ids: readonly string[],
) => Promise<Map<string, Value>>;

function itemLoaders({ queries, tenantId }: Source, countRelated: () => void) {
  const inScope = <Value>(load: LoadIn<ItemScope, Value>) => {
    const loaderIn = perKey((scope: ItemScope) => batched((ids) => load(queries, tenantId, scope, ids)));
    return (id: string, { language, version }: ItemScope) => loaderIn({ language, version })(id);
  };
  const item = inScope(async (_queries, _tenantId, scope, ids: readonly string[]) =>
    byId(await findItems(queries, tenantId, scope, { ids })),
  );
  const childCount = inScope(childCountsOfItems);
  const childrenIn = perKey(({ scope, request }: { scope: ItemScope; request: PageRequest }) => {
    const count = async (id: string) => (await childCount(id, scope)) ?? 0;
    return batched((ids) => childrenOfItems(queries, tenantId, scope, request, ids, count));
  });
  const inLanguage = loaderInLanguage({ queries, tenantId });
  return {
    item(id: string, scope: ItemScope) {
      countRelated();
      return item(id, scope);
    },
    children: (id: string, { language, version }: ItemScope, request: PageRequest) =>
      childrenIn({ scope: { language, version }, request })(id),
    childCount,
    versions: inLanguage(versionsOfItems),
    languagesOf: batched((ids) => languagesOfItems(queries, tenantId, ids)),
    itemName: inLanguages({ queries, tenantId }, namesOfItems),
    path: inScope(pathsOfItems),
    aliases: inLanguage(aliasesOfItems),
    history: inLanguage(historiesOfItems),
    shortcuts: batched((ids) => shortcutsOfItems(queries, tenantId, ids)),
    topicsOf: inLanguage(topicsOfItems),
    position: batched((ids) => positionsOfItems(queries, tenantId, ids)),
    shapeIdentifier: batched((ids) => shapeIdentifiersOfItems(queries, tenantId, ids)),
  };
}

function topicLoaders(source: Source) {
  const inLanguage = loaderInLanguage(source);
  return {
    topic: inLanguage(topicsById),
    topicName: inLanguages(source, namesOfTopics),
    topicPath: inLanguage(pathsOfTopics),
    topicChildren: inLanguage(childrenOfTopics),
  };
}

/** One loader per order of languages. */
function inLanguages<Value>({ queries, tenantId }: Source, load: LoadIn<readonly string[], Value>) {
  const loaderIn = perKey((languages: readonly string[]) =>
    batched((ids) => load(queries, tenantId, languages, ids)),
  );
  return (id: string, languages: readonly string[]) => loaderIn(languages)(id);
}

/** One loader per language. */
const loaderInLanguage =
  ({ queries, tenantId }: Source) =>
  <Value>(load: LoadIn<string, Value>) => {
    const loaderIn = perKey((language: string) => batched((ids) => load(queries, tenantId, language, ids)));
    return (id: string, language: string) => loaderIn(language)(id);
  };

function changesLoader({ queries, tenantId }: Source, room: ReadingRoom): Loaders["changes"] {
  const changesIn = perKey((taskId: string) =>
    batched(async (keys) => {
      const changes = await readChanges(queries, { tenantId, taskId }, keys.map(Number), room);
      return new Map([...changes].map(([index, found]) => [String(index), found]));
    }),
  );
  return (taskId, index) => changesIn(taskId)(String(index));
}

function operationLoaders({ queries, tenantId }: Source): Pick<Loaders, "operation" | "operations"> {
  const countOperations = counterTo(maximumOperations, "operations by number; ask for operationLogs");
  return {
    operation: async (taskId, index) => {
      countOperations();
      return findOperation(queries, { tenantId, taskId }, index);
    },
    operations: async (taskId, range) => {
      countOperations(range.count);
      return listOperations(queries, { tenantId, taskId }, range);
    },
  };
}

function lastChangeLoader({ queries, tenantId }: Source, room: ReadingRoom): Loaders["lastChange"] {
  const count = counterTo(maximumLastChanges, "last changes; ask for fewer entities");
  return async (written) => {
    count();
    return findLastChange(queries, tenantId, written, room);
  };
}

function messageLoader({ queries, tenantId }: Source): Loaders["failureMessage"] {
  const count = counterTo(maximumMessages, "messages of failureGroups; ask for fewer groups");
  const messagesIn = perKey((taskId: string) =>
    batched(async (keys) => {
      const entries = await readLogEntries(queries, { tenantId, taskId }, keys.map(Number));
      return new Map([...entries].map(([index, { message }]) => [String(index), message ?? undefined]));
    }),
  );
  return async ({ firstTask, firstIndex }) => {
    count();
    return messagesIn(firstTask)(String(firstIndex));
  };
}

function issueLoader({ queries, tenantId }: Source): Loaders["issues"] {
  const counted = batched((ids) => issueCountsOfTasks(queries, tenantId, ids));
  const count = async (id: string) => (await counted(id)) ?? 0;
  const pagesOf = perKey((request: PageRequest) =>
    batched((ids) => issuesOfTasks(queries, tenantId, request, ids, count)),
  );
  const none: Page<Issue> = { nodes: [], cursors: [], hasNextPage: false, totalCount: async () => 0 };
  return async (taskId, request) => (await pagesOf(request)(taskId)) ?? none;
}

/**
 * Counts, and rejects with `ValidationError` beyond the limit: relations can be circular, and a list's limit doesn't
 * count aliases. `what` names what is counted and what to query instead.
 */
function counterTo(limit: number, what: string): (more?: number) => void {
  let count = 0;
  return (more = 1) => {
    count += more;
    if (count > limit) reject("ValidationError", `The query reads more than ${limit} ${what}`);
  };
}

const byId = (items: ItemView[]) => new Map(items.map((item) => [item.id, item]));

/** One loader per key, made on first use. */
function perKey<Key, Loader>(make: (key: Key) => Loader): (key: Key) => Loader {
  const made = new Map<string, Loader>();
  return (key) => {
    const text = JSON.stringify(key);
    const loader = made.get(text) ?? make(key);
    made.set(text, loader);
    return loader;
  };
}
