import { codeOf, type ErrorDetail, rejectAll } from "../../../errors.ts";
import { changedList, checkPaths, type ListChange } from "../../../rules/item-paths.ts";
import { itemAliases } from "../../../storage/collections/item-aliases.ts";
import { items } from "../../../storage/collections/items.ts";
import type { UnitOfWork, Want } from "../../../storage/unit-of-work.ts";
import type { Command } from "../../command.ts";
import { requireLanguage } from "../../settings.ts";
import { requireChild, wantItem } from "../write/find.ts";

type AliasIntent = `item/paths/${ListChange}Aliases`;

/** The command that adds, sets or removes the aliases of an item in one language; others keep theirs. */
export const aliasesCommand = (change: ListChange): Command<AliasIntent> => ({
  keys({ itemId, resourceIdentifier, language, paths }, want) {
    wantItem({ itemId, resourceIdentifier }, want, followAliases);
    if (change !== "remove") for (const path of paths) want(itemAliases, "key", [language, path]);
  },
  async execute({ unit, tenant }, payload) {
    const { language, paths } = payload;
    requireLanguage(tenant, language);
    if (change !== "remove") checkPaths(paths);
    const { id } = await requireChild(unit, payload);
    const owner = { collection: items, key: id };
    const all = await unit.findUnder(owner, itemAliases, "item", id);
    const stored = all.filter((alias) => alias.language === language);
    const known = stored.map(({ path }) => path);
    const next = changedList(change, known, paths);
    await claimPaths(unit, id, language, change === "remove" ? [] : paths);
    const dropped = stored.filter(({ path }) => !next.includes(path));
    const added = next.filter((path) => !known.includes(path));
    for (const alias of dropped) unit.remove(itemAliases, alias);
    for (const path of added) unit.insert(itemAliases, { language, path, itemId: id });
    return { action: dropped.length + added.length > 0 ? "updated" : "unchanged", output: { id } };
  },
});

const followAliases = ({ id }: { id: string }, want: Want) => want(itemAliases, "item", [id]);

/** Ends the operation when other items have some of the paths as aliases (`PathTakenError`). */
async function claimPaths(
  unit: UnitOfWork,
  itemId: string,
  language: string,
  paths: readonly string[],
): Promise<void> {
  const taken: ErrorDetail[] = [];
  for (const [i, path] of paths.entries()) {
    const holder = await unit.get(itemAliases, language, path);
    if (holder === undefined || holder.itemId === itemId) continue;
    const message = `The item ${holder.itemId} has the alias "${path}" in "${language}"`;
    taken.push({ code: codeOf("PathTakenError"), message, path: ["paths", i] });
  }
  if (taken.length > 0) rejectAll("PathTakenError", taken);
}
