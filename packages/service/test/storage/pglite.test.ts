import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { expect, test } from "vitest";
import { openPglite } from "../../src/storage/pglite.ts";
import { WorkerStream } from "../../src/storage/worker-stream.ts";

test("a thread that dies breaks the connection to it, with the reason", async () => {
  for (const [does, reason] of [
    ["process.exit(3)", "the thread of the database has ended"],
    ["throw new Error('out of order')", "out of order"],
  ] as const) {
    const script = `require("node:worker_threads").parentPort.once("message", () => { ${does} })`;
    const stream = new WorkerStream(new Worker(script, { eval: true }));
    const broken = once(stream, "error");
    stream.write("question");
    const [error] = await broken;
    expect(error.message).toBe(reason);
    expect(stream.destroyed).toBe(true);
  }
});

test("what was asked before it is closed is answered, and what is asked then is refused", async () => {
  const database = await openPglite();
  const failure = database.query("SELECT 1 / 0").catch((error) => error.code);
  const answer = database.transaction((transaction) => transaction.query("SELECT 1 AS one"));
  await database.close();
  expect(await failure).toBe("22012");
  expect(await answer).toEqual([{ one: 1 }]);
  await expect(database.query("SELECT 2")).rejects.toThrow(/closed/);
});
