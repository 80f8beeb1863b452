import { itemAliases } from "../../../storage/collections/item-aliases.ts";
import { itemFormerPaths } from "../../../storage/collections/item-former-paths.ts";
import { rowsWith } from "../../../storage/pages/keyset.ts";
import { type FolderShortcut, foldersWithShortcuts, shortcutsIn } from "../../../storage/pages/shortcuts.ts";
import { maxPosition } from "../../tree.ts";
import { type DumpedTenant, pageLimits, type ReadKind } from "../dumped-tenant.ts";
import { type Operation, operation } from "../operation.ts";
import { pagesBelow, pagesOf } from "../pages.ts";
import { takenAliases } from "./taken-aliases.ts";

/** Reads aliases, former paths and shortcuts, all of which require their items to exist. */
export const readPaths: ReadKind = async function* (dumped) {
  for await (const rows of pagesOf(dumped, itemAliases)) {
    const taken = await takenAliases(dumped, rows);
    for (const alias of taken)
      dumped.omissions.addAlias("an alias whose path an item gets in a new tenant", alias);
    yield rows
      .filter((alias) => !taken.has(alias))
      .map(({ itemId, language, path }) =>
        operation("item/paths/addAliases", { itemId, language, paths: [path] }),
      );
  }
  yield* histories(dumped);
  yield* shortcuts(dumped);
};

/** Reads former paths, grouped by item. */
async function* histories(dumped: DumpedTenant): AsyncGenerator<Operation[]> {
  const { tenant, page } = dumped;
  for await (const ids of idsWithHistory(dumped)) {
    const found = await page((queries) => rowsWith(queries, tenant.id, itemFormerPaths, "itemId", ids));
    yield ids.flatMap((itemId) => {
      const ordered = (found.get(itemId) ?? []).sort((a, b) => a.position - b.position);
      return [...Map.groupBy(ordered, ({ language }) => language)]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([language, former]) =>
          operation("item/paths/setHistory", { itemId, language, paths: former.map(({ path }) => path) }),
        );
    });
  }
}

/** Reads the ids of items that may have former paths, ordered by id or by the tree. */
async function* idsWithHistory(dumped: DumpedTenant): AsyncGenerator<string[]> {
  if (dumped.isNatural) {
    if (dumped.tenant.formerPathLanguages.length > 0) yield* idsInTree(dumped);
    return;
  }
  let done = "";
  for await (const rows of pagesOf(dumped, itemFormerPaths)) {
    const ids = [...new Set(rows.map(({ itemId }) => itemId))].filter((id) => id !== done);
    done = ids.at(-1) ?? done;
    yield ids;
  }
}

/** Reads the ids of all items, level by level. */
async function* idsInTree(dumped: DumpedTenant): AsyncGenerator<string[]> {
  const { rootItemId } = dumped.tenant;
  for await (const found of pagesBelow(dumped, { table: "items", order: "sort_key" }, [rootItemId]))
    yield found.map(({ id }) => id);
}

/** Reads shortcuts folder by folder, so that creating them in this order restores their positions. */
async function* shortcuts(dumped: DumpedTenant): AsyncGenerator<Operation[]> {
  const { tenant, page, isNatural } = dumped;
  if (isNatural) return yield* shortcutsInTree(dumped);
  for (let last = ""; ; ) {
    const folders = await page((queries) => foldersWithShortcuts(queries, tenant.id, last, pageLimits.rows));
    for (const parentId of folders) yield* shortcutsOf(dumped, parentId);
    if (folders.length < pageLimits.rows) return;
    last = folders.at(-1) ?? last;
  }
}

/**
 * Reads shortcuts in the order of the tree. Reads the ids of all folders with shortcuts in one query, because they are
 * kept in memory anyway.
 */
async function* shortcutsInTree(dumped: DumpedTenant): AsyncGenerator<Operation[]> {
  const { tenant, page } = dumped;
  const folders = new Set(
    await page((queries) => foldersWithShortcuts(queries, tenant.id, "", Number.MAX_SAFE_INTEGER)),
  );
  if (folders.size === 0) return;
  if (folders.has(tenant.rootItemId)) yield* shortcutsOf(dumped, tenant.rootItemId);
  for await (const ids of idsInTree(dumped))
    for (const id of ids) if (folders.has(id)) yield* shortcutsOf(dumped, id);
}

/** Reads a folder's shortcuts in pages, and computes their positions among its children and shortcuts. */
async function* shortcutsOf(
  { tenant, page, omissions }: DumpedTenant,
  parentId: string,
): AsyncGenerator<Operation[]> {
  let position = 0;
  for (let last: FolderShortcut | undefined; ; ) {
    const found = await page((queries) => shortcutsIn(queries, tenant.id, parentId, last, pageLimits.rows));
    yield found.map(({ itemId, childrenBefore }) => {
      position += childrenBefore + 1;
      const isFar = position > maxPosition;
      if (isFar) omissions.add(`the position of a shortcut beyond ${maxPosition}`, itemId);
      const shortcut = isFar ? { parentId } : { parentId, position };
      return operation("item/paths/addShortcuts", { itemId, shortcuts: [shortcut] });
    });
    if (found.length < pageLimits.rows) return;
    last = found.at(-1);
  }
}
