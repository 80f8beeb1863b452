import type { LinkProps } from "@tanstack/react-router";
import { success } from "../api/errors.ts";
import type { ResultOf } from "../api/graphql.ts";
import { personName } from "../pages/browse-model/links.tsx";
import { type PlainKind, plainKinds, type SearchKind } from "../pages/browse-model/words.ts";
import { titleOfKind, wordOfKind } from "../pages/kind/kind.ts";
import { TaskState } from "../pages/task-model/states.tsx";
import { listedName, type Task } from "../pages/task-model/task.ts";
import { shortId } from "../ui/values/id.tsx";
import { Time } from "../ui/values/time.tsx";
import type {
  exactDocument,
  FoundCustomer,
  FoundItem,
  FoundOrder,
  FoundPlain,
  FoundVariant,
  foundEntitiesDocument,
  foundTasksDocument,
} from "./documents.ts";
import type { Entry, Group } from "./entry.ts";

export const groupSize = 5;

/** Where something was found: the value that has the text, and its language. */
interface Match {
  value: string;
  language?: string | null;
}

const entriesOf = (tenant: string) => ({
  task: (task: Task): Entry => ({
    key: `task ${task.id}`,
    name: listedName(task),
    details: [
      <TaskState key="state" task={task} />,
      task.createdBy,
      <Time key="at" at={task.createdAt} />,
      <code key="id">{shortId(task.id)}</code>,
    ],
    link: { to: "/@{$tenant}/tasks/$task", params: { tenant, task: task.id } },
  }),
  item: ({ id, type, displayName, tree }: FoundItem, match?: Match): Entry => ({
    key: `item ${id}`,
    name: displayName?.name ?? shortId(id),
    language: displayName?.language,
    details: [type, ...unseen(match, displayName?.name, tree?.path), tree?.path],
    link: {
      to: "/@{$tenant}/browse/items/$item",
      params: { tenant, item: id },
      search: match?.language ? { language: match.language } : {},
    },
  }),
  variant: ({ sku, displayName }: FoundVariant): Entry => ({
    key: `variant ${sku}`,
    name: displayName?.name ?? sku,
    language: displayName?.language,
    details: [<code key="sku">{sku}</code>],
    link: { to: "/@{$tenant}/browse/variants/$sku", params: { tenant, sku } },
  }),
  customer: (customer: FoundCustomer): Entry => ({
    key: `customer ${customer.identifier}`,
    name: personName(customer) ?? customer.identifier,
    details: [customer.email, <code key="identifier">{customer.identifier}</code>],
    link: {
      to: "/@{$tenant}/browse/customers/$customer",
      params: { tenant, customer: customer.identifier },
    },
  }),
  order: ({ id, reference, createdAt, customer }: FoundOrder): Entry => ({
    key: `order ${id}`,
    name: reference,
    details: [personName(customer) ?? customer.identifier, <Time key="at" at={createdAt} />],
    link: { to: "/@{$tenant}/browse/orders/$order", params: { tenant, order: id } },
  }),
  plain(kind: PlainKind, { key, topic, language, ...hit }: FoundPlain): Entry {
    const name = topic?.displayName?.name ?? hit.name ?? (topic ? shortId(key) : key);
    return {
      key: `${kind} ${key}`,
      name,
      language: topic?.displayName?.language,
      details: [...unseen(hit, name, topic?.path, key), topic ? topic.path : <code key="key">{key}</code>],
      link: {
        to: "/@{$tenant}/browse/$kind",
        params: { tenant, kind: wordOfKind(kind) },
        search: language ? { key, language } : { key },
      },
    };
  },
});

/** The value found, unless one of the texts shows it. */
const unseen = (match: Match | undefined, ...shown: (string | null | undefined)[]) =>
  match === undefined || shown.includes(match.value) ? [] : [match.value];

/** Lists what has the text as its id, SKU, identifier or reference. */
export function exactGroups(tenant: string, found: ResultOf<typeof exactDocument>): Group[] {
  const entryOf = entriesOf(tenant);
  const { task, item, referencedItem, variant, customer, order, referencedOrder } = found;
  const entries = [
    isFound(task, "id") && entryOf.task(task),
    isFound(item, "id") && entryOf.item(item),
    isFound(referencedItem, "id") && entryOf.item(referencedItem),
    isFound(variant, "sku") && entryOf.variant(variant),
    isFound(customer, "identifier") && entryOf.customer(customer),
    isFound(order, "id") && entryOf.order(order),
    isFound(referencedOrder, "id") && entryOf.order(referencedOrder),
  ];
  return [{ title: "Exact match", items: once(entries.filter((entry) => entry !== false)) }];
}

/** True for the success of a result; an error has no such key. */
const isFound = <Result extends object, Key extends string>(
  result: Result | null,
  key: Key,
): result is Extract<Result, Record<Key, unknown>> => result !== null && key in result;

export function taskGroups(
  tenant: string,
  text: string,
  found: ResultOf<typeof foundTasksDocument>,
): Group[] {
  const tasks = success(found.tasks);
  const entries = tasks.edges.map(({ node }) => entriesOf(tenant).task(node));
  const all = { to: "/@{$tenant}/tasks", params: { tenant }, search: { text } } as const;
  return [groupOf("Tasks", entries, tasks.pageInfo.hasNextPage, text, all)];
}

export function entityGroups(
  tenant: string,
  text: string,
  { items, variants, customers, orders, plain }: ResultOf<typeof foundEntitiesDocument>,
): Group[] {
  const entryOf = entriesOf(tenant);
  const partOf = <Hit,>(
    title: string,
    kind: SearchKind,
    { edges, pageInfo }: { edges: { node: Hit }[]; pageInfo: { hasNextPage: boolean } },
    entryOfHit: (hit: Hit) => Entry | null,
  ): Group => {
    const entries = once(edges.flatMap(({ node }) => entryOfHit(node) ?? []));
    const all = { to: "/@{$tenant}/browse", params: { tenant }, search: { text, kind } } as const;
    return groupOf(title, entries, pageInfo.hasNextPage, text, all);
  };
  return [
    partOf("Items", "item", items, ({ item, ...match }) => item && entryOf.item(item, match)),
    partOf("Variants", "variant", variants, ({ variant }) => variant && entryOf.variant(variant)),
    partOf("Customers", "customer", customers, ({ customer }) => customer && entryOf.customer(customer)),
    partOf("Orders", "order", orders, ({ order }) => order && entryOf.order(order)),
    ...plainKinds.map((kind) => {
      // Hits come kind by kind: those before the last one's are complete.
      const edges = plain.edges.filter(({ node }) => node.kind === kind);
      const isComplete = edges.length > 0 && plain.edges.at(-1)?.node.kind !== kind;
      const hasNextPage = plain.pageInfo.hasNextPage && !isComplete;
      return partOf(titleOfKind(wordOfKind(kind)), kind, { edges, pageInfo: { hasNextPage } }, (hit) =>
        entryOf.plain(kind, hit),
      );
    }),
  ];
}

/** The first entries, and the way to the others, if there may be more. */
function groupOf(title: string, entries: Entry[], hasMore: boolean, text: string, link: LinkProps): Group {
  const all = { key: `all ${title}`, name: `All ${title.toLowerCase()} with “${text}”`, link, isMore: true };
  const isMore = hasMore || entries.length > groupSize;
  return { title, items: [...entries.slice(0, groupSize), ...(isMore ? [all] : [])] };
}

/** Each entry once, where it comes first. */
const once = (entries: readonly Entry[]) =>
  entries.filter(({ key }, at) => entries.findIndex((each) => each.key === key) === at);
