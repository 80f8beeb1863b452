import type { Command } from "../../../domain/command.ts";
import { prefetchItem, requireChild } from "../../../domain/item/find.ts";
import { ending, followShortcuts } from "../../../domain/item/shortcut-commands.ts";
import { shortcutsOf } from "../../../domain/path/shortcuts.ts";
import { itemShortcuts } from "../../../storage/collections/item-shortcuts.ts";

/** Removes further parents of an item; those that it does not have are as they should be. */
export const command: Command<"item/paths/removeShortcuts"> = {
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
