import { reject } from "../../errors.ts";
import { type SettingRow, settings } from "../../storage/collections/settings.ts";
import {
  keyOfSetting,
  type Setting,
  type SettingList,
  type SettingLists,
} from "../../storage/tenants/settings.ts";
import type { Tenant } from "../../storage/tenants/tenant.ts";
import type { UnitOfWork } from "../../storage/unit-of-work/unit-of-work.ts";
import { alternatives } from "../../tenants/alternatives.ts";
import type { SettingKind } from "./kinds.ts";

export type RowOf<List extends SettingList> = SettingRow & { readonly value: Setting<List> };

/** The rows of a list in order, with the batch's changes. */
export async function rowsOf<List extends SettingList>(unit: UnitOfWork, list: List): Promise<RowOf<List>[]> {
  return inOrder(await unit.find(settings, "list", list));
}

/** As `rowsOf`, for a list that a command of this unit has changed. */
export const writtenRows = <List extends SettingList>(unit: UnitOfWork, list: List): RowOf<List>[] =>
  inOrder(unit.findWritten(settings, "list", list));

/** The rows of a list have values of that list. */
const inOrder = <List extends SettingList>(rows: readonly SettingRow[]) =>
  rows.toSorted((one, other) => one.position - other.position) as RowOf<List>[];

type Named = Pick<SettingKind, "what" | "key">;

/** Rejects an unknown key with `SettingNotFoundError`. */
export const settingNotFound = ({ what, key }: Named, given: string, keys: readonly string[]): never =>
  reject("SettingNotFoundError", `The tenant has no ${what} "${given}"; ${alternatives(given, keys)}`, [key]);

/** The entry of a list with this key. Rejects with `SettingNotFoundError`. */
export function settingOf<List extends SettingList>(
  tenant: Tenant,
  kind: SettingKind<List>,
  key: string,
): Setting<List> {
  const lists: SettingLists = tenant.settings;
  const entries: readonly Setting<List>[] = lists[kind.list];
  const keys = entries.map((entry) => keyOfSetting(kind.list, entry));
  return entries[keys.indexOf(key)] ?? settingNotFound(kind, key, keys);
}
