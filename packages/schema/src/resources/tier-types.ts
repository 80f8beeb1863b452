/** The ways in which the tiers of a price apply to a quantity. */
export const tierTypes = {
  graduated: "each unit costs what the tier says that it falls into",
  volume: "all units cost what the tier of the whole quantity says",
} as const;
