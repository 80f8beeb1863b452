import type { FastifyReply } from "fastify";
import ipaddr from "ipaddr.js";
import { HttpFailure } from "./failures.ts";

/** What is left of a limit after a look at it. */
export interface Quota {
  /** A minute. */
  limit: number;
  remaining: number;
  /** Seconds until the whole limit is there again. */
  reset: number;
  /** Seconds until one more is allowed; 0: now. */
  retryAfter: number;
}

export interface RateLimiter {
  /** Looks without counting. */
  look(key: string): Quota;
  /** Counts one, if one is left, and answers what was left before. */
  take(key: string): Quota;
}

/** So many keys are remembered before those whose limit is whole again are forgotten. */
const rememberedKeys = 10_000;

/**
 * Allows each key `limit` a minute: all at once at first, and then as the minute goes on (a token bucket). Counts in
 * this process alone. `now` is in milliseconds.
 */
export function rateLimiter(limit: number, now: () => number = Date.now): RateLimiter {
  const perSecond = limit / 60;
  const buckets = new Map<string, { left: number; at: number }>();
  const leftOf = ({ left, at }: { left: number; at: number }) =>
    Math.min(limit, left + (Math.max(0, now() - at) / 1000) * perSecond);

  const look = (key: string): Quota => {
    const bucket = buckets.get(key);
    const left = bucket === undefined ? limit : leftOf(bucket);
    return {
      limit,
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

/** Says in the usual headers what is left of a limit. */
export function tellQuota(reply: FastifyReply, { limit, remaining, reset, retryAfter }: Quota): void {
  reply.headers({
    "ratelimit-limit": limit,
    "ratelimit-remaining": retryAfter > 0 ? 0 : remaining - 1,
    "ratelimit-reset": reset,
  });
}

/** Refuses with 429 and `Retry-After` when nothing is left. */
export function refuseWhenUsedUp(reply: FastifyReply, { limit, retryAfter }: Quota, what: string): void {
  if (retryAfter === 0) return;
  reply.header("retry-after", retryAfter);
  const message = `${what}: ${limit} a minute are allowed. Try again in ${retryAfter} s.`;
  throw new HttpFailure(429, "TooManyRequests", message);
}

/** The key of an address: an IPv6 address counts by its first 64 bits, since one client usually has all of those. */
export function addressKey(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed instanceof ipaddr.IPv4) return parsed.toString();
  const network = parsed.parts.slice(0, 4).map((part) => part.toString(16));
  return `${network.join(":")}::/64`;
}
