import type { JsonPath } from "@lading/schema";
import { codeOf, type Problem, reject, rejectAll } from "../../errors.ts";
import { type ItemAliasRow, itemAliases } from "../../storage/collections/item-aliases.ts";
import { pathsLeadingBelow } from "../../storage/queries/tree.ts";
import { itemAt, mayHaveAliases, type PathContext, pathsUnder, type SegmentOwner } from "./tree-paths.ts";

/**
 * Rejects new aliases of an item that are already paths or aliases (`PathTakenError`). `paths` has the payload's list,
 * which their error paths point into.
 */
export async function claimAliases(
  context: PathContext,
  { itemId, language }: Pick<SegmentOwner, "itemId" | "language">,
  added: ReadonlySet<string>,
  paths: readonly string[],
): Promise<void> {
  // No key constraint stops another item from getting the path of an alias being added.
  if (added.size > 0) context.unit.requireLock("exclusive");
  const taken: Problem[] = [];
  const unchecked = new Set(added);
  for (const [i, path] of paths.entries()) {
    if (!unchecked.delete(path)) continue;
    const message = await objectionToAlias(context, { itemId, language, path });
    if (message === undefined) continue;
    taken.push({ code: codeOf("PathTakenError"), message, path: ["paths", i] });
  }
  if (taken.length > 0) rejectAll("PathTakenError", taken);
}

/** Why an item cannot have an alias: it is a path, or another item's alias; undefined when it can. */
export async function objectionToAlias(
  context: PathContext,
  { itemId, language, path }: ItemAliasRow,
): Promise<string | undefined> {
  const alias = await context.unit.get(itemAliases, language, path);
  if (alias !== undefined && alias.itemId !== itemId)
    return `The item ${alias.itemId} has the alias "${path}" in "${language}"`;
  const holder = await itemAt(context, language, path);
  if (holder === itemId) return `"${path}" is the path of the item ${itemId} itself in "${language}"`;
  return holder && `"${path}" is the path of the item ${holder} in "${language}"`;
}

/**
 * Rejects a moved or renamed folder when a descendant gets the path of another item's alias (`PathTakenError`).
 * `segments` has the folder's new segments under its parent, of its draft or published version; `at` is the field that
 * changed them.
 */
export async function refuseAliasesBelow(
  context: PathContext,
  { itemId, parentId, language }: SegmentOwner,
  segments: readonly string[],
  at: JsonPath,
): Promise<void> {
  if (!mayHaveAliases(context, language)) return;
  // No key constraint stops an item from being put into the folder meanwhile.
  context.unit.requireLock("exclusive");
  for (const path of await pathsUnder(context, parentId, language, segments)) {
    const leading = await pathsLeadingBelow(context.unit, "item_aliases", {
      ...{ folderId: itemId, language, path },
    });
    const alias = leading.find(({ itemId, leadsTo }) => itemId !== leadsTo);
    if (alias === undefined) continue;
    const message =
      `The item ${alias.leadsTo} below would get the path "${alias.path}", ` +
      `which is an alias of the item ${alias.itemId} in "${language}"; remove that alias first`;
    reject("PathTakenError", message, at);
  }
}
