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

type Part = "periods" | "meteredVariables" | "stages";

/** An entry of a list of settings; operations name the parts of plans and pipelines by id. */
type Parts = { name: string } & Partial<Record<Part, { id: string; name: string }[]>>;

const parts: readonly { part: Part; what: string }[] = [
  { part: "periods", what: "period" },
  { part: "meteredVariables", what: "metered variable" },
  { part: "stages", what: "stage" },
];

async function refuseLostParts(
  unit: UnitOfWork,
  { identifier, value }: SettingRow,
  after: Parts,
): Promise<void> {
  const before: Parts = value;
  for (const { part, what } of parts) {
    const remaining = new Set(after[part]?.map(({ id }) => id));
    for (const { id, name } of before[part] ?? [])
      if (!remaining.has(id)) await refuseUsed(unit, part, [identifier, id], `the ${what} "${name}" (${id})`);
  }
}
