import { hasTemplate } from "@lading/schema";
import { aliasRow, claimAliases } from "../../../rules/aliases.ts";
import { changedList, checkPaths, type ListChange } from "../../../rules/item-paths.ts";
import { wantItemAt } from "../../../rules/tree-paths.ts";
import { itemAliases } from "../../../storage/collections/item-aliases.ts";
import { items } from "../../../storage/collections/items.ts";
import type { Want } from "../../../storage/unit-of-work.ts";
import type { Command } from "../../command.ts";
import { requireLanguage } from "../../settings.ts";
import { requireChild, wantItem } from "../write/find.ts";

type AliasIntent = `item/paths/${ListChange}Aliases`;

/** The command that adds, sets or removes the aliases of an item in one language; others keep theirs. */
export const aliasesCommand = (change: ListChange): Command<AliasIntent> => ({
  keys({ itemId, resourceIdentifier, language, paths }, want, { rootItemId }) {
    wantItem({ itemId, resourceIdentifier }, want, followAliases);
    if (change === "remove") return;
    for (const path of paths) {
      want(itemAliases, "key", [language, path]);
      if (!hasTemplate(path)) wantItemAt(rootItemId, language, path, want);
    }
  },
  async execute(context, payload) {
    const { unit, tenant } = context;
    const { language, paths } = payload;
    requireLanguage(tenant, language);
    if (change !== "remove") checkPaths(paths);
    const { id } = await requireChild(unit, payload);
    const owner = { collection: items, key: id };
    const all = await unit.findUnder(owner, itemAliases, "item", id);
    const stored = all.filter((alias) => alias.language === language);
    const known = stored.map(({ path }) => path);
    const next = changedList(change, known, paths);
    const dropped = stored.filter(({ path }) => !next.includes(path));
    const added = next.filter((path) => !known.includes(path));
    await claimAliases(context, { itemId: id, language }, added, paths);
    for (const alias of dropped) unit.remove(itemAliases, alias);
    for (const path of added) unit.insert(itemAliases, aliasRow(id, language, path));
    return { action: dropped.length + added.length > 0 ? "updated" : "unchanged", output: { id } };
  },
});

const followAliases = ({ id }: { id: string }, want: Want) => want(itemAliases, "item", [id]);
