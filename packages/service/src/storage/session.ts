import type { Queries } from "./database.ts";

/** Checks unique and foreign keys now, instead of at the commit. */
export const checkKeys = (transaction: Queries) => transaction.query("SET CONSTRAINTS ALL IMMEDIATE");

/** Defers the checks of keys to the commit again, or to the next `checkKeys`. */
export const deferKeys = (transaction: Queries) => transaction.query("SET CONSTRAINTS ALL DEFERRED");

/** Runs the smallest query, to see that the database answers. */
export const ping = (queries: Queries) => queries.query("SELECT 1");
