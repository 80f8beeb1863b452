import {
  type GraphQLFieldConfig,
  type GraphQLInputFieldConfigMap,
  GraphQLInputObjectType,
  GraphQLNonNull,
} from "graphql";
import { newId } from "../../storage/ids.ts";
import type { SettingScope } from "../../tenants/change-settings.ts";
import type { CoreContext } from "../context.ts";
import { adminField } from "../root-fields.ts";
import { resultUnion } from "../types/result-union.ts";
import { settingLists } from "../types/tenant/settings.ts";
import { deleteCount } from "./mutation-results.ts";
import type { InputFields } from "./setting-inputs.ts";
import { type SettingInput, type SettingRow, settingRows } from "./setting-rows.ts";

type Field = GraphQLFieldConfig<unknown, CoreContext>;
type List = (typeof settingLists)[number];

/** `create…`, `update…` and `delete…` of every list of settings. */
export function settingMutations(): Record<string, Field> {
  const fields = settingLists.flatMap((list) => {
    const row = settingRows[list.name];
    return [
      [`create${list.type.name}`, createField(list, row)],
      [`update${list.type.name}`, updateField(list, row)],
      [`delete${list.type.name}`, deleteField(list, row)],
    ];
  });
  return Object.fromEntries(fields);
}

function createField({ key, keyType, what, type, entry }: List, row: SettingRow): Field {
  // An id is made when the input has none; any other key is required.
  const keyField = { type: key === "id" ? keyType : new GraphQLNonNull(keyType) };
  const input = new GraphQLInputObjectType({
    name: `Create${type.name}Input`,
    fields: { [key]: keyField, ...inputFields(row.fields, true) },
  });
  return adminField<{ input: SettingInput }>({
    type: resultUnion(`Create${type.name}Result`, [type]),
    description: `Adds an entry to the tenant's ${what}s.`,
    args: { input: { type: new GraphQLNonNull(input) } },
    async resolve({ input }, context) {
      const given = input[key];
      const made = typeof given === "string" ? given : newId();
      context.tenant = await row.add(scopeOf(context), made, input);
      return entry(context.tenant, made);
    },
  });
}

/** An entry by its key, which is the argument beside `input`. */
type ByKey = Record<string, string> & { input: SettingInput };

function updateField({ key, keyType, what, type, entry }: List, row: SettingRow): Field {
  const input = new GraphQLInputObjectType({
    name: `Update${type.name}Input`,
    fields: inputFields(row.fields, false),
  });
  return adminField<ByKey>({
    type: resultUnion(`Update${type.name}Result`, [type]),
    description: `Changes one of the tenant's ${what}s: what is left out stays, a list replaces.`,
    args: { [key]: { type: new GraphQLNonNull(keyType) }, input: { type: new GraphQLNonNull(input) } },
    async resolve({ input, [key]: given = "" }, context) {
      context.tenant = await row.change(scopeOf(context), given, input);
      return entry(context.tenant, given);
    },
  });
}

function deleteField({ key, keyType, what, type }: List, row: SettingRow): Field {
  return adminField<Record<string, string>>({
    type: resultUnion(`Delete${type.name}Result`, [deleteCount.type]),
    description: `Deletes one of the tenant's ${what}s; refused while something refers to it.`,
    args: { [key]: { type: new GraphQLNonNull(keyType) } },
    async resolve({ [key]: given = "" }, context) {
      context.tenant = await row.remove(scopeOf(context), given);
      return { removed: 1 };
    },
  });
}

const inputFields = (fields: InputFields, complete: boolean): GraphQLInputFieldConfigMap =>
  Object.fromEntries(
    Object.entries(fields).map(([name, { type, optional, ...field }]) => [
      name,
      { ...field, type: complete && !optional ? new GraphQLNonNull(type) : type },
    ]),
  );

const scopeOf = ({ services, tenant, accessToken: { id, name } }: CoreContext): SettingScope => ({
  database: services.database,
  tenantId: tenant.id,
  actor: { type: "accessToken", id, name },
});
