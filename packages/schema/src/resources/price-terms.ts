/** The ways in which the tiers of a price apply to a quantity. */
export const tierTypes = {
  graduated: "each unit costs what the tier says that it falls into",
  volume: "all units cost what the tier of the whole quantity says",
} as const;

export const periodUnits = { day: "days", week: "weeks", month: "months", year: "years" } as const;

/** Units of the periods of cart items. */
export const timeUnits = { minute: "minutes", hour: "hours", ...periodUnits } as const;
