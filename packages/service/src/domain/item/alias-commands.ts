import { hasTemplate, type Payload } from "@lading/schema/internal";
import { type ItemAliasRow, itemAliases } from "../../storage/collections/item-aliases.ts";
import { items } from "../../storage/collections/items.ts";
import type { Prefetch } from "../../storage/unit-of-work/prefetch.ts";
import type { UnitOfWork } from "../../storage/unit-of-work/unit-of-work.ts";
import type { Command } from "../command.ts";
import { claimAliases } from "../path/aliases.ts";
import { changedList, checkPaths, type ListChange } from "../path/item-paths.ts";
import { prefetchItemAt } from "../path/tree-paths.ts";
import { requireLanguage } from "../settings/require.ts";
import { prefetchItem, requireChild } from "./find.ts";

type AliasIntent = `item/paths/${ListChange}Aliases`;

/** Makes the command that adds, sets or removes the aliases of an item in one language. */
export const aliasesCommand = (change: ListChange): Command<AliasIntent> => ({
  keys({ itemId, resourceIdentifier, language, paths }, prefetch, { rootItemId }) {
    prefetchItem({ itemId, resourceIdentifier }, prefetch, change === "set" ? followAliases : undefined);
    for (const path of paths) {
      prefetch(itemAliases, "key", [language, path]);
      if (change !== "remove" && !hasTemplate(path)) prefetchItemAt(rootItemId, language, path, prefetch);
    }
  },
  async execute(context, payload) {
    const { unit, tenant } = context;
    const { language, paths } = payload;
    requireLanguage(tenant, language);
    if (change !== "remove") checkPaths(paths);
    const { id } = await requireChild(unit, payload);
    const stored = change === "set" ? await aliasesOf(unit, id) : await aliasesNamed(unit, payload);
    const current = stored.filter((alias) => alias.itemId === id && alias.language === language);
    const before = new Set(current.map(({ path }) => path));
    const next = new Set(changedList(change, [...before], paths));
    const dropped = current.filter(({ path }) => !next.has(path));
    const added = next.difference(before);
    await claimAliases(context, { itemId: id, language }, added, paths);
    for (const alias of dropped) unit.remove(itemAliases, alias);
    for (const path of added) unit.insert(itemAliases, { language, path, itemId: id });
    const changed = dropped.length + added.size > 0;
    if (changed) await unit.touchOwner(items, id);
    return { action: changed ? "updated" : "unchanged", output: { id } };
  },
});

const aliasesOf = (unit: UnitOfWork, id: string) =>
  unit.findUnder({ collection: items, key: id }, itemAliases, "item", id);

/** Reads the aliases at the payload's paths, of any item; an item may have many more, which are kept. */
async function aliasesNamed(
  unit: UnitOfWork,
  { language, paths }: Payload<AliasIntent>,
): Promise<ItemAliasRow[]> {
  const found: ItemAliasRow[] = [];
  for (const path of new Set(paths)) {
    const alias = await unit.get(itemAliases, language, path);
    if (alias !== undefined) found.push(alias);
  }
  return found;
}

const followAliases = ({ id }: { id: string }, prefetch: Prefetch) => prefetch(itemAliases, "item", [id]);
