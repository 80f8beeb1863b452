import {
  type GraphQLFieldConfig,
  type GraphQLInputFieldConfigMap,
  GraphQLInputObjectType,
  GraphQLNonNull,
} from "graphql";
import { newId } from "../../storage/ids.ts";
import {
  addSetting,
  changeSetting,
  deleteSetting,
  type SettingScope,
  settingOf,
} from "../../tenants/change-settings.ts";
import type { Setting } from "../../tenants/setting-kinds.ts";
import type { CoreContext } from "../context.ts";
import { adminField } from "../root-fields.ts";
import { resultUnion } from "../types/result-union.ts";
import { deleteCount } from "./mutation-results.ts";
import { type SettingRow, settingRows } from "./setting-rows.ts";

type Field = GraphQLFieldConfig<unknown, CoreContext>;
type Entry = Setting<never>;
type Input = Readonly<Record<string, unknown>> & { isDefault?: boolean | null };

/** `create…`, `update…` and `delete…` of every list of settings. */
export function settingMutations(): Record<string, Field> {
  const fields = Object.values(settingRows).map((row) => ({
    [`create${row.type.name}`]: createField(row),
    [`update${row.type.name}`]: updateField(row),
    [`delete${row.type.name}`]: deleteField(row),
  }));
  return Object.assign({}, ...fields);
}

function createField({ kind, type, keyType, keyIsMade, fields, read }: SettingRow<never>): Field {
  const key = { type: keyIsMade ? keyType : new GraphQLNonNull(keyType) };
  const input = new GraphQLInputObjectType({
    name: `Create${type.name}Input`,
    fields: { [kind.key]: key, ...inputFields(fields, true) },
  });
  return adminField<{ input: Input }>({
    type: resultUnion(`Create${type.name}Result`, [type]),
    description: `Adds one to the tenant's ${kind.what}s.`,
    args: { input: { type: new GraphQLNonNull(input) } },
    async resolve({ input: { isDefault, ...given } }, context) {
      const key = (given[kind.key] as string | null | undefined) ?? newId();
      const entry = { ...emptyLists(fields), ...read(given as never), [kind.key]: key } as unknown as Entry;
      context.tenant = await addSetting(scopeOf(context), kind, { entry, isDefault });
      return settingOf(context.tenant, kind, key);
    },
  });
}

function updateField({ kind, type, keyType, fields, read }: SettingRow<never>): Field {
  const input = new GraphQLInputObjectType({
    name: `Update${type.name}Input`,
    fields: inputFields(fields, false),
  });
  return adminField<Record<string, unknown> & { input: Input }>({
    type: resultUnion(`Update${type.name}Result`, [type]),
    description: `Changes one of the tenant's ${kind.what}s: what is left out stays, a list replaces.`,
    args: { [kind.key]: { type: new GraphQLNonNull(keyType) }, input: { type: new GraphQLNonNull(input) } },
    async resolve({ input: { isDefault, ...given }, [kind.key]: key }, context) {
      context.tenant = await changeSetting(scopeOf(context), kind, {
        key: key as string,
        isDefault,
        change: (before: Entry) =>
          ({ ...(before as object), ...read(withoutNulls(given) as never, before) }) as Entry,
      });
      return settingOf(context.tenant, kind, key as string);
    },
  });
}

function deleteField({ kind, type, keyType }: SettingRow<never>): Field {
  return adminField<Record<string, unknown>>({
    type: resultUnion(`Delete${type.name}Result`, [deleteCount.type]),
    description: `Deletes one of the tenant's ${kind.what}s, which nothing may name.`,
    args: { [kind.key]: { type: new GraphQLNonNull(keyType) } },
    async resolve({ [kind.key]: key }, context) {
      context.tenant = await deleteSetting(scopeOf(context), kind, key as string);
      return { removed: 1 };
    },
  });
}

const inputFields = (fields: SettingRow["fields"], complete: boolean): GraphQLInputFieldConfigMap =>
  Object.fromEntries(
    Object.entries(fields).map(([name, { type, optional, ...field }]) => [
      name,
      { ...field, type: complete && !optional ? new GraphQLNonNull(type as never) : type },
    ]),
  );

/** Lists that a create may leave out are empty then. */
const emptyLists = (fields: SettingRow["fields"]): object =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, { type, optional }]) =>
      optional && String(type).startsWith("[") ? [[name, []]] : [],
    ),
  );

const withoutNulls = (input: Input): object =>
  Object.fromEntries(Object.entries(input).filter(([, value]) => value !== null));

const scopeOf = ({ services, tenant, accessToken: { id, name } }: CoreContext): SettingScope => ({
  database: services.database,
  tenantId: tenant.id,
  actor: { type: "accessToken", id, name },
});
