import type { TenantSettings } from "../../storage/tenants/tenant.ts";

/** An entry of settings with an id, and its name or identifier. */
export interface NamedEntry {
  readonly id: string;
  readonly key: string;
  /** The key of the entry it is a part of. */
  readonly within?: string;
}

export const namedEntries = {
  vatType: ({ vatTypes }) => vatTypes.map(({ id, name }) => ({ id, key: name })),
  orderPipeline: ({ pipelines }) => pipelines.map(({ id, name }) => ({ id, key: name })),
  pipelineStage: ({ pipelines }) =>
    pipelines.flatMap((pipeline) =>
      pipeline.stages.map(({ id, name }) => ({ id, key: name, within: pipeline.name })),
    ),
  planPeriod: ({ subscriptionPlans }) =>
    subscriptionPlans.flatMap(({ identifier, periods }) =>
      periods.map(({ id, name }) => ({ id, key: name, within: identifier })),
    ),
  meteredVariable: ({ subscriptionPlans }) =>
    subscriptionPlans.flatMap((plan) =>
      plan.meteredVariables.map(({ id, identifier }) => ({ id, key: identifier, within: plan.identifier })),
    ),
} as const satisfies Readonly<Record<string, (settings: TenantSettings) => NamedEntry[]>>;
