import { type ItemShortcutRow, itemShortcuts } from "../../storage/collections/item-shortcuts.ts";
import { items } from "../../storage/collections/items.ts";
import type { Loaded } from "../../storage/unit-of-work/loaded.ts";
import type { UnitOfWork } from "../../storage/unit-of-work/unit-of-work.ts";

export const shortcutsOf = (unit: UnitOfWork, itemId: string): Loaded<ItemShortcutRow[]> =>
  unit.findUnder({ collection: items, key: itemId }, itemShortcuts, "item", itemId);

/** Removes the shortcut of an item in a folder, if any, because the item itself moves there. */
export async function dropShortcut(unit: UnitOfWork, itemId: string, parentId: string): Promise<void> {
  const shortcut = await unit.getUnder({ collection: items, key: itemId }, itemShortcuts, itemId, parentId);
  if (shortcut !== undefined) unit.remove(itemShortcuts, shortcut);
}
