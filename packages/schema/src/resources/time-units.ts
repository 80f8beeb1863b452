/** Units of the periods of contracts. */
export const periodUnits = { day: "days", week: "weeks", month: "months", year: "years" } as const;

/** Units of the periods of cart items. */
export const timeUnits = { minute: "minutes", hour: "hours", ...periodUnits } as const;
