import { type idOfKeys, misuseOf, quoted } from "@lading/schema/internal";
import { findByReference } from "../domain/item/find.ts";
import { type NamedEntry, namedEntries } from "../domain/settings/natural-keys.ts";
import { topicAt } from "../domain/topic/topics.ts";
import { reject } from "../errors.ts";
import { items } from "../storage/collections/items.ts";
import { type OrderRow, orders } from "../storage/collections/orders.ts";
import { productVariants } from "../storage/collections/product-variants.ts";
import type { ShapeType } from "../storage/collections/shapes.ts";
import {
  type SubscriptionContractRow,
  subscriptionContracts,
} from "../storage/collections/subscription-contracts.ts";
import { topicContents } from "../storage/collections/topic-contents.ts";
import { type TopicRow, topics } from "../storage/collections/topics.ts";
import { derivedId } from "../storage/ids.ts";
import type { Tenant } from "../storage/tenants/tenant.ts";
import type { Collection } from "../storage/unit-of-work/collection.ts";
import { type Loaded, withLoaded } from "../storage/unit-of-work/loaded.ts";
import type { Prefetch } from "../storage/unit-of-work/prefetch.ts";
import type { UnitOfWork } from "../storage/unit-of-work/unit-of-work.ts";
import { defaultLanguage } from "./fetcher.ts";

type Found = Loaded<string | undefined>;

interface IdContext {
  readonly unit: RowReader;
  readonly tenant: Tenant;
}

interface IdFinder {
  find(context: IdContext, key: string, within: string | undefined): Found;
  isTaken(context: IdContext, id: string): Loaded<boolean>;
  /** Declares the rows that `find` and `isTaken` read; `id` is the one a new thing would get. */
  prefetch?(prefetch: Prefetch, key: string, id: string, within: string | undefined): void;
  /** Returns the default for `within`; absent if the call must, or need not, give it. */
  usual?(tenant: Tenant): string;
}

interface Named {
  readonly id: string;
  readonly resourceIdentifier: string | null;
}

/** Finds rows by their resource identifier, which is unique. */
function byResourceIdentifier<Row extends Named>(
  collection: Collection<Row, "resourceIdentifier">,
): IdFinder {
  return {
    find: ({ unit }, key) => withLoaded(unit.find(collection, "resourceIdentifier", key), ([row]) => row?.id),
    isTaken: ({ unit }, id) => withLoaded(unit.get(collection, id), (row) => row !== undefined),
    prefetch(prefetch, key, id) {
      prefetch(collection, "resourceIdentifier", [key]);
      prefetch(collection, "key", [id]);
    },
  };
}

const itemByIdentifier = byResourceIdentifier(items);

const byReference = (kind: ShapeType): IdFinder => ({
  ...itemByIdentifier,
  find: ({ unit }, key) =>
    withLoaded(findByReference(unit, kind, key), (item) => {
      // No key constraint stops another writer that finds no item either.
      if (item === undefined) unit.requireLock("references");
      return item?.id;
    }),
  prefetch(prefetch, key, id) {
    prefetch(items, "externalReference", [key]);
    prefetch(items, "key", [id]);
  },
});

const bySku: IdFinder = {
  ...itemByIdentifier,
  find: ({ unit }, key) => withLoaded(unit.find(productVariants, "sku", key), ([row]) => row?.productId),
  prefetch(prefetch, key, id) {
    prefetch(productVariants, "sku", [key]);
    prefetch(items, "key", [id]);
  },
};

const topicByIdentifier = byResourceIdentifier<TopicRow>(topics);

/** `/tea/green` → `tea`, `green` */
const segmentsOf = (path: string): string[] => path.split("/").slice(1);

const byPath: IdFinder = {
  ...topicByIdentifier,
  usual: defaultLanguage,
  find({ unit }, key, language = "") {
    const segments = segmentsOf(key);
    const below = (parentId: string, from: number): Found => {
      let found: string | undefined = parentId;
      for (let at = from; at < segments.length && found !== undefined; at++) {
        const next: Found = topicAt(unit, { parentId: found, language }, segments[at]!);
        if (next instanceof Promise) return next.then((id) => id && below(id, at + 1));
        found = next;
      }
      return found || undefined;
    };
    return below("", 0);
  },
  prefetch(prefetch, key, id, language = "") {
    prefetch(topics, "key", [id]);
    const below = (parentId: string, [segment, ...rest]: string[], prefetch: Prefetch): void => {
      if (segment === undefined) return;
      prefetch(topicContents, "path", [parentId, language, segment], ({ topicId }, prefetch) =>
        below(topicId, rest, prefetch),
      );
    };
    below("", segmentsOf(key), prefetch);
  },
};

/** Finds entries of settings, which are read with the tenant. */
const inSettings = (kind: keyof typeof namedEntries): IdFinder => {
  const entriesOf: (settings: Tenant["settings"]) => readonly NamedEntry[] = namedEntries[kind];
  return {
    find: ({ tenant }, key, within) =>
      entriesOf(tenant.settings).find((entry) => entry.key === key && entry.within === within)?.id,
    isTaken: ({ tenant }, id) => entriesOf(tenant.settings).some((entry) => entry.id === id),
  };
};

type Keys = typeof idOfKeys;
type Finders = { readonly [Kind in keyof Keys]: Readonly<Record<Keys[Kind][number], IdFinder>> };

/** A finder for every kind and key of the schema package. The type requires all of them. */
const finders: Finders = {
  folder: { resourceIdentifier: itemByIdentifier, externalReference: byReference("folder") },
  document: { resourceIdentifier: itemByIdentifier, externalReference: byReference("document") },
  product: {
    resourceIdentifier: itemByIdentifier,
    externalReference: byReference("product"),
    sku: bySku,
  },
  topic: { resourceIdentifier: topicByIdentifier, path: byPath },
  order: { resourceIdentifier: byResourceIdentifier<OrderRow>(orders) },
  contract: { resourceIdentifier: byResourceIdentifier<SubscriptionContractRow>(subscriptionContracts) },
  vatType: { name: inSettings("vatType") },
  orderPipeline: { name: inSettings("orderPipeline") },
  pipelineStage: { name: inSettings("pipelineStage") },
  planPeriod: { name: inSettings("planPeriod") },
  meteredVariable: { identifier: inSettings("meteredVariable") },
};

/** Limit of derived ids that are still held by things which have since lost the key. */
const mostTaken = 100;

/**
 * `idOf` in templates: the id of the thing of a kind that has a key, or the id a new thing with the key would get. So
 * an upsert finds things by keys of any kind, and references may precede what they refer to. Rejects a wrong call with
 * `TemplateError`, and several items of one external reference.
 */
export function idOf(
  context: IdContext,
  args: readonly unknown[],
  hash: Readonly<Record<string, unknown>>,
): Loaded<string> {
  const misuse = misuseOf({ name: "idOf", arguments: args, named: hash });
  if (misuse !== undefined) reject("TemplateError", `"idOf" ${misuse}.`);
  const call = callOf(args, context.tenant);
  if (call === undefined) reject("TemplateError", `"idOf" takes texts that are not empty.`);
  const { finder, key, within } = call;
  return withLoaded(finder.find(context, key, within), (found) => found ?? freeIdOf(context, call, 0));
}

function freeIdOf(context: IdContext, call: Call, number: number): Loaded<string> {
  const { kind, key, finder } = call;
  if (number === mostTaken)
    return reject("ConflictError", `idOf: ${mostTaken} others were made for the ${kind} ${quoted(key)}`);
  const id = newIdOf(call, number);
  return withLoaded(finder.isTaken(context, id), (isTaken) =>
    isTaken ? freeIdOf(context, call, number + 1) : id,
  );
}

/** Declares the rows that a call with literal arguments will read; nothing for any other call. */
export function prefetchIdOf(args: readonly unknown[], tenant: Tenant, prefetch: Prefetch): void {
  const call = callOf(args, tenant);
  call?.finder.prefetch?.(prefetch, call.key, newIdOf(call, 0), call.within);
}

interface Call {
  readonly kind: string;
  readonly by: string;
  readonly finder: IdFinder;
  readonly key: string;
  readonly within: string | undefined;
}

/** The call with its finder; undefined if an argument is not a text, or there is no such finder. */
function callOf([kind, by, key, within]: readonly unknown[], tenant: Tenant): Call | undefined {
  const byKind: Readonly<Record<string, Readonly<Record<string, IdFinder>>>> = finders;
  if (typeof kind !== "string" || !Object.hasOwn(byKind, kind)) return undefined;
  if (typeof by !== "string" || !Object.hasOwn(byKind[kind]!, by)) return undefined;
  if (typeof key !== "string" || key === "") return undefined;
  const finder = byKind[kind]![by]!;
  return { kind, by, finder, key, within: typeof within === "string" ? within : finder.usual?.(tenant) };
}

const newIdOf = ({ kind, by, key, within }: Call, number: number): string =>
  derivedId(
    kind,
    by,
    key,
    ...(within === undefined ? [] : [within]),
    ...(number === 0 ? [] : [String(number)]),
  );

export type RowReader = Pick<UnitOfWork, "get" | "find" | "findUnder" | "requireLock">;

/** Reads rows in memory, as if there were no others; requires no lock. */
export const rowsInMemory = (unit: UnitOfWork): RowReader => ({
  get: (collection, ...key) => unit.getWritten(collection, ...key),
  find: (collection, index, ...values) => unit.findWritten(collection, index, ...values),
  findUnder: (_, collection, index, ...values) => unit.findWritten(collection, index, ...values),
  requireLock: () => {},
});
