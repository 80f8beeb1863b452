import { expect, test } from "vitest";
import { addressKey, rateLimiter } from "../../src/http/limits/rate-limit.ts";

const clock = () => {
  let time = 0;
  const pass = (ms: number) => {
    time += ms;
  };
  return { now: () => time, pass };
};

test("a key that has used up its limit waits until one more request is allowed", () => {
  const { now, pass } = clock();
  const limiter = rateLimiter(3, now);
  const takes = [1, 2, 3, 4].map(() => limiter.take("a"));
  expect(takes.map(({ remaining, retryAfter }) => [remaining, retryAfter])).toEqual([
    [3, 0],
    [2, 0],
    [1, 0],
    [0, 20],
  ]);
  pass(19_000);
  expect(limiter.look("a")).toMatchObject({ limit: 3, remaining: 0, reset: 41, retryAfter: 1 });
  pass(1_000);
  expect(limiter.take("a").retryAfter).toBe(0);
  expect(limiter.take("a").retryAfter).toBe(20);
});

test("a limit of an hour comes back at the rate of an hour", () => {
  const { now, pass } = clock();
  const limiter = rateLimiter(60, now, "an hour");
  for (let i = 0; i < 60; i++) expect(limiter.take("a").retryAfter).toBe(0);
  expect(limiter.take("a")).toMatchObject({ period: "an hour", reset: 3_600, retryAfter: 60 });
  pass(60_000);
  expect([limiter.take("a").retryAfter, limiter.take("a").retryAfter]).toEqual([0, 60]);
});

test("refused requests do not count, and keys count separately", () => {
  const { now, pass } = clock();
  const limiter = rateLimiter(1, now);
  for (let i = 0; i < 100; i++) limiter.take("a");
  expect(limiter.take("b").retryAfter).toBe(0);
  pass(60_000);
  expect(limiter.take("a").retryAfter).toBe(0);
});

test("a key never has more than its limit, however long it was idle, even if the clock is set back", () => {
  const { now, pass } = clock();
  const limiter = rateLimiter(2, now);
  limiter.take("a");
  pass(3_600_000);
  expect(limiter.look("a")).toMatchObject({ limit: 2, remaining: 2, reset: 0, retryAfter: 0 });
  limiter.take("a");
  pass(-60_000);
  expect(limiter.look("a").remaining).toBe(1);
});

test("keys are forgotten once their limit is whole again, and counted on until then", () => {
  const { now, pass } = clock();
  const limiter = rateLimiter(1, now);
  for (let i = 0; i < 10_000; i++) limiter.take(`early ${i}`);
  pass(30_000);
  limiter.take("late");
  pass(30_000);
  for (let i = 0; i < 100; i++) limiter.take(`again ${i}`);
  expect(limiter.take("late").retryAfter).toBe(30);
  expect(limiter.take("early 0").retryAfter).toBe(0);
});

test("an IPv4 address counts by itself, however it is written, and an IPv6 address by its network", () => {
  expect(addressKey("192.0.2.1")).toBe("192.0.2.1");
  expect(addressKey("::ffff:192.0.2.1")).toBe("192.0.2.1");
  expect(addressKey("2001:db8:1:2:3:4:5:6")).toBe("2001:db8:1:2::/64");
  expect(addressKey("2001:0db8:0001:0002::1")).toBe("2001:db8:1:2::/64");
  expect(addressKey("2001:db8::1")).toBe("2001:db8:0:0::/64");
  expect(addressKey("fe80::1%eth0")).toBe("fe80:0:0:0::/64");
  expect(addressKey("fe80::1%br-1f")).toBe("fe80:0:0:0::/64");
  expect(addressKey("::1")).toBe("0:0:0:0::/64");
});
