import { afterEach, describe, expect, test } from "vitest";
import type { Database, Parameter } from "../../packages/service/src/storage/database.ts";
import { engines } from "../support/engines.ts";
import { hashesOf } from "../support/hashes-of.ts";
import { opened } from "../support/opened.ts";
import { openRunnerBench } from "../support/runner.ts";

const group = (identifier: string) => ({ intent: "customer/group/upsert", identifier, name: "n" });
const groups = (count: number) => Array.from({ length: count }, (_, i) => group(`g${i}`));
const failing = { intent: "customer/update", identifier: "nobody", firstName: "x" };

describe.each(engines)("limits of failures on $name", ({ open }) => {
  const bench = opened(() => openRunnerBench(open));
  afterEach(() => bench.stopRunners());

  test("a task ends with the first failure over its limit, and executes nothing more", async () => {
    await bench.runner();
    const operations = [group("a"), failing, group("b"), failing, group("c"), failing, group("d")];
    const id = await bench.start(operations, { maxFailures: 1 });
    expect(await bench.ended(id)).toMatchObject({
      status: "error",
      maxFailures: 1,
      info: {
        errorName: "TooManyFailures",
        error: expect.stringContaining("Stopped after more than 1 failure"),
        stack: expect.stringContaining("before /operations/4: 4 of 7 operations had been executed"),
      },
      progress: { total: 7, processed: 4, succeeded: 2, failed: 2 },
    });
    expect((await bench.log(id)).map(({ status }) => status)).toEqual([
      "success",
      "failure",
      "success",
      "failure",
    ]);
  });

  test.each([
    ["as many failures as are allowed", 3, "complete"],
    ["any number when none is given", undefined, "complete"],
    ["no failure at all", 0, "error"],
  ])("the limit of failures allows %s", async (_, maxFailures, status) => {
    await bench.runner();
    const id = await bench.start([failing, failing, failing], { maxFailures });
    expect((await bench.ended(id)).status).toBe(status);
  });

  test.each([
    ["", {}],
    [", also after as many operations as it is held after", { holdAfter: 2 }],
    [", also after as many failures as it is held on", { holdOnFailures: 2 }],
  ])("the next runner ends a task whose runner died when it was over its limit%s", async (_, more) => {
    const id = await bench.start([failing, failing, group("a")], { maxFailures: 1, ...more });
    let died = false;
    const dying: Database = {
      ...bench.database,
      transaction: (work, options) =>
        bench.database.transaction((transaction) => {
          const query = async <Row>(sql: string, parameters?: readonly Parameter[]) => {
            if (!died && /error_name = \$6/.test(sql)) {
              died = true;
              throw new Error("the runner ends before it has ended the task");
            }
            return transaction.query<Row>(sql, parameters);
          };
          return work({ ...transaction, query });
        }, options),
    };
    await bench.runner({ database: dying, lease: 400 });
    const task = await bench.ended(id);
    expect(died).toBe(true);
    expect(task).toMatchObject({ info: { errorName: "TooManyFailures" }, progress: { processed: 2 } });
  });

  /** The database; hashes of validated files differ, as if this version read the file differently. */
  const withHashesOf = (file: string, database: Database): Database => ({
    ...database,
    query: async <Row>(sql: string, parameters?: readonly Parameter[]) =>
      (await database.query<Row>(sql, parameters)).map((row) =>
        typeof row === "object" && row !== null && "stretchHashes" in row && row.stretchHashes !== null
          ? { ...row, stretchHashes: hashesOf(file) }
          : row,
      ) as Row[],
  });

  test.each([
    ["fewer", 1],
    ["more", 3],
  ])(
    "a file that has %s operations than when it was validated ends its task, and undoes it if it is all or nothing",
    async (_, count) => {
      const whole = JSON.stringify({ version: "1.0.0", operations: groups(2) });
      const other = JSON.stringify({ version: "1.0.0", operations: groups(count) });
      let reads = 0;
      const store = {
        ...bench.store,
        read: async function* () {
          yield Buffer.from(reads++ === 0 ? whole : other);
        },
      };
      await bench.runner({ store, database: withHashesOf(other, bench.database) });
      const task = await bench.ended(await bench.start(whole, { onFailure: "UNDO" }));
      expect(task).toMatchObject({ status: "error", info: { errorName: "ObjectChanged" } });
      expect(task.info?.stack).toContain(`before /operations/${count}: ${count} of 2 operations`);
      expect(task.info?.error).toBe(
        `The file ended after ${count} operations; it had 2 when it was validated`,
      );
      expect(await bench.ended(task.undoneBy!)).toMatchObject({
        ...{ status: "complete", kind: "undo" },
        progress: { total: count, failed: 0 },
      });
    },
  );

  test("a strict task ends with the first warning of its file, and nothing is executed", async () => {
    await bench.runner();
    const file = [group("strict"), { ...group("warned"), nam: "n", name: "{{ nobody.name }}" }];
    const strict = await bench.ended(await bench.start(file, { strict: true }));
    expect(strict).toMatchObject({
      status: "error",
      strict: true,
      info: { errorName: "ValidationError" },
      errorCount: 2,
      warningCount: 0,
      progress: { processed: 0 },
    });
    const lenient = await bench.ended(await bench.start(file));
    expect(lenient).toMatchObject({
      status: "complete",
      strict: false,
      warningCount: 2,
      progress: { processed: 2, failed: 1 },
    });
    expect(await bench.ended(await bench.start([group("a")], { strict: true }))).toMatchObject({
      status: "complete",
      warningCount: 0,
    });
  });
});
