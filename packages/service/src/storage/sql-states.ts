import { errorCode } from "../system/thrown.ts";
import { DiskFull, isNoSpace } from "./engines/disk-space.ts";

/** SQLSTATEs by name (PostgreSQL documentation, appendix A). */
export const sqlStates = {
  uniqueViolation: "23505",
  foreignKeyViolation: "23503",
  checkViolation: "23514",
  notNullViolation: "23502",
  serializationFailure: "40001",
  deadlockDetected: "40P01",
  connectionFailure: "08006",
  unknownResolution: "08007",
  protocolViolation: "08P01",
  readOnlyTransaction: "25006",
  invalidAuthorization: "28000",
  invalidPassword: "28P01",
  unknownDatabase: "3D000",
  insufficientPrivilege: "42501",
  duplicateTable: "42P07",
  idleInTransactionTimeout: "25P03",
  lockNotAvailable: "55P03",
  invalidParameterValue: "22023",
  diskFull: "53100",
  tooManyConnections: "53300",
  queryCanceled: "57014",
  adminShutdown: "57P01",
  crashShutdown: "57P02",
  cannotConnectNow: "57P03",
} as const;

/** Classes whose errors are caused by the data of some operation: data exception, integrity, program limit exceeded. */
const dataClasses = ["22", "23", "54"];

/** The SQLSTATE of an error thrown by either engine, or undefined when it has none (`EPIPE` has no digit). */
export function sqlStateOf(error: unknown): string | undefined {
  const code = errorCode(error);
  return /^(?=.*\d)[0-9A-Z]{5}$/.test(code) ? code : undefined;
}

/** True for a conflict with another writer that passes when the batch is rerun on fresh data. */
export function isConflict(error: unknown): boolean {
  const state = sqlStateOf(error);
  return state === sqlStates.serializationFailure || state === sqlStates.deadlockDetected;
}

/**
 * True for errors after which a transaction may be retried: a conflict, or the database ended the transaction because
 * the process stalled. Nothing was committed then.
 */
export function isTransient(error: unknown): boolean {
  return isConflict(error) || sqlStateOf(error) === sqlStates.idleInTransactionTimeout;
}

/** True for an error caused by an operation's data: the batch is split to find which. */
export function isDataError(error: unknown): boolean {
  const state = sqlStateOf(error);
  return state !== undefined && dataClasses.includes(state.slice(0, 2));
}

/**
 * The number of consecutive data errors that blame the operation. A key that another writer took meanwhile is seen, and
 * named, on fresh data; a second collision means yet another writer. Other errors repeat unchanged.
 */
export function dataErrorLimit(error: unknown): number {
  const state = sqlStateOf(error);
  return state === sqlStates.uniqueViolation || state === sqlStates.foreignKeyViolation ? 5 : 2;
}

const outages: readonly string[] = [
  sqlStates.readOnlyTransaction,
  sqlStates.diskFull,
  sqlStates.tooManyConnections,
  sqlStates.queryCanceled,
  sqlStates.adminShutdown,
  sqlStates.crashShutdown,
  sqlStates.cannotConnectNow,
];

/**
 * True for failures of the database, the disk or the network that pass by themselves or with an operator's help, and
 * that no operation causes: the classes connection exception and system error, and failed system calls.
 */
export function isOutage(error: unknown): boolean {
  if (error instanceof DiskFull) return true;
  const state = sqlStateOf(error);
  if (state === undefined) return error instanceof Error && "syscall" in error;
  return ["08", "58"].includes(state.slice(0, 2)) || outages.includes(state);
}

/** True when the cause is a full disk, including that of a server. */
export const isDiskFull = (error: unknown): boolean =>
  error instanceof DiskFull || isNoSpace(error) || sqlStateOf(error) === sqlStates.diskFull;
