import { type ImageRow, images } from "../collections/images.ts";
import type { Queries } from "../database.ts";
import { conditionList, listRows } from "../pages/list.ts";
import type { Page, PageRequest } from "../pages/page.ts";
import { rowsByKey } from "./rows.ts";

/** Conditions, all of which must hold. */
export interface ImageFilter {
  mimeType?: string | null;
  resourceIdentifiers?: string[] | null;
}

export const imagesByKey = (queries: Queries, tenantId: string, keys: readonly string[]) =>
  rowsByKey(queries, tenantId, images, "key", keys);

/** The digests among these that the tenant's images have. */
export async function digestsOfImages(
  queries: Queries,
  tenantId: string,
  digests: readonly string[],
): Promise<ReadonlySet<string>> {
  const rows = await queries.query<{ sha256: string }>(
    "SELECT t.sha256 FROM images t WHERE t.tenant_id = $1 AND t.sha256 = ANY($2::text[])",
    [tenantId, digests],
  );
  return new Set(rows.map(({ sha256 }) => sha256));
}

/** As `imagesByKey`, for requests without a token: nothing of a tenant being deleted. */
export async function imageToServe(
  queries: Queries,
  tenantId: string,
  key: string,
): Promise<ImageRow | undefined> {
  const [image] = await queries.query<ImageRow>(
    `SELECT ${images.sql.columnList} FROM images t WHERE t.tenant_id = $1 AND t.key = $2
     AND EXISTS (SELECT FROM tenants o WHERE o.id = $1 AND o.identifier IS NOT NULL)`,
    [tenantId, key],
  );
  return image;
}

export const imageByResourceIdentifier = async (queries: Queries, tenantId: string, identifier: string) =>
  (await rowsByKey(queries, tenantId, images, "resourceIdentifier", [identifier])).get(identifier);

export function listImages(
  queries: Queries,
  tenantId: string,
  filter: ImageFilter,
  request: PageRequest,
): Promise<Page<ImageRow>> {
  const list = {
    select: `SELECT ${images.sql.columnList} FROM images t`,
    ...conditionList([
      ["t.mime_type = ?", filter.mimeType],
      ["t.resource_identifier = ANY(?::text[])", filter.resourceIdentifiers],
    ]),
    order: ["t.key"],
    keyOf: (row: ImageRow) => [row.key],
  };
  return listRows(queries, tenantId, list, request);
}
