import { expect, test } from "vitest";
import type { Database } from "../../src/storage/database.ts";
import { retriedTransaction } from "../../src/storage/retried-transaction.ts";

/** A database whose transactions end with these SQLSTATEs, one after the other, and then succeed. */
function failingWith(...codes: string[]) {
  let begun = 0;
  const transaction: Database["transaction"] = async (work) => {
    const code = codes[begun++];
    if (code !== undefined) throw Object.assign(new Error(code), { code });
    return work({} as Database);
  };
  return { database: { transaction } as Database, begun: () => begun };
}

test("a conflict, and a transaction that the database ended while the process was held up, begin anew", async () => {
  const { database, begun } = failingWith("40001", "25P03", "40P01");
  expect(await retriedTransaction(database, async () => "done")).toBe("done");
  expect(begun()).toBe(4);
});

test("any other error ends it, unless the caller says that it passes", async () => {
  const first = failingWith("23503");
  await expect(retriedTransaction(first.database, async () => "done")).rejects.toThrow("23503");
  expect(first.begun()).toBe(1);
  const second = failingWith("23503", "23503");
  const again = (error: unknown) => (error as { code: string }).code === "23503";
  expect(await retriedTransaction(second.database, async () => "done", again)).toBe("done");
  expect(second.begun()).toBe(3);
});
