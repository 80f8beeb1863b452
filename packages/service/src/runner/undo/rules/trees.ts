import { refuseAliasPaths } from "../../../domain/item/location.ts";
import { objectionToAlias } from "../../../domain/path/aliases.ts";
import { refuseTopicCycle } from "../../../domain/topic/topics.ts";
import { refuseCycle } from "../../../domain/tree.ts";
import { reject } from "../../../errors.ts";
import { itemAliases } from "../../../storage/collections/item-aliases.ts";
import { itemContents } from "../../../storage/collections/item-contents.ts";
import { itemShortcuts } from "../../../storage/collections/item-shortcuts.ts";
import { items } from "../../../storage/collections/items.ts";
import { topics } from "../../../storage/collections/topics.ts";
import { onChange, onReturn, type Rule, type RuleContext, rulesOf, type TableRules } from "./rule.ts";

/** Rules for trees and paths: no folder or topic inside itself, and no path that is another item's alias. */
export const treeRules: readonly TableRules[] = [
  rulesOf(
    items,
    // A folder that exists again has no children and no shortcuts.
    onMove(async ({ unit }, { id, type, parentId }) => {
      if (parentId === null) return;
      if ((await unit.get(itemShortcuts, id, parentId)) !== undefined)
        reject("ConflictError", `The item has a shortcut under ${parentId} now`);
      if (type === "folder") await refuseCycle(unit, id, parentId);
    }),
  ),
  rulesOf(
    itemShortcuts,
    onReturn(async ({ unit }, { itemId, parentId }) => {
      const item = await unit.get(items, itemId);
      if (item?.parentId === parentId)
        reject("ConflictError", `The item ${itemId} itself is under ${parentId} now`);
      if (item?.type === "folder") await refuseCycle(unit, itemId, parentId);
    }),
  ),
  rulesOf(
    topics,
    onMove(async ({ unit }, { id, parentId }) => {
      if (parentId !== null) await refuseTopicCycle(unit, id, parentId);
    }),
  ),
  rulesOf(
    itemContents,
    onChange(["parentId", "segment", "isPublished"], (context, content) =>
      refuseAliasPaths(context, content),
    ),
  ),
  rulesOf(
    itemAliases,
    onReturn(async (context, alias) => {
      const objection = await objectionToAlias(context, alias);
      if (objection !== undefined) reject("PathTakenError", objection);
    }),
  ),
];

/** Makes a rule for rows whose parent changes. */
function onMove<Of extends { parentId: string | null }>(
  rule: (context: RuleContext, restored: Of) => Promise<void>,
): Rule<Of> {
  return onChange<Of>(["parentId"], (context, restored, current) =>
    current === undefined ? undefined : rule(context, restored),
  );
}
