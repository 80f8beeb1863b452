import { expect, test } from "vitest";
import type { Database } from "../../src/storage/database.ts";
import { type AfterFailure, retriedTransaction, retry } from "../../src/storage/retry.ts";

/** A database whose transactions fail with these SQLSTATEs in turn, and then succeed. */
function failingWith(...codes: string[]) {
  let begun = 0;
  const transaction: Database["transaction"] = async (work) => {
    const code = codes[begun++];
    if (code !== undefined) throw Object.assign(new Error(code), { code });
    return work({} as Database);
  };
  return { database: { transaction } as Database, begun: () => begun };
}

test("a transaction is retried after a conflict, and when the database ended it in a held-up process", async () => {
  const { database, begun } = failingWith("40001", "25P03", "40P01");
  expect(await retriedTransaction(database, async () => "done")).toBe("done");
  expect(begun()).toBe(4);
});

test("a transaction is not retried after other errors, unless the caller says that they pass", async () => {
  const first = failingWith("23503");
  await expect(retriedTransaction(first.database, async () => "done")).rejects.toThrow("23503");
  expect(first.begun()).toBe(1);
  const second = failingWith("23503", "23503");
  const again = (error: unknown) => (error as { code: string }).code === "23503";
  expect(await retriedTransaction(second.database, async () => "done", again)).toBe("done");
  expect(second.begun()).toBe(3);
});

/** Attempts that fail this often, and their numbers. */
function failingTimes(times: number) {
  const made: number[] = [];
  const attempt = async (number: number) => {
    made.push(number);
    if (number < times) throw new Error(`attempt ${number}`);
    return "done";
  };
  return { attempt, made };
}

test.each<AfterFailure>(["again", "back off"])("attempts repeat until one succeeds: %s", async (next) => {
  const { attempt, made } = failingTimes(3);
  expect(await retry(attempt, { afterFailure: () => next })).toBe("done");
  expect(made).toEqual([0, 1, 2, 3]);
});

test("the last attempt's error is thrown", async () => {
  const { attempt, made } = failingTimes(9);
  await expect(retry(attempt, { afterFailure: () => "again", attempts: 3 })).rejects.toThrow("attempt 2");
  expect(made).toEqual([0, 1, 2]);
});
