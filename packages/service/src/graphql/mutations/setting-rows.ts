import type { GraphQLObjectType, GraphQLScalarType } from "graphql";
import { GraphQLID, GraphQLString } from "graphql";
import {
  type Setting,
  type SettingKind,
  type SettingList,
  settingKinds,
} from "../../tenants/setting-kinds.ts";
import type { CoreContext } from "../context.ts";
import * as types from "../types/settings.ts";
import * as inputs from "./setting-inputs.ts";

/** How one list of settings is read and changed through the API. */
export interface SettingRow<List extends SettingList = SettingList> {
  kind: SettingKind<List>;
  type: GraphQLObjectType;
  keyType: GraphQLScalarType;
  /** True for a key that is made when none is given. */
  keyIsMade?: true;
  fields: inputs.InputFields;
  /** What an input says of an entry; `before` is the entry that it changes. */
  read(input: never, before?: Setting<List>): object;
}

const asGiven = (input: object) => input;

/** One row for each list of settings, by the singular of its name. */
export const settingRows: { readonly [Name in keyof typeof settingKinds]: SettingRow<never> } = {
  language: row(settingKinds.language, types.Language, inputs.language),
  vatType: row(settingKinds.vatType, types.VatType, inputs.vatType),
  priceVariant: row(settingKinds.priceVariant, types.PriceVariant, inputs.priceVariant),
  stockLocation: row(
    settingKinds.stockLocation,
    types.StockLocation,
    inputs.stockLocation,
    inputs.readStockLocation,
  ),
  market: row(settingKinds.market, types.Market, inputs.market),
  subscriptionPlan: row(
    settingKinds.subscriptionPlan,
    types.SubscriptionPlan,
    inputs.subscriptionPlan,
    inputs.readPlan,
  ),
  pipeline: row(settingKinds.pipeline, types.Pipeline, inputs.pipeline, inputs.readPipeline),
};

function row<List extends SettingList>(
  kind: SettingKind<List>,
  type: GraphQLObjectType<Setting<List>, CoreContext>,
  fields: inputs.InputFields,
  read: SettingRow<List>["read"] = asGiven,
): SettingRow<never> {
  const isId = (kind.key as string) === "id";
  const keyType = isId ? GraphQLID : GraphQLString;
  return {
    kind,
    type,
    keyType,
    ...(isId && { keyIsMade: true }),
    fields,
    read,
  } as unknown as SettingRow<never>;
}
