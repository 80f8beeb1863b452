import { Readable } from "node:stream";
import { expect } from "vitest";
import { readDump } from "../../packages/cli/src/operation-file/diff/reading/read-dump.ts";
import { withoutReport } from "../../packages/cli/src/service/dump-lines.ts";
import { compare } from "../../packages/transform/src/diff/compare.ts";
import { comparable } from "../../packages/transform/src/diff/fields.ts";
import type { TenantClient } from "../support/client.ts";
import { dumpOf, run } from "./dumping.ts";

export interface Difference {
  operations: { intent: string; [field: string]: unknown }[];
  counts: string[];
  remainders: string[];
}

export interface MadeAlike extends Difference {
  /** The second difference: without operations, only remaining ones. */
  rest: Difference;
  /** True if the dumps were equal afterwards; false where they could not be, because something differs for good. */
  isEqual: boolean;
}

async function read(text: string) {
  const end = { operations: 0, omissions: [] };
  return readDump(withoutReport(Readable.from([Buffer.from(text)]), end), end);
}

export async function differenceOf(
  from: string,
  to: string,
  deletes = true,
  without?: string,
): Promise<Difference> {
  const [before, after] = [await read(from), await read(to)];
  const { operations, changes } = compare(before, after, { deletes, isCompared: (kind) => kind !== without });
  const found = [...operations];
  before.spool.close();
  after.spool.close();
  return {
    operations: found,
    counts: changes.counts.map(({ noun, change, count }) => `${noun} ${change} ${count}`),
    remainders: changes.remainders.map(({ what, names }) => `${what}: ${names.join(", ")}`),
  };
}

/**
 * Makes one tenant like another one, and compares them again: nothing is left. Unless something differs for good, or is
 * kept, the dumps are equal, too, apart from ids. Returns what differed.
 */
export async function madeAlike(from: TenantClient, to: TenantClient, deletes = true): Promise<MadeAlike> {
  const target = await dumpOf(to);
  const difference = await differenceOf(await dumpOf(from), target, deletes);
  await run(from, { version: "1.0.0", operations: difference.operations });
  const made = await dumpOf(from);
  const rest = await differenceOf(made, target, deletes);
  expect(rest.operations, JSON.stringify(difference.operations)).toEqual([]);
  const isEqual = deletes && rest.remainders.every((what) => what.startsWith("settings"));
  if (isEqual) expect(contentOf(made)).toEqual(contentOf(target));
  return { ...difference, rest, isEqual };
}

/** The rows that the operations of a dump make, without settings, some of which cannot be deleted. */
export function contentOf(dump: string): string[] {
  const sorted = (name: string, value: { componentId: string }[]) => {
    // An order may have fields of its customer that are empty.
    if (name === "customer")
      return Object.fromEntries(
        Object.entries(value).filter(
          ([, field]) => field !== null && !(Array.isArray(field) && field.length === 0),
        ),
      );
    return name === "components"
      ? value.toSorted((a, b) => ((a.componentId ?? "") < (b.componentId ?? "") ? -1 : 1))
      : value;
  };
  const { operations } = JSON.parse(dump, sorted);
  const settings = /^(?:language|vatType|priceVariant|stockLocation|market|subscriptionPlan|orderPipeline)\//;
  const vatTypes = new Map<string, string>();
  for (const { intent, id, name } of operations) if (intent === "vatType/upsert") vatTypes.set(id, name);
  const lines = madeBy(operations.filter(({ intent }: { intent: string }) => !settings.test(intent))).map(
    (made) =>
      comparable(JSON.stringify(made))
        .replaceAll(/"(?:periodId|id)":"[0-9a-f]{22}4[67]",?/g, "")
        .replaceAll(/(?<="vatTypeId":)"([0-9a-f]{24})"/g, (_, id) => JSON.stringify(vatTypes.get(id))),
  );
  return withoutIds(lines);
}

type Written = Record<string, unknown> & { intent: string; language: string; itemId: string };

interface MadeItem {
  readonly first: Written;
  readonly drafts: Record<string, object>;
  readonly published: Record<string, object>;
}

/**
 * Replaces the operations of each item by the versions that they leave: a SKU that comes back to a product is in more
 * operations than one that never left. A contract or order that is known by its resource identifier may have any id.
 */
function madeBy(operations: readonly Written[]): object[] {
  const items = new Map<string, MadeItem>();
  const made: object[] = [];
  for (const operation of operations) {
    const { intent, itemId, language, _ref, ...fields } = operation;
    const { id: _, ...unnamed } = operation;
    if (/^(?:subscription-contract|order)\//.test(intent) && fields.resourceIdentifier) made.push(unnamed);
    else if (intent === "item/publish") {
      const { drafts, published } = items.get(/\w{24}(?=\.id|$)/.exec(itemId)![0])!;
      published[language] = { ...drafts[language] };
    } else if (/^(?:folder|document|product)\//.test(intent)) {
      if (!items.has(itemId)) {
        items.set(itemId, { first: { intent, itemId, language }, drafts: {}, published: {} });
        made.push(items.get(itemId)!);
      }
      const { drafts } = items.get(itemId)!;
      drafts[language] = { ...drafts[language], ...fields };
    } else made.push(operation);
  }
  return made;
}

/**
 * Replaces ids of items by their positions and ids of topics by their paths, which identify them, but not in paths. An
 * item and a topic may have the same id. What is in the order of ids is sorted; the order of items says where they are.
 */
function withoutIds(lines: readonly string[]): string[] {
  const isOfItems = (line: string) => /"intent":"(?:folder|document|product)\//.test(line);
  const items = lines.filter(isOfItems);
  const ids = items.flatMap((line) => /"itemId":"([0-9a-f]{24})"/.exec(line)?.[1] ?? []);
  const names = new Map([...new Set(ids)].map((id, number) => [id, `item-${number}`]));
  const topics = new Map<string, string>();
  for (const { intent, topicId, parentId, pathIdentifier } of lines.map((line) => JSON.parse(line)))
    if (intent === "topic/upsert" && !topics.has(topicId))
      topics.set(topicId, `${topics.get(parentId) ?? "topic"}/${pathIdentifier}`);
  const named = (line: string) => {
    const [first, second] = line.includes('"intent":"topic/') ? [topics, names] : [names, topics];
    return line.replaceAll(
      /(?<!"(?:sku|pathIdentifier)":"|\/)[0-9a-f]{24}/g,
      (id) => first.get(id) ?? second.get(id) ?? id,
    );
  };
  const others = lines.filter((line) => !isOfItems(line));
  return [...items.map(named), ...others.map(named).sort()];
}
