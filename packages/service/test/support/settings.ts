import { executeHandler } from "../../src/commands/execute.ts";
import type { CommandResult } from "../../src/domain/command.ts";
import { settingCommands } from "../../src/domain/settings/commands.ts";
import { Rejection } from "../../src/errors.ts";
import type { Database } from "../../src/storage/database.ts";
import type { Tenant, TenantSettings } from "../../src/storage/tenants/tenant.ts";
import { insertSettings, limitsOf } from "../../src/storage/tenants/write.ts";
import { operator } from "../../src/tenants/audit.ts";
import { openMemoryStore } from "../../src/uploads/memory-store.ts";

type Shop = { readonly database: Database; readonly tenant: Tenant };
export type KindName = keyof typeof settingCommands;

/** Replaces a tenant's settings without a check, for a test about something else. */
export async function storeSettings({ database, tenant }: Shop, changed: Partial<TenantSettings>) {
  const settings = { ...tenant.settings, ...changed };
  await database.transaction(async (transaction) => {
    await transaction.execute("DELETE FROM settings WHERE tenant_id = $1", [tenant.id]);
    await insertSettings(transaction, tenant.id, settings);
    await transaction.execute("UPDATE tenants SET limits = $2 WHERE id = $1", [
      tenant.id,
      JSON.stringify(limitsOf(settings)),
    ]);
  });
}

/** Adds a setting as the API does. Throws rejections. */
export const addSetting = (shop: Shop, kind: KindName, entry: Readonly<Record<string, unknown>>) => {
  const { [settingCommands[kind].kind.key]: key, ...fields } = entry;
  return execute(shop, kind, "create", { key: String(key), fields });
};

/** Changes a setting as the API does. Throws rejections. */
export const changeSetting = (shop: Shop, kind: KindName, key: string, fields: object) =>
  execute(shop, kind, "update", { key, fields });

/** Deletes a setting as the API does. Throws rejections. */
export const deleteSetting = (shop: Shop, kind: KindName, key: string) =>
  execute(shop, kind, "remove", { key, fields: {} });

async function execute(
  { database, tenant }: Shop,
  kind: KindName,
  verb: "create" | "update" | "remove",
  input: { key: string; fields: object },
): Promise<CommandResult> {
  const services = { database, store: openMemoryStore() };
  const caller = { tenant, actor: operator };
  const result = await executeHandler(services, caller, settingCommands[kind][verb], input);
  if (result instanceof Rejection) throw result;
  return result;
}
