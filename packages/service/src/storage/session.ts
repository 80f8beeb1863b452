import type { Queries } from "./database.ts";

/** Has what was written checked against unique and foreign keys now, instead of by the commit. */
export const checkKeys = (transaction: Queries) => transaction.query("SET CONSTRAINTS ALL IMMEDIATE");

/** Leaves the checks of keys to the commit again, or to the next `checkKeys`. */
export const deferKeys = (transaction: Queries) => transaction.query("SET CONSTRAINTS ALL DEFERRED");

/** Asks the database for nothing but an answer. */
export const ping = (queries: Queries) => queries.query("SELECT 1");
