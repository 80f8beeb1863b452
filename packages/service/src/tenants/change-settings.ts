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
import type { Setting, SettingKind, SettingList, SettingLists } from "./setting-kinds.ts";
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
 * Changes settings; running tasks see it with their next batch. Of two simultaneous changes, the second waits for the
 * first. Returns the changed tenant.
 */
const changeSettings = ({ database, ...scope }: SettingScope, change: ChangeOf): Promise<Tenant> =>
  retriedTransaction(
    database,
    changing(scope, change, "NO KEY UPDATE"),
    undefined,
    besideOthers(scope.tenantId),
  );

/**
 * As `changeSettings`, for changes that may remove what rows name: alone with the tenant, and a conflict for
 * transactions that have read the settings as they were.
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

/** The place of an entry in its list; the first is the default. */
interface Place {
  isDefault?: boolean | null | undefined;
}

/** Adds a setting. Rejects with `SettingTakenError`, or with `ValidationError` when it breaks a limit. */
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

/** Changes a setting by `change`. Rejects with `SettingNotFoundError` and as `addSetting`. */
export function changeSetting<List extends SettingList>(
  scope: SettingScope,
  kind: SettingKind<List>,
  { key, change, isDefault }: Place & { key: string; change(entry: Setting<List>): Setting<List> },
): Promise<Tenant> {
  return takeAway(scope, async (tenant, transaction) => {
    const list = listOf(tenant, kind);
    const { place, entry: before } = entryOf(kind, list, key);
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
    const { place } = entryOf(kind, list, key);
    if (kind.needed && list.length === 1)
      reject("SettingInUseError", `"${key}" is the only ${kind.what} of the tenant, which needs one`, [
        kind.key,
      ]);
    await refuseUsed({ transaction, tenantId: tenant.id }, kind.list, key, `the ${kind.what} "${key}"`);
    return { action: "setting.deleted", ...withList(tenant, kind, key, list.toSpliced(place, 1)) };
  });
}

function listOf<List extends SettingList>(
  { settings }: Tenant,
  { list }: SettingKind<List>,
): Setting<List>[] {
  const lists: SettingLists = settings;
  return lists[list];
}

const keyOf = <List extends SettingList>({ key }: SettingKind<List>, entry: Setting<List>) =>
  String(entry[key]);

const withList = <List extends SettingList>(
  { settings }: Tenant,
  { list }: SettingKind<List>,
  key: string,
  entries: Setting<List>[],
) => ({ subjectId: `${list}/${key}`, settings: { ...settings, [list]: entries } });

/** The entry of a list with this key. Rejects with `SettingNotFoundError`. */
export function settingOf<List extends SettingList>(
  tenant: Tenant,
  kind: SettingKind<List>,
  key: string,
): Setting<List> {
  return entryOf(kind, listOf(tenant, kind), key).entry;
}

function entryOf<List extends SettingList>(
  kind: SettingKind<List>,
  list: Setting<List>[],
  key: string,
): { entry: Setting<List>; place: number } {
  const keys = list.map((entry) => keyOf(kind, entry));
  const place = keys.indexOf(key);
  const entry = list[place];
  if (entry !== undefined) return { entry, place };
  return reject(
    "SettingNotFoundError",
    `The tenant has no ${kind.what} "${key}"; ${alternatives(key, keys)}`,
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

type Part = "periods" | "meteredVariables" | "stages";

/** An entry of a list of settings; operations name the parts of plans and pipelines by id. */
type Parts = { name: string } & Partial<Record<Part, { id: string; name: string }[]>>;

const parts: readonly { part: Part; what: string }[] = [
  { part: "periods", what: "period" },
  { part: "meteredVariables", what: "metered variable" },
  { part: "stages", what: "stage" },
];

async function refuseLostParts(where: Where, before: Parts, after: Parts): Promise<void> {
  for (const { part, what } of parts) {
    const remaining = new Set(after[part]?.map(({ id }) => id));
    for (const { id, name } of before[part] ?? [])
      if (!remaining.has(id)) await refuseUsed(where, part, id, `the ${what} "${name}" (${id})`);
  }
}
