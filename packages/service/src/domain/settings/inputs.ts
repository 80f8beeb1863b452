import { newId } from "../../storage/ids.ts";
import type {
  MeteredVariable,
  Pipeline,
  PipelineStage,
  PlanPeriod,
  PlanPhase,
  StockLocation,
  SubscriptionPlan,
} from "../../storage/tenants/settings.ts";
import { refuseNewKey } from "../payload/new-key.ts";

/** The fields of a stock location; null means never set. */
export interface StockLocationInput {
  name?: string;
  settings?: { minimum?: number | null | undefined; unlimited?: boolean | null | undefined } | null;
}

export function readStockLocation({ settings, ...fields }: StockLocationInput): Partial<StockLocation> {
  if (!settings) return fields;
  const { minimum, unlimited } = settings;
  return { ...fields, minimum: minimum ?? undefined, unlimited: unlimited || undefined };
}

/** The fields of a subscription plan; its parts may lack ids. */
export interface PlanInput {
  name?: string;
  periods?: Identifiable<Omit<PlanPeriod, "initial"> & { initial?: PlanPhase | null | undefined }>[];
  meteredVariables?: Identifiable<MeteredVariable>[];
}

type Identifiable<Entry> = Omit<Entry, "id"> & { id?: string | null | undefined };

/** Rejects a new variable whose identifier breaks the rule for keys. */
export function readPlan(
  { periods, meteredVariables, ...fields }: PlanInput,
  before: Pick<SubscriptionPlan, "periods" | "meteredVariables"> = { periods: [], meteredVariables: [] },
): Partial<SubscriptionPlan> {
  const known = new Set(before.meteredVariables.map(({ identifier }) => identifier));
  for (const [i, { identifier }] of (meteredVariables ?? []).entries())
    if (!known.has(identifier)) refuseNewKey(identifier, "identifier", undefined, ["meteredVariables", i]);
  return {
    ...fields,
    ...(periods && {
      periods: withIds(periods, before.periods, "name").map(({ initial, ...period }) => ({
        ...period,
        ...(initial && { initial }),
      })),
    }),
    meteredVariables: meteredVariables
      ? withIds(meteredVariables, before.meteredVariables, "identifier")
      : before.meteredVariables,
  };
}

/** The fields of an order pipeline; its stages may lack ids. */
export interface PipelineInput {
  name?: string;
  stages?: Identifiable<PipelineStage>[];
}

export function readPipeline({ stages, ...fields }: PipelineInput, before?: Pipeline): Partial<Pipeline> {
  return { ...fields, ...(stages && { stages: withIds(stages, before?.stages ?? [], "name") }) };
}

/** Entries with their ids: the given one, else that of the entry with the same name, else a new one. */
function withIds<Entry extends { id?: string | null | undefined }, Key extends keyof Entry & string>(
  entries: readonly Entry[],
  before: readonly (Record<Key, Entry[Key]> & { id: string })[],
  key: Key,
): (Entry & { id: string })[] {
  return entries.map((entry) => ({
    ...entry,
    id: entry.id ?? before.find((other) => other[key] === entry[key])?.id ?? newId(),
  }));
}
