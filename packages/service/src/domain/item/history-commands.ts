import { same } from "@lading/schema/internal";
import { reject } from "../../errors.ts";
import { itemFormerPaths } from "../../storage/collections/item-former-paths.ts";
import type { Command } from "../command.ts";
import { historyOf, writeHistory } from "../path/former-paths.ts";
import { changedList, checkPaths, type ListChange, maxHistory } from "../path/item-paths.ts";
import { named } from "../payload/named-row.ts";
import { requireLanguage } from "../settings/require.ts";
import { prefetchItem, requireChild } from "./find.ts";

type HistoryIntent = `item/paths/${ListChange}History`;

/** Makes the command that adds, sets or removes the former paths of an item in one language. */
export const historyCommand = (change: ListChange): Command<HistoryIntent> => ({
  keys({ itemId, resourceIdentifier, language }, prefetch) {
    prefetchItem({ itemId, resourceIdentifier }, prefetch, ({ id }, prefetch) =>
      prefetch(itemFormerPaths, "history", [id, language]),
    );
  },
  async execute(context, payload) {
    const { unit, tenant } = context;
    const { language } = payload;
    requireLanguage(tenant, language);
    if (change !== "remove") checkPaths(payload.paths);
    const item = await requireChild(unit, payload);
    const { id } = item;
    const stored = await historyOf(context, id, language);
    const current = stored.map(({ path }) => path);
    const paths = changedList(change, current, payload.paths);
    if (paths.length > maxHistory)
      reject(
        "ValidationError",
        `The item ${named(item)} would have ${paths.length} former paths in "${language}"; the limit is ${maxHistory}`,
        ["paths"],
      );
    if (same(paths, current)) return { action: "unchanged", output: { id } };
    await writeHistory(unit, { itemId: id, language }, stored, paths);
    return { action: "updated", output: { id } };
  },
});
