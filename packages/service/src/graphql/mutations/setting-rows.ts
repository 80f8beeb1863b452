import { isListType } from "graphql";
import type { Tenant } from "../../storage/tenants/tenant.ts";
import {
  addSetting,
  changeSetting,
  deleteSetting,
  type SettingScope,
} from "../../tenants/change-settings.ts";
import {
  type Setting,
  type SettingKind,
  type SettingList,
  settingKinds,
} from "../../tenants/setting-kinds.ts";
import * as inputs from "./setting-inputs.ts";

/** The fields of an input that a request sets. */
export type SettingInput = Readonly<Record<string, unknown>> & { isDefault?: boolean | null };

/** The changes that the API makes to one list of settings. Each returns the changed tenant. */
export interface SettingRow {
  fields: inputs.InputFields;
  add(scope: SettingScope, key: string, input: SettingInput): Promise<Tenant>;
  change(scope: SettingScope, key: string, input: SettingInput): Promise<Tenant>;
  remove(scope: SettingScope, key: string): Promise<Tenant>;
}

/** One row for each list of settings, by the singular of its name. */
export const settingRows: { readonly [Name in keyof typeof settingKinds]: SettingRow } = {
  language: row(settingKinds.language, inputs.language),
  vatType: row(settingKinds.vatType, inputs.vatType),
  priceVariant: row(settingKinds.priceVariant, inputs.priceVariant),
  stockLocation: row(settingKinds.stockLocation, inputs.stockLocation, inputs.readStockLocation),
  market: row(settingKinds.market, inputs.market),
  subscriptionPlan: row(settingKinds.subscriptionPlan, inputs.subscriptionPlan, inputs.readPlan),
  pipeline: row(settingKinds.pipeline, inputs.pipeline, inputs.readPipeline),
};

/**
 * Makes the row of one list of settings.
 *
 * @param read turns an input into fields of an entry; `before` is the entry that it changes
 */
function row<List extends SettingList, Input extends object>(
  kind: SettingKind<List>,
  fields: inputs.InputFields,
  read: (input: Input, before?: Setting<List>) => object = (input) => input,
): SettingRow {
  // GraphQL has checked the input against `fields`; the kind's own check does the rest.
  const inputOf = (given: object) => given as Input;
  return {
    fields,
    add(scope, key, { isDefault, ...given }) {
      const entry = { ...emptyLists(fields), ...read(inputOf(given)), [kind.key]: key };
      return addSetting(scope, kind, { entry: entry as object as Setting<List>, isDefault });
    },
    change: (scope, key, { isDefault, ...given }) =>
      changeSetting(scope, kind, {
        key,
        isDefault,
        change: (before) => Object.assign({}, before, read(inputOf(withoutNulls(given)), before)),
      }),
    remove: (scope, key) => deleteSetting(scope, kind, key),
  };
}

/** Empty lists for the fields that a create may leave out. */
const emptyLists = (fields: inputs.InputFields): object =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, { type, optional }]) =>
      optional && isListType(type) ? [[name, []]] : [],
    ),
  );

const withoutNulls = (given: object): object =>
  Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
