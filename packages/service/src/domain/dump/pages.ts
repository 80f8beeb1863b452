import type { Queries } from "../../storage/database.ts";
import { type Child, childrenOf, type LastChild, type Tree } from "../../storage/pages/children.ts";
import { bytesWith, rowsAfter } from "../../storage/pages/keyset.ts";
import type { Collection } from "../../storage/unit-of-work/collection.ts";
import { type DumpedTenant, type PagedTenant, pageLimits } from "./dumped-tenant.ts";

/** Reads all rows of a collection in pages, ordered by key or by other columns. */
export async function* pagesOf<Row extends object>(
  { tenant, page }: PagedTenant,
  collection: Collection<Row>,
  order: readonly (keyof Row & string)[] = collection.key,
): AsyncGenerator<Row[]> {
  for (let last: Row | undefined; ; ) {
    const rows = await page((queries) => rowsAfter(queries, tenant.id, collection, order, last, pageLimits));
    if (rows.length === 0) return;
    yield rows;
    last = rows.at(-1);
  }
}

/**
 * Reads rows that may have a resource identifier, ordered by id. In a dump with natural keys, rows with one come first,
 * ordered by it; the others keep their ids.
 */
export async function* identifiedPages<Row extends { resourceIdentifier: string | null }>(
  dumped: DumpedTenant,
  collection: Collection<Row>,
): AsyncGenerator<Row[]> {
  if (!dumped.isNatural) return yield* pagesOf(dumped, collection);
  for await (const rows of pagesOf(dumped, collection, ["resourceIdentifier"])) {
    const identified = rows.filter(({ resourceIdentifier }) => resourceIdentifier !== null);
    yield identified;
    if (identified.length < rows.length) break;
  }
  for await (const rows of pagesOf(dumped, collection))
    yield rows.filter(({ resourceIdentifier }) => resourceIdentifier === null);
}

/** Reads all rows of a collection that fits into memory. */
export async function allRows<Row extends object>(
  tenant: PagedTenant,
  collection: Collection<Row>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for await (const page of pagesOf(tenant, collection)) rows.push(...page);
  return rows;
}

/** Reads the total size, in bytes, of the rows that belong to each id. */
type BytesOf = (queries: Queries, tenantId: string, ids: readonly string[]) => Promise<Bytes>;
type Bytes = { value: string; bytes: number }[];

/** Returns the function that reads the total size of a collection's rows per id. */
export const bytesOf =
  <Row extends object>(collection: Collection<Row>, column: keyof Row & string): BytesOf =>
  (queries, tenantId, ids) =>
    bytesWith(queries, tenantId, collection, column, ids);

/** Divides ids into groups, in order, whose rows fit into a page; a single id may exceed it. */
export async function* groupsOf(
  { tenant, page }: PagedTenant,
  ids: readonly string[],
  collections: readonly BytesOf[],
): AsyncGenerator<string[]> {
  const found = await page((queries) =>
    Promise.all(collections.map((read) => read(queries, tenant.id, ids))),
  );
  const sizes = new Map<string, number>();
  for (const { value, bytes } of found.flat()) sizes.set(value, (sizes.get(value) ?? 0) + bytes);
  let [group, total]: [string[], number] = [[], 0];
  for (const id of ids) {
    const bytes = sizes.get(id) ?? 0;
    if (group.length > 0 && total + bytes > pageLimits.bytes) {
      yield group;
      [group, total] = [[], 0];
    }
    group.push(id);
    total += bytes;
  }
  if (group.length > 0) yield group;
}

/** Maximum number of parents per query for children. */
const parentsAtOnce = 200;

/** Reads the descendants of some parents level by level, in pages; keeps the ids of all parents in memory. */
export async function* pagesBelow(
  { tenant, page }: PagedTenant,
  tree: Tree,
  roots: readonly string[],
): AsyncGenerator<Child[]> {
  const parents = [...roots];
  let last: LastChild | undefined;
  for (let done = 0; done < parents.length; ) {
    const some = parents.slice(done, done + parentsAtOnce);
    const children = await page((queries) =>
      childrenOf(queries, tenant.id, tree, some, last, pageLimits.rows),
    );
    if (children.length > 0) yield children;
    for (const { id, isParent } of children) if (isParent) parents.push(id);
    const end = children.at(-1);
    last = children.length < pageLimits.rows ? undefined : end;
    done += last === undefined || end === undefined ? some.length : some.indexOf(end.parentId);
  }
}
