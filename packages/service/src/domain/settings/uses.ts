import { reject } from "../../errors.ts";
import type { SettingRow } from "../../storage/collections/settings.ts";
import { type SettingPart, useOfSetting } from "../../storage/tenants/setting-uses.ts";
import type { UnitOfWork } from "../../storage/unit-of-work/unit-of-work.ts";
import { rowsOf } from "./entries.ts";
import { settingKinds } from "./kinds.ts";

/**
 * Rejects with `SettingInUseError` the removal of a setting in use, of a part of it, or of the last entry of a required
 * list. Call it before the row is written; `after` is undefined for a deletion.
 */
export async function refuseLoss(
  unit: UnitOfWork,
  before: SettingRow,
  after: SettingRow | undefined,
): Promise<void> {
  if (after !== undefined) return refuseLostParts(unit, before, after.value);
  const { list, identifier } = before;
  for (const { what, key, needed } of Object.values(settingKinds).filter((kind) => kind.list === list)) {
    const others = (await rowsOf(unit, list)).filter((row) => row.identifier !== identifier);
    if (needed && others.length === 0)
      reject("SettingInUseError", `"${identifier}" is the only ${what} of the tenant, which needs one`, [
        key,
      ]);
    await refuseUsed(unit, list, [identifier], `the ${what} "${identifier}"`);
  }
}

async function refuseUsed(
  unit: UnitOfWork,
  part: SettingPart,
  key: readonly string[],
  what: string,
): Promise<void> {
  const use = await useOfSetting(unit, part, key);
  if (use !== undefined) reject("SettingInUseError", `There are ${use.what} with ${what}; ${use.remedy}`);
}

type PartList = "periods" | "meteredVariables" | "stages";

/** An entry of a list of settings, with its lists of parts. */
type Entry = { name: string } & Partial<
  Record<PartList, { id: string; name: string; identifier?: string }[]>
>;

/**
 * The lists of parts in plans and pipelines, and how operations refer to them: variants refer to a metered variable by
 * its id, contracts by its identifier.
 */
const partLists: readonly { list: PartList; key: "id" | "identifier"; part: SettingPart; what: string }[] = [
  { list: "periods", key: "id", part: "periods", what: "period" },
  { list: "meteredVariables", key: "id", part: "meteredVariables", what: "metered variable" },
  { list: "meteredVariables", key: "identifier", part: "variableIdentifiers", what: "metered variable" },
  { list: "stages", key: "id", part: "stages", what: "stage" },
];

async function refuseLostParts(
  unit: UnitOfWork,
  { identifier, value }: SettingRow,
  after: Entry,
): Promise<void> {
  const before: Entry = value;
  for (const { list, key, part, what } of partLists) {
    const remaining = new Set(after[list]?.map((entry) => entry[key]));
    for (const { name, [key]: lost } of before[list] ?? [])
      if (lost !== undefined && !remaining.has(lost))
        await refuseUsed(unit, part, [identifier, lost], `the ${what} "${name}" (${key} ${lost})`);
  }
}
