import { reject } from "../../../errors.ts";
import { changedList, checkPaths, type ListChange, maxHistory } from "../../../rules/item-paths.ts";
import { same } from "../../../rules/same.ts";
import { itemHistories } from "../../../storage/collections/item-histories.ts";
import { items } from "../../../storage/collections/items.ts";
import type { Command } from "../../command.ts";
import { requireLanguage } from "../../settings.ts";
import { requireChild, wantItem } from "../write/find.ts";

type HistoryIntent = `item/paths/${ListChange}History`;

/** The command that adds, sets or removes former paths of an item in one language; others keep theirs. */
export const historyCommand = (change: ListChange): Command<HistoryIntent> => ({
  keys({ itemId, resourceIdentifier, language }, want) {
    wantItem({ itemId, resourceIdentifier }, want, ({ id }, want) =>
      want(itemHistories, "key", [id, language]),
    );
  },
  async execute({ unit, tenant }, payload) {
    const { language } = payload;
    requireLanguage(tenant, language);
    if (change !== "remove") checkPaths(payload.paths);
    const { id } = await requireChild(unit, payload);
    const stored = await unit.getUnder({ collection: items, key: id }, itemHistories, id, language);
    const paths = changedList(change, stored?.paths ?? [], payload.paths);
    if (paths.length > maxHistory)
      reject(
        "ValidationError",
        `The item ${id} would have ${paths.length} former paths in "${language}"; the limit is ${maxHistory}`,
        ["paths"],
      );
    if (same(paths, stored?.paths ?? [])) return { action: "unchanged", output: { id } };
    if (stored === undefined) unit.insert(itemHistories, { itemId: id, language, paths });
    else if (paths.length > 0) unit.update(itemHistories, { ...stored, paths });
    else unit.remove(itemHistories, stored);
    return { action: "updated", output: { id } };
  },
});
