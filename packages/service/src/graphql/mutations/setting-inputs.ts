import {
  GraphQLBoolean,
  GraphQLFloat,
  GraphQLID,
  GraphQLInputObjectType,
  GraphQLList,
  GraphQLNonNull,
  type GraphQLNullableInputType,
  GraphQLString,
} from "graphql";
import { newId } from "../../storage/ids.ts";
import type {
  MeteredVariable,
  PeriodUnit,
  PipelineStage,
  PlanPeriod,
} from "../../storage/tenants/settings.ts";
import { integer, text } from "../derive/non-null.ts";
import * as types from "../types/tenant/settings.ts";

/** The fields that an input has; those marked may be left out of a create, and any out of an update. */
export type InputFields = Readonly<
  Record<string, { type: GraphQLNullableInputType; optional?: true; description?: string }>
>;

const name = { name: { type: GraphQLString } };

/** A field of the lists whose first entry is the default. */
const isDefault = {
  isDefault: {
    type: GraphQLBoolean,
    optional: true,
    description: "True makes it the first, which is the default.",
  },
} as const;

export const language: InputFields = { ...name, ...isDefault };
export const vatType: InputFields = { ...name, percent: { type: GraphQLFloat }, ...isDefault };
export const priceVariant: InputFields = { ...name, currency: { type: GraphQLString }, ...isDefault };
export const market: InputFields = name;

export const stockLocation: InputFields = {
  ...name,
  settings: {
    type: new GraphQLInputObjectType({
      name: "StockLocationSettingsInput",
      fields: {
        minimum: {
          type: GraphQLFloat,
          description: "The least stock that is left; default 0, below it for what can be sold in advance.",
        },
        unlimited: { type: GraphQLBoolean, description: "True: any stock, also below the minimum." },
      },
    }),
    optional: true,
  },
  ...isDefault,
};

interface StockLocationInput {
  settings?: { minimum?: number | null; unlimited?: boolean | null } | null;
}

/** Reads the input of a stock location; null is the same as a value that was never set. */
export function readStockLocation({ settings, ...input }: StockLocationInput) {
  if (!settings) return input;
  return { ...input, minimum: settings.minimum ?? undefined, unlimited: settings.unlimited || undefined };
}

const Phase = new GraphQLInputObjectType({
  name: "SubscriptionPlanPhaseInput",
  fields: {
    period: { type: integer },
    unit: { type: new GraphQLNonNull(types.PeriodUnit) },
  },
});

const entriesOf = (type: GraphQLInputObjectType) => new GraphQLList(new GraphQLNonNull(type));

const ownId = {
  id: { type: GraphQLID, description: "Default: that of the entry with the same name, else a new one." },
};

const Period = new GraphQLInputObjectType({
  name: "SubscriptionPlanPeriodInput",
  fields: {
    ...ownId,
    name: { type: text },
    initial: { type: Phase },
    recurring: { type: new GraphQLNonNull(Phase) },
  },
});

const Variable = new GraphQLInputObjectType({
  name: "SubscriptionPlanMeteredVariableInput",
  fields: { ...ownId, identifier: { type: text }, name: { type: text }, unit: { type: text } },
});

export const subscriptionPlan: InputFields = {
  ...name,
  periods: { type: entriesOf(Period) },
  meteredVariables: { type: entriesOf(Variable), optional: true },
};

interface PhaseInput {
  period: number;
  unit: PeriodUnit;
}

interface PlanInput {
  periods?: { id?: string | null; name: string; initial?: PhaseInput | null; recurring: PhaseInput }[];
  meteredVariables?: (Omit<MeteredVariable, "id"> & { id?: string | null })[];
}

interface PlanParts {
  periods: PlanPeriod[];
  meteredVariables: MeteredVariable[];
}

export function readPlan(input: PlanInput, before: PlanParts = { periods: [], meteredVariables: [] }) {
  const { periods, meteredVariables, ...rest } = input;
  return {
    ...rest,
    ...(periods && {
      periods: withIds(periods, before.periods, "name").map(({ initial, ...period }) => ({
        ...period,
        ...(initial && { initial }),
      })),
    }),
    ...(meteredVariables && {
      meteredVariables: withIds(meteredVariables, before.meteredVariables, "identifier"),
    }),
  };
}

const Stage = new GraphQLInputObjectType({
  name: "PipelineStageInput",
  fields: { ...ownId, name: { type: text } },
});

export const pipeline: InputFields = { ...name, stages: { type: entriesOf(Stage) } };

interface PipelineInput {
  stages?: { id?: string | null; name: string }[];
}

export function readPipeline({ stages, ...input }: PipelineInput, before?: { stages: PipelineStage[] }) {
  return { ...input, ...(stages && { stages: withIds(stages, before?.stages ?? [], "name") }) };
}

/** Entries with their ids: the one that is given, else that of the entry with the same name, else a new one. */
function withIds<Entry extends { id?: string | null }, Key extends keyof Entry & string>(
  entries: readonly Entry[],
  before: readonly (Record<Key, Entry[Key]> & { id: string })[],
  key: Key,
): (Entry & { id: string })[] {
  return entries.map((entry) => ({
    ...entry,
    id: entry.id ?? before.find((other) => other[key] === entry[key])?.id ?? newId(),
  }));
}
