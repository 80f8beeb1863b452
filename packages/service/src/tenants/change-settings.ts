import { reject } from "../errors.ts";
import type { Database, Queries } from "../storage/database.ts";
import { retriedTransaction } from "../storage/retry.ts";
import type { Actor } from "../storage/tenants/audit-trail.ts";
import { tenantById } from "../storage/tenants/find.ts";
import { type SettingPart, useOfSetting } from "../storage/tenants/setting-uses.ts";
import type { TenantSettings } from "../storage/tenants/settings.ts";
import type { Tenant } from "../storage/tenants/tenant.ts";
import { lockTenant, storeSettings } from "../storage/tenants/write.ts";
import { besideOthers, turnOf } from "../storage/turns.ts";
import { alternatives } from "./alternatives.ts";
import { type AuditAction, audit } from "./audit.ts";
import type { Setting, SettingKind, SettingList } from "./setting-kinds.ts";
import { settingCheck, settingLimits } from "./setting-limits.ts";

/** The tenant whose settings are changed, and the actor. */
export interface SettingScope {
  readonly database: Database;
  readonly tenantId: string;
  readonly actor: Actor;
}

interface Change {
  action: AuditAction;
  subjectId: string;
  settings: TenantSettings;
}

type ChangeOf = (tenant: Tenant, transaction: Queries) => Promise<Change>;

/**
 * Changes settings; running tasks see it with their next batch. Two changes at the same time are made one after the
 * other. Answers the tenant as it is then.
 */
const changeSettings = ({ database, ...scope }: SettingScope, change: ChangeOf): Promise<Tenant> =>
  retriedTransaction(
    database,
    changing(scope, change, "NO KEY UPDATE"),
    undefined,
    besideOthers(scope.tenantId),
  );

/**
 * As `changeSettings`, for what may take something away that rows name: alone with the tenant, and a conflict for those
 * who have read the settings as they were.
 */
const takeAway = ({ database, ...scope }: SettingScope, change: ChangeOf): Promise<Tenant> =>
  retriedTransaction(database, changing(scope, change, "UPDATE"), undefined, turnOf("alone", scope.tenantId));

function changing(
  { tenantId, actor }: Omit<SettingScope, "database">,
  change: ChangeOf,
  lock: "UPDATE" | "NO KEY UPDATE",
): (transaction: Queries) => Promise<Tenant> {
  return async (transaction) => {
    await lockTenant(transaction, tenantId, lock);
    const tenant = await tenantById(transaction, tenantId);
    const { settings, ...done } = await change(tenant, transaction);
    await storeSettings(transaction, tenantId, settings);
    await audit(transaction, { tenant, actor, ...done });
    return { ...tenant, settings };
  };
}

/** Where an entry goes; the first of a list is the default. */
interface Place {
  isDefault?: boolean | null | undefined;
}

/** Adds a setting. Rejects with `SettingTakenError`, or with `ValidationError` what breaks a limit. */
export function addSetting<List extends SettingList>(
  scope: SettingScope,
  kind: SettingKind<List>,
  { entry, isDefault }: Place & { entry: Setting<List> },
): Promise<Tenant> {
  return changeSettings(scope, async (tenant) => {
    const list = listOf(tenant, kind);
    checkEntry(kind, entry);
    if (list.some((other) => keyOf(kind, other) === keyOf(kind, entry)))
      reject("SettingTakenError", `The tenant has a ${kind.what} "${keyOf(kind, entry)}" already`, [
        "input",
        kind.key,
      ]);
    const max = settingLimits[kind.list];
    if (list.length >= max)
      reject("ValidationError", `The tenant has ${list.length} ${kind.what}s; the limit is ${max}`);
    const entries = isDefault ? [entry, ...list] : [...list, entry];
    return { action: "setting.created", ...withList(tenant, kind, keyOf(kind, entry), entries) };
  });
}

/** Changes a setting; `change` is given it as it is. Rejects with `SettingNotFoundError` and as `addSetting`. */
export function changeSetting<List extends SettingList>(
  scope: SettingScope,
  kind: SettingKind<List>,
  { key, change, isDefault }: Place & { key: string; change(entry: Setting<List>): Setting<List> },
): Promise<Tenant> {
  return takeAway(scope, async (tenant, transaction) => {
    const list = listOf(tenant, kind);
    const place = placeOf(kind, list, key);
    const before = list[place] as Setting<List>;
    const entry = change(before);
    checkEntry(kind, entry);
    await refuseLostParts({ transaction, tenantId: tenant.id }, before, entry);
    const entries = isDefault ? [entry, ...list.toSpliced(place, 1)] : list.with(place, entry);
    return { action: "setting.updated", ...withList(tenant, kind, key, entries) };
  });
}

/**
 * Deletes a setting. Rejects with `SettingNotFoundError`, and with `SettingInUseError` a setting that stored rows name
 * and the last one where a tenant needs one.
 */
export function deleteSetting<List extends SettingList>(
  scope: SettingScope,
  kind: SettingKind<List>,
  key: string,
): Promise<Tenant> {
  return takeAway(scope, async (tenant, transaction) => {
    const list = listOf(tenant, kind);
    const place = placeOf(kind, list, key);
    if (kind.needed && list.length === 1)
      reject("SettingInUseError", `"${key}" is the only ${kind.what} of the tenant, which needs one`, [
        kind.key,
      ]);
    await refuseUsed({ transaction, tenantId: tenant.id }, kind.list, key, `the ${kind.what} "${key}"`);
    return { action: "setting.deleted", ...withList(tenant, kind, key, list.toSpliced(place, 1)) };
  });
}

const listOf = <List extends SettingList>({ settings }: Tenant, { list }: SettingKind<List>) =>
  settings[list] as Setting<List>[];

const keyOf = <List extends SettingList>({ key }: SettingKind<List>, entry: Setting<List>) =>
  entry[key] as string;

const withList = <List extends SettingList>(
  { settings }: Tenant,
  { list }: SettingKind<List>,
  key: string,
  entries: Setting<List>[],
) => ({ subjectId: `${list}/${key}`, settings: { ...settings, [list]: entries } as TenantSettings });

/** The entry of a list with this key. Rejects with `SettingNotFoundError`. */
export function settingOf<List extends SettingList>(
  tenant: Tenant,
  kind: SettingKind<List>,
  key: string,
): Setting<List> {
  const list = listOf(tenant, kind);
  return list[placeOf(kind, list, key)] as Setting<List>;
}

function placeOf<List extends SettingList>(
  kind: SettingKind<List>,
  list: Setting<List>[],
  key: string,
): number {
  const known = list.map((entry) => keyOf(kind, entry));
  const place = known.indexOf(key);
  if (place >= 0) return place;
  return reject(
    "SettingNotFoundError",
    `The tenant has no ${kind.what} "${key}"; ${alternatives(key, known)}`,
    [kind.key],
  );
}

function checkEntry<List extends SettingList>(kind: SettingKind<List>, entry: Setting<List>): void {
  const check = settingCheck();
  kind.check(entry, check);
  check.end();
}

interface Where {
  transaction: Queries;
  tenantId: string;
}

async function refuseUsed(
  { transaction, tenantId }: Where,
  part: SettingPart,
  key: string,
  what: string,
): Promise<void> {
  const use = await useOfSetting(transaction, tenantId, part, key);
  if (use !== undefined) reject("SettingInUseError", `There are ${use.what} with ${what}; ${use.remedy}`);
}

/** The lists within plans and pipelines whose entries operations name by id. */
const parts = { periods: "period", meteredVariables: "metered variable", stages: "stage" } as const;

async function refuseLostParts(where: Where, before: object, after: object): Promise<void> {
  type Parts = Partial<Record<keyof typeof parts, { id: string; name: string }[]>>;
  for (const [part, what] of Object.entries(parts) as [keyof typeof parts, string][]) {
    const left = new Set((after as Parts)[part]?.map(({ id }) => id));
    for (const { id, name } of (before as Parts)[part] ?? [])
      if (!left.has(id)) await refuseUsed(where, part, id, `the ${what} "${name}" (${id})`);
  }
}
