/** A value of a stored entity. Objects and lists are cells of JSON. */
export type Cell = string | number | boolean | object | null | undefined;

/** The type of a column's cells, as a conversion map names it. */
export type CellType = "text" | "number" | "boolean" | "json";
