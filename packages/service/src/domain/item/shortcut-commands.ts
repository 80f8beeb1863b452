import type { JsonPath, Payload } from "@lading/schema";
import { reject } from "../../errors.ts";
import { type ItemShortcutRow, itemShortcuts } from "../../storage/collections/item-shortcuts.ts";
import { type ItemRow, items } from "../../storage/collections/items.ts";
import type { Loaded } from "../../storage/unit-of-work/loaded.ts";
import type { Prefetch } from "../../storage/unit-of-work/prefetch.ts";
import type { UnitOfWork } from "../../storage/unit-of-work/unit-of-work.ts";
import type { Command, CommandContext, CommandResult } from "../command.ts";
import { refuseCycle, requireFolder, sortKeyAt } from "../tree.ts";
import { prefetchItem, requireChild } from "./find.ts";

type Shortcut = Payload<"item/paths/addShortcuts">["shortcuts"][number];

const followShortcuts = ({ id }: { id: string }, prefetch: Prefetch) => prefetch(itemShortcuts, "item", [id]);

/** Makes the command that adds shortcuts, or sets them and removes all others. */
export const shortcutsCommand = (
  change: "add" | "set",
): Command<"item/paths/addShortcuts" | "item/paths/setShortcuts"> => ({
  keys({ itemId, resourceIdentifier, shortcuts }, prefetch) {
    prefetchItem({ itemId, resourceIdentifier }, prefetch, followShortcuts);
    for (const { parentId } of shortcuts) prefetch(items, "key", [parentId]);
  },
  async execute(context, payload) {
    const { shortcuts } = payload;
    const item = await requireChild(context.unit, payload);
    refuseRepeated(shortcuts);
    const stored = await shortcutsOf(context.unit, item.id);
    const kept = new Set(shortcuts.map(({ parentId }) => parentId));
    const dropped = change === "set" ? stored.filter(({ parentId }) => !kept.has(parentId)) : [];
    for (const shortcut of dropped) context.unit.remove(itemShortcuts, shortcut);
    const put: boolean[] = [];
    for (const [i, shortcut] of shortcuts.entries())
      put.push(await putShortcut(context.unit, item, stored, shortcut, ["shortcuts", i]));
    return ending(context, item, dropped.length > 0 || put.includes(true));
  },
});

/**
 * The result of a change of shortcuts. Also writes the item's row, so that two writers cannot create a cycle together.
 */
function ending({ unit, now }: CommandContext, item: ItemRow, changed: boolean): CommandResult {
  if (changed) unit.update(items, { ...item, updatedAt: now });
  return { action: changed ? "updated" : "unchanged", output: { id: item.id } };
}

function refuseRepeated(shortcuts: readonly Shortcut[]): void {
  shortcuts.forEach(({ parentId }, i) => {
    const first = shortcuts.findIndex((other) => other.parentId === parentId);
    if (first === i) return;
    const message = `shortcuts[${first}] and shortcuts[${i}] have the same parent ${parentId}`;
    reject("ValidationError", message, ["shortcuts", i, "parentId"]);
  });
}

/**
 * Adds a shortcut to an item in a folder, at a position if the payload has one; returns true if that changed anything.
 * Does nothing in the item's own parent.
 */
async function putShortcut(
  unit: UnitOfWork,
  item: ItemRow,
  stored: readonly ItemShortcutRow[],
  { parentId, position }: Shortcut,
  path: JsonPath,
): Promise<boolean> {
  await requireFolder(unit, parentId, [...path, "parentId"]);
  if (item.parentId === parentId) return false;
  const before = stored.find((shortcut) => shortcut.parentId === parentId);
  if (before === undefined && item.type === "folder")
    await refuseCycle(unit, item.id, parentId, [...path, "parentId"]);
  const location = { id: item.id, parentId: before?.parentId ?? null, sortKey: before?.sortKey ?? "" };
  const sortKey = await sortKeyAt(unit, location, parentId, position, [...path, "position"]);
  if (before === undefined) unit.insert(itemShortcuts, { itemId: item.id, parentId, sortKey });
  else if (before.sortKey !== sortKey) unit.update(itemShortcuts, { ...before, sortKey });
  return before?.sortKey !== sortKey;
}

/** Removes shortcuts of an item; missing ones are fine. */
export const removeShortcuts: Command<"item/paths/removeShortcuts"> = {
  keys: ({ itemId, resourceIdentifier }, prefetch) =>
    prefetchItem({ itemId, resourceIdentifier }, prefetch, followShortcuts),
  async execute(context, payload) {
    const item = await requireChild(context.unit, payload);
    const stored = await shortcutsOf(context.unit, item.id);
    const dropped = stored.filter(({ parentId }) => payload.parentIds.includes(parentId));
    for (const shortcut of dropped) context.unit.remove(itemShortcuts, shortcut);
    return ending(context, item, dropped.length > 0);
  },
};

const shortcutsOf = (unit: UnitOfWork, itemId: string): Loaded<ItemShortcutRow[]> =>
  unit.findUnder({ collection: items, key: itemId }, itemShortcuts, "item", itemId);

/** Removes the shortcut of an item in a folder, if any, because the item itself moves there. */
export async function dropShortcut(unit: UnitOfWork, itemId: string, parentId: string): Promise<void> {
  const shortcut = await unit.getUnder({ collection: items, key: itemId }, itemShortcuts, itemId, parentId);
  if (shortcut !== undefined) unit.remove(itemShortcuts, shortcut);
}
