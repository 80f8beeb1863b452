import type { FastifyReply } from "fastify";
import ipaddr from "ipaddr.js";
import { HttpFailure } from "../http-failure.ts";

/** The seconds of each period that limits use. */
const secondsOf = { "a minute": 60, "an hour": 3_600 } as const;

type Period = keyof typeof secondsOf;

/** The rest of a limit. */
export interface Quota {
  /** The number per period. */
  limit: number;
  period: Period;
  remaining: number;
  /** Seconds until the whole limit is available again. */
  reset: number;
  /** Seconds until one more is allowed; 0: now. */
  retryAfter: number;
}

export interface RateLimiter {
  /** Returns what is left without counting. */
  look(key: string): Quota;
  /** Counts one, if one is left, and returns what was left before it. */
  take(key: string): Quota;
}

/** Number of keys above which those with an unused limit are dropped. */
const rememberedKeys = 10_000;

/**
 * Limits each key to `limit` per period by a token bucket: the full burst first, then at the limit's rate (ADR 29).
 * Counts in this process only. `now` is in milliseconds.
 */
export function rateLimiter(
  limit: number,
  now: () => number = Date.now,
  period: Period = "a minute",
): RateLimiter {
  const perSecond = limit / secondsOf[period];
  const buckets = new Map<string, { left: number; at: number }>();
  const leftOf = ({ left, at }: { left: number; at: number }) =>
    Math.min(limit, left + (Math.max(0, now() - at) / 1000) * perSecond);

  const look = (key: string): Quota => {
    const bucket = buckets.get(key);
    const left = bucket === undefined ? limit : leftOf(bucket);
    return {
      limit,
      period,
      remaining: Math.floor(left),
      reset: Math.ceil((limit - left) / perSecond),
      retryAfter: left >= 1 ? 0 : Math.ceil((1 - left) / perSecond),
    };
  };
  const forgetWhole = () => {
    for (const [key, bucket] of buckets) if (leftOf(bucket) >= limit) buckets.delete(key);
  };
  const take = (key: string): Quota => {
    const quota = look(key);
    if (quota.retryAfter > 0) return quota;
    const bucket = buckets.get(key);
    buckets.set(key, { left: (bucket === undefined ? limit : leftOf(bucket)) - 1, at: now() });
    if (buckets.size > rememberedKeys) forgetWhole();
    return quota;
  };
  return { look, take };
}

export interface FailureLimiter {
  /**
   * Runs a check, counting errors that are failures. Runs as many checks of a key concurrently as may still fail; the
   * others wait. `refuse` gets the quota before a check, and throws when nothing is left.
   */
  check<Result>(
    key: string,
    isFailure: (error: unknown) => boolean,
    check: () => Result | Promise<Result>,
    refuse: (quota: Quota) => void,
  ): Promise<Result>;
}

export function failureLimiter(limit: number): FailureLimiter {
  const limiter = rateLimiter(limit);
  const checks = new Map<string, { running: number; waiting: (() => void)[] }>();
  const begin = async (key: string, refuse: (quota: Quota) => void) => {
    for (;;) {
      const quota = limiter.look(key);
      refuse(quota);
      const of = checks.get(key) ?? { running: 0, waiting: [] };
      checks.set(key, of);
      if (of.running < quota.remaining) {
        of.running++;
        return of;
      }
      await new Promise<void>((resolve) => of.waiting.push(resolve));
    }
  };
  return {
    async check(key, isFailure, check, refuse) {
      const of = await begin(key, refuse);
      try {
        return await check();
      } catch (error) {
        if (isFailure(error)) limiter.take(key);
        throw error;
      } finally {
        of.running--;
        const { remaining } = limiter.look(key);
        const free = remaining === 0 ? of.waiting.length : remaining - of.running;
        for (const wake of of.waiting.splice(0, free)) wake();
        if (of.running === 0 && of.waiting.length === 0) checks.delete(key);
      }
    },
  };
}

export function setQuotaHeaders(reply: FastifyReply, { limit, remaining, reset, retryAfter }: Quota): void {
  reply.headers({
    "ratelimit-limit": limit,
    "ratelimit-remaining": retryAfter > 0 ? 0 : remaining - 1,
    "ratelimit-reset": reset,
  });
}

/** Refuses with 429 and `Retry-After` when nothing is left. */
export function refuseWhenUsedUp(
  reply: FastifyReply,
  { limit, period, retryAfter }: Quota,
  what: string,
): void {
  if (retryAfter === 0) return;
  reply.header("retry-after", retryAfter);
  const message = `${what}: ${limit} ${period} are allowed. Try again in ${retryAfter} s.`;
  throw new HttpFailure(429, "TooManyRequests", message);
}

/**
 * The key of an address: IPv6 addresses count by their first 64 bits, since one client usually has all of those. A
 * client that has reset its connection has no address any more.
 */
export function addressKey(address = ""): string {
  const withoutZone = address.replace(/%.*/s, "");
  if (!ipaddr.isValid(withoutZone)) return address;
  const parsed = ipaddr.process(withoutZone);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const network = parsed.parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(":")}::/64`;
}
