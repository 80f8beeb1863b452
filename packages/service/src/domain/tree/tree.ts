import { reject } from "../../errors.ts";
import { type ItemRow, items } from "../../storage/collections/items.ts";
import { leadsUpTo } from "../../storage/queries/lineage.ts";
import type { UnitOfWork } from "../../storage/unit-of-work/unit-of-work.ts";

/**
 * Reads the folder that an item is put under; rejects with `ItemNotFoundError`, or `ValidationError` if it is not a
 * folder.
 */
export async function requireFolder(
  unit: UnitOfWork,
  id: string,
  path: (string | number)[] = ["tree", "parentId"],
): Promise<ItemRow> {
  const parent = await unit.get(items, id);
  if (parent === undefined) reject("ItemNotFoundError", `The parent ${id} does not exist`, path);
  if (parent.type !== "folder")
    reject("ValidationError", `The parent ${id} is a ${parent.type}; only folders have children`, path);
  return parent;
}

/**
 * Rejects with `ConflictError` putting a folder under itself or one of its descendants, shortcuts included; `path`
 * leads to the parent in the payload.
 */
export async function refuseCycle(
  unit: UnitOfWork,
  id: string,
  parentId: string,
  path: (string | number)[] = ["tree", "parentId"],
): Promise<void> {
  if (!(await leadsUpTo(unit, "items", parentId, id))) return;
  const what = id === parentId ? "itself" : `${parentId}, which is below it`;
  reject("ConflictError", `The folder ${id} cannot be put under ${what}`, path);
}
