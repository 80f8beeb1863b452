import { randomBytes } from "node:crypto";

let lastTime = 0;
let counter = 0;

/**
 * A new identifier: 24 lowercase hex digits, growing with time within a process.
 * 12 digits are milliseconds since 1970, 4 a counter within the millisecond, 8 random.
 */
export function newId(now: number = Date.now()): string {
  counter = now > lastTime ? 0 : counter + 1;
  lastTime = Math.max(now, lastTime);
  if (counter > 0xffff) {
    lastTime += 1;
    counter = 0;
  }
  return hex(lastTime, 12) + hex(counter, 4) + randomHex8();
}

const hex = (value: number, digits: number) => value.toString(16).padStart(digits, "0");

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
