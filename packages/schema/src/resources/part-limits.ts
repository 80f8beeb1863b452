/** The most parts that a plan, a pipeline and a flow may have. */
export const partLimits = { periods: 50, meteredVariables: 50, stages: 100, flowStages: 30 } as const;
