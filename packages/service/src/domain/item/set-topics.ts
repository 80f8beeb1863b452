import { codeOf, type Problem, rejectAll } from "../../errors.ts";
import { type ItemTopicRow, itemTopics } from "../../storage/collections/item-topics.ts";
import { items } from "../../storage/collections/items.ts";
import { topics } from "../../storage/collections/topics.ts";
import type { Prefetch } from "../../storage/unit-of-work/prefetch.ts";
import type { UnitOfWork } from "../../storage/unit-of-work/unit-of-work.ts";
import type { CommandContext } from "../command.ts";

export function prefetchTopics(topicIds: readonly string[], prefetch: Prefetch): void {
  for (const id of topicIds) prefetch(topics, "key", [id]);
}

/**
 * Sets an item's topics in this order, without duplicates; null clears, undefined keeps the stored ones. Returns true
 * if that changed anything. Rejects unknown topics with `TopicNotFoundError`.
 */
export async function setTopics(
  { unit, now }: Pick<CommandContext, "unit" | "now">,
  itemId: string,
  topicIds: readonly string[] | null | undefined,
): Promise<boolean> {
  if (topicIds === undefined) return false;
  const wanted = [...new Set(topicIds ?? [])];
  await requireTopics(unit, topicIds ?? []);
  const owner = { collection: items, key: itemId };
  const rows = await unit.findUnder(owner, itemTopics, "item", itemId);
  const stored = rows.toSorted((a, b) => a.position - b.position);
  // A topic that was deleted left a gap between the positions.
  if (stored.length === wanted.length && stored.every(({ topicId }, i) => topicId === wanted[i]))
    return false;
  const before = new Map(stored.map((row) => [row.topicId, row]));
  const changed = wanted.map((topicId, position) =>
    put(unit, before.get(topicId), { itemId, topicId, position }),
  );
  const dropped = stored.filter(({ topicId }) => !wanted.includes(topicId));
  for (const row of dropped) unit.remove(itemTopics, row);
  if (dropped.length === 0 && !changed.includes(true)) return false;
  await unit.changeOwner(items, now, itemId);
  return true;
}

function put(unit: UnitOfWork, before: ItemTopicRow | undefined, row: ItemTopicRow): boolean {
  if (before?.position === row.position) return false;
  if (before === undefined) unit.insert(itemTopics, row);
  else unit.update(itemTopics, row);
  return true;
}

async function requireTopics(unit: UnitOfWork, topicIds: readonly string[]): Promise<void> {
  const missing: Problem[] = [];
  for (const [i, id] of topicIds.entries()) {
    if ((await unit.get(topics, id)) !== undefined) continue;
    const message = `No topic has the id ${id}`;
    missing.push({ code: codeOf("TopicNotFoundError"), message, path: ["topicIds", i] });
  }
  if (missing.length > 0) rejectAll("TopicNotFoundError", missing);
}
