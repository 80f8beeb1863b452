/** SQLSTATEs by name (PostgreSQL documentation, appendix A). */
export const sqlStates = {
  uniqueViolation: "23505",
  foreignKeyViolation: "23503",
  serializationFailure: "40001",
  deadlockDetected: "40P01",
  idleInTransactionTimeout: "25P03",
  adminShutdown: "57P01",
} as const;

/** Classes whose errors are caused by the data of some operation: data exception, integrity, program limit exceeded. */
const dataClasses = ["22", "23", "54"];

/** The SQLSTATE of an error thrown by either engine, or undefined when it has none. */
export function sqlStateOf(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === "string" && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
}

/** True for a conflict with another writer that passes when the batch runs again on fresh data. */
export function isConflict(error: unknown): boolean {
  const state = sqlStateOf(error);
  return state === sqlStates.serializationFailure || state === sqlStates.deadlockDetected;
}

/** True for an error that some operation's data causes: the batch is split to find the guilty one. */
export function isDataError(error: unknown): boolean {
  const state = sqlStateOf(error);
  return state !== undefined && dataClasses.includes(state.slice(0, 2));
}
