import { setImmediate } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { sharedDatabase } from "../../../../test/support/engines.ts";
import { openScheduler } from "../../src/runner/schedule/scheduler.ts";
import { withPending } from "../../src/storage/engines/pending.ts";

const alone = { oneAtATime: false, busy: () => false };

async function settle(): Promise<void> {
  for (let i = 0; i < 20; i++) await setImmediate();
}

function pieces() {
  const begun: string[] = [];
  const piece = (name: string, until: Promise<void> = Promise.resolve()) => {
    return () => {
      begun.push(name);
      return until;
    };
  };
  return { begun, piece };
}

describe("the scheduler", () => {
  test("a long piece of work waits until every short one has ended", async () => {
    const { short, long } = openScheduler(alone);
    const { begun, piece } = pieces();
    const [first, second] = [short(), short()];
    const waiting = long(piece("long"));
    first();
    await settle();
    expect(begun).toEqual([]);
    second();
    await waiting;
    expect(begun).toEqual(["long"]);
  });

  test("a long piece of work does not wait for ever, neither for short ones nor for the database", async () => {
    const { begun, piece } = pieces();
    const one = openScheduler(alone);
    one.short();
    await one.long(piece("with something short"));
    await openScheduler({ ...alone, busy: () => true }).long(piece("with a busy database"));
    expect(begun).toEqual(["with something short", "with a busy database"]);
  });

  test("a long piece of work waits while somebody waits for the database", async () => {
    let busy = true;
    const { begun, piece } = pieces();
    const waiting = openScheduler({ ...alone, busy: () => busy }).long(piece("long"));
    await settle();
    expect(begun).toEqual([]);
    busy = false;
    await waiting;
  });

  test("pieces of work run serially if requested, even after one failed", async () => {
    for (const oneAtATime of [false, true]) {
      const { long } = openScheduler({ ...alone, oneAtATime });
      const { begun, piece } = pieces();
      const { promise, reject } = Promise.withResolvers<void>();
      const first = long(piece("first", promise));
      const second = long(piece("second"));
      await settle();
      expect(begun).toEqual(oneAtATime ? ["first"] : ["first", "second"]);
      reject(new Error("a conflict"));
      await expect(first).rejects.toThrow("a conflict");
      await second;
      expect(begun).toEqual(["first", "second"]);
    }
  });
});

test("pending work of a database is what has begun and has not ended, even by a failure", async () => {
  const { database, pending } = withPending(await sharedDatabase());
  const calls = [
    database.query("SELECT 1"),
    database.execute("this is not SQL"),
    database.transaction((transaction) => transaction.query("SELECT 1")),
  ];
  expect(pending()).toBe(calls.length);
  await Promise.allSettled(calls);
  expect(pending()).toBe(0);
  await database.close();
});
