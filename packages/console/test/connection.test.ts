import { expect, test } from "vitest";
import { retryDelay } from "../src/api/connection.ts";
import { ServiceAway } from "../src/api/errors.ts";

test("retries wait as long as the service asked for, otherwise longer each time up to five seconds", () => {
  expect([0, 1, 2, 10].map((tries) => retryDelay(tries, new ServiceAway("away")))).toEqual([
    500, 1_000, 2_000, 5_000,
  ]);
  expect(retryDelay(0, new ServiceAway("refused", { retryAfter: 12_000 }))).toBe(12_000);
});
