/** The ways in which the tiers of a price apply to a quantity. */
export const tierTypes = {
  graduated: "each unit has the price of the tier it falls into",
  volume: "all units have the price of the whole quantity's tier",
} as const;

export const periodUnits = { day: "days", week: "weeks", month: "months", year: "years" } as const;

/** Units of the periods of cart items. */
export const timeUnits = { minute: "minutes", hour: "hours", ...periodUnits } as const;
