import { reject } from "../../errors.ts";
import { settings } from "../../storage/collections/settings.ts";
import { newId } from "../../storage/ids.ts";
import type { Setting, SettingList } from "../../storage/tenants/settings.ts";
import { holdSettings } from "../../storage/tenants/write.ts";
import type { UnitOfWork } from "../../storage/unit-of-work/unit-of-work.ts";
import { type AuditAction, auditIn } from "../../tenants/audit.ts";
import type { CommandContext, CommandResult, Handler } from "../command.ts";
import { merge } from "../merge.ts";
import { refuseNewKey } from "../payload/new-key.ts";
import { type RowOf, rowsOf, settingNotFound } from "./entries.ts";
import { type SettingFields, type SettingKind, settingKinds } from "./kinds.ts";
import { settingCheck, settingLimits } from "./limits.ts";
import { type GivenSlot, movedTo, positionAt, slotIn } from "./order.ts";
import { refuseLoss } from "./uses.ts";

/** A setting by its key, with the given fields. */
export interface SettingInput extends GivenSlot {
  readonly key: string;
  /** Already checked against `SettingFields` by the request or the intent. */
  readonly fields: object;
}

/** The payload of an intent that upserts a setting, including the key; an id may be omitted. */
export interface SettingPayload extends GivenSlot {
  readonly name: string;
}

export interface SettingCommands {
  readonly kind: SettingKind;
  /** Adds an entry. Rejects with `SettingTakenError`, or with `ValidationError` when it breaks a limit. */
  readonly create: Handler<SettingInput>;
  /** Changes an entry. Rejects with `SettingNotFoundError`, `SettingInUseError` and as `create`. */
  readonly update: Handler<SettingInput>;
  /**
   * Updates the entry that a payload names by its key, or by its name if the id is omitted; adds one when there is
   * none.
   * Rejects as `create` and `update`, and with `ConflictError` when several have the name.
   */
  readonly upsert: Handler<SettingPayload>;
  /**
   * Deletes an entry. Rejects with `SettingNotFoundError`, and with `SettingInUseError` one in use and the last one of
   * a list that must not be empty.
   */
  readonly remove: Handler<Pick<SettingInput, "key">>;
}

function commandsOf<List extends SettingList>(kind: SettingKind<List>): SettingCommands {
  const handler = <Input>(execute: Handler<Input>["execute"]): Handler<Input> => ({
    changesSettings: true,
    keys: (_, prefetch) => prefetch(settings, "list", [kind.list]),
    execute,
  });
  return {
    kind,
    create: handler((context, input) => createSetting(context, kind, input)),
    update: handler((context, input) => updateSetting(context, kind, input)),
    upsert: handler((context, payload) => upsertSetting(context, kind, payload)),
    remove: handler((context, { key }) => removeSetting(context, kind, key)),
  };
}

export const settingCommands = {
  language: commandsOf(settingKinds.language),
  vatType: commandsOf(settingKinds.vatType),
  priceVariant: commandsOf(settingKinds.priceVariant),
  stockLocation: commandsOf(settingKinds.stockLocation),
  market: commandsOf(settingKinds.market),
  subscriptionPlan: commandsOf(settingKinds.subscriptionPlan),
  pipeline: commandsOf(settingKinds.pipeline),
} as const satisfies { readonly [Name in keyof typeof settingKinds]: unknown };

async function createSetting<List extends SettingList>(
  context: CommandContext,
  kind: SettingKind<List>,
  input: SettingInput,
): Promise<CommandResult> {
  const { unit, now } = context;
  const { key } = input;
  const slot = slotIn(input);
  await holdSettings(unit);
  const rows = await rowsOf(unit, kind.list);
  const value = entryOf(kind, key, kind.read(given(input)));
  checkEntry(kind, value);
  refuseNewKey(key, kind.key);
  if (rows.some(({ identifier }) => identifier === key))
    reject("SettingTakenError", `The tenant has a ${kind.what} "${key}" already`, [kind.key]);
  const max = settingLimits[kind.list];
  if (rows.length >= max)
    reject("ValidationError", `The tenant has ${rows.length} ${kind.what}s; the limit is ${max}`);
  const position = positionAt(unit, rows, slot ?? rows.length, now);
  const row = { list: kind.list, identifier: key, position, value };
  unit.insert(settings, { ...row, createdAt: now, updatedAt: now });
  noteChange(context, "setting.created", kind, key);
  return { action: "created", output: kind.output(value) };
}

async function updateSetting<List extends SettingList>(
  context: CommandContext,
  kind: SettingKind<List>,
  input: SettingInput,
): Promise<CommandResult> {
  const { unit, now } = context;
  const { key } = input;
  const slot = slotIn(input);
  const { rows, row } = await rowWithKey(unit, kind, key);
  const value: Setting<List> = { ...row.value, ...kind.read(given(input), row.value) };
  checkEntry(kind, value);
  const position = slot === undefined ? row.position : movedTo(unit, { rows, row, slot }, now);
  const changed = merge(row, { value, position }, now);
  if (changed === undefined) return { action: "unchanged", output: kind.output(value) };
  lockForRemoval(unit);
  await refuseLoss(unit, row, changed);
  unit.update(settings, changed);
  noteChange(context, "setting.updated", kind, key);
  return { action: "updated", output: kind.output(value) };
}

async function upsertSetting<List extends SettingList>(
  context: CommandContext,
  kind: SettingKind<List>,
  { isDefault, position, ...fields }: SettingPayload,
): Promise<CommandResult> {
  const rows = await rowsOf(context.unit, kind.list);
  const given: unknown = Reflect.get(fields, kind.key);
  const key = typeof given === "string" ? given : (keyByName(kind, rows, fields.name) ?? newId());
  const write = rows.some(({ identifier }) => identifier === key) ? updateSetting : createSetting;
  return write(context, kind, { key, isDefault, position, fields });
}

/** The key of the entry with a name, if names are not unique; undefined when there is none. */
function keyByName<List extends SettingList>(
  { what }: SettingKind<List>,
  rows: readonly RowOf<List>[],
  name: string,
): string | undefined {
  const [key, ...others] = rows
    .filter(({ value }) => value.name === name)
    .map(({ identifier }) => identifier);
  if (others.length > 0)
    reject(
      "ConflictError",
      `The tenant has ${others.length + 1} ${what}s "${name}"; give the id of one: ${[key, ...others].join(", ")}`,
      ["name"],
    );
  return key;
}

async function removeSetting<List extends SettingList>(
  context: CommandContext,
  kind: SettingKind<List>,
  key: string,
): Promise<CommandResult> {
  const { unit } = context;
  lockForRemoval(unit);
  const { row } = await rowWithKey(unit, kind, key);
  await refuseLoss(unit, row, undefined);
  unit.remove(settings, row);
  noteChange(context, "setting.deleted", kind, key);
  return { action: "deleted", output: { removed: 1 } };
}

/**
 * Requires the exclusive lock for a change that may remove what rows name; transactions that already read the settings
 * conflict.
 */
const lockForRemoval = (unit: UnitOfWork): void => unit.requireLock("exclusive");

/** The rows of a list, and the one with this key. Rejects with `SettingNotFoundError`. */
async function rowWithKey<List extends SettingList>(
  unit: UnitOfWork,
  kind: SettingKind<List>,
  key: string,
): Promise<{ rows: RowOf<List>[]; row: RowOf<List> }> {
  const rows = await rowsOf(unit, kind.list);
  const keys = rows.map(({ identifier }) => identifier);
  return { rows, row: rows[keys.indexOf(key)] ?? settingNotFound(kind, key, keys) };
}

/** A new entry: the request's or the intent's check has refused incomplete ones. */
const entryOf = <List extends SettingList>(kind: SettingKind<List>, key: string, fields: object) =>
  ({ [kind.key]: key, ...fields }) as object as Setting<List>;

/** The fields of an input; null counts as absent. */
const given = <List extends SettingList>({ fields }: SettingInput): SettingFields[List] =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined),
  ) as SettingFields[List];

const noteChange = (
  { unit, tenant, actor }: CommandContext,
  action: AuditAction,
  { list }: Pick<SettingKind, "list">,
  key: string,
): void => auditIn(unit, { tenant, actor, action, subjectId: `${list}/${key}` });

function checkEntry<List extends SettingList>(kind: SettingKind<List>, entry: Setting<List>): void {
  const check = settingCheck();
  kind.check(entry, check);
  check.end();
}
