export const partLimits = { periods: 50, meteredVariables: 50, stages: 100, flowStages: 30 } as const;
