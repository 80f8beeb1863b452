import { type ItemRow, items } from "../../packages/service/src/storage/collections/items.ts";
import type { Database } from "../../packages/service/src/storage/database.ts";
import { newId } from "../../packages/service/src/storage/ids.ts";
import type { Tenant } from "../../packages/service/src/storage/tenants/tenant.ts";
import type { Loaded } from "../../packages/service/src/storage/unit-of-work/loaded.ts";
import { UnitOfWork } from "../../packages/service/src/storage/unit-of-work/unit-of-work.ts";
import { createTenant } from "../../packages/service/src/tenants/create.ts";

const now = "2026-01-02T03:04:05.678Z";

export const itemRow = (tenant: Tenant, id: string, fields: Partial<ItemRow> = {}): ItemRow => ({
  id,
  type: "folder",
  shapeIdentifier: "box",
  parentId: tenant.rootItemId,
  sortKey: `z00${id}`,
  externalReference: null,
  resourceIdentifier: null,
  vatTypeId: null,
  createdAt: now,
  updatedAt: now,
  ...fields,
});

export async function tenantWithShape(database: Database): Promise<Tenant> {
  const { tenant } = await createTenant(database, { identifier: `t-${newId()}` });
  await database.execute(
    `INSERT INTO shapes (tenant_id, identifier, revision, type, name, components, variant_components, created_at, updated_at)
     VALUES ($1, 'box', '1', 'folder', 'Box', '[]', '[]', now(), now())`,
    [tenant.id],
  );
  return tenant;
}

export const inUnit = <Result>(
  database: Database,
  tenant: Tenant,
  work: (unit: UnitOfWork) => Loaded<Result>,
) =>
  database.transaction(async (transaction) => {
    const unit = new UnitOfWork(transaction, tenant.id);
    const result = await work(unit);
    await unit.flush();
    return result;
  });

export const storedItems = (database: Database, tenant: Tenant) =>
  inUnit(database, tenant, (unit) => unit.select(items, "t.parent_id IS NOT NULL ORDER BY t.id"));
