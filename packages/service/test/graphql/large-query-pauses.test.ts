import { expect, test } from "vitest";
import { largeQueries } from "../../src/graphql/execution/large-queries.ts";

test("a large query that waited for one of its tenant begins after a pause as long, in which other tenants get on", async () => {
  const queries = largeQueries();
  const began: string[] = [];
  const { promise, resolve: finish } = Promise.withResolvers<void>();
  let ended = 0;
  const first = queries.run("one", async () => {
    const begin = performance.now();
    await promise;
    while (performance.now() - begin < 100) {
      // As a statement of PGlite does, it keeps the thread.
    }
    ended = performance.now();
  });
  const second = queries.run("one", () => {
    began.push("one");
    return performance.now() - ended;
  });
  finish();
  await first;
  await queries.run("another", () => began.push("another"));
  expect(await second).toBeGreaterThan(95);
  expect(began).toEqual(["another", "one"]);
});

test("a large query begins immediately when none of its tenant waits", async () => {
  const queries = largeQueries();
  const { promise, resolve: finish } = Promise.withResolvers<void>();
  const first = queries.run("one", () => promise);
  finish();
  await first;
  let hasBegun = false;
  const second = queries.run("one", () => {
    hasBegun = true;
  });
  await Promise.resolve();
  expect(hasBegun).toBe(true);
  await second;
});
