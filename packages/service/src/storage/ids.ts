import { createHash, randomBytes } from "node:crypto";

let lastTime = 0;
let timeText = hex(0, 12);
let counter = 0;

/**
 * A new identifier: 24 lowercase hex digits, growing with time within a process.
 * 12 digits are milliseconds since 1970, 4 a counter within the millisecond, 8 random.
 */
export function newId(now: number = Date.now()): string {
  if (now > lastTime) startAt(now);
  else if (++counter > 0xffff) startAt(lastTime + 1);
  return timeText + hex(counter, 4) + randomHex8();
}

/** The lower bound of all ids made at this time or later. */
export const firstIdAt = (time: number): string => hex(time, 12);

function startAt(time: number): void {
  lastTime = time;
  timeText = hex(time, 12);
  counter = 0;
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, "0");
}

let pool = "";
let used = 0;

/** Random digits are drawn from a pool, because a system call per identifier would show in a batch. */
function randomHex8(): string {
  if (used === pool.length) {
    pool = randomBytes(4096).toString("hex");
    used = 0;
  }
  used += 8;
  return pool.slice(used - 8, used);
}

/** A deterministic identifier derived from texts. */
export const derivedId = (...parts: readonly string[]): string =>
  createHash("sha256").update(JSON.stringify(parts)).digest("hex").slice(0, 24);
