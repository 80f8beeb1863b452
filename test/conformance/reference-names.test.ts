import { afterEach, describe, expect, test } from "vitest";
import type { Database, Queries } from "../../packages/service/src/storage/database.ts";
import { engines } from "../support/engines.ts";
import { blockInsert } from "../support/logs/operation-log.ts";
import { opened } from "../support/opened.ts";
import { openRunnerBench } from "../support/runner.ts";

const group = (name: string, more: object = {}) => ({
  intent: "customer/group/upsert",
  identifier: `of-${name}`,
  name,
  ...more,
});
const others = (count: number) => Array.from({ length: count }, (_, i) => group(`g${i}`));

/** More than a first batch, with unused names before and after a misspelt one. */
const operations = [
  group("{{ tea.identifier }}", { identifier: "first" }),
  group("tea", { _ref: "tea" }),
  group("cup", { _ref: "cup" }),
  group("{{ tae.identifier }}", { identifier: "second" }),
  ...others(100),
  group("pot", { _ref: "pot" }),
  group("{{ tae.identifier }}", { identifier: "third" }),
];

describe.each(engines)("a misspelt _ref on $name", ({ open }) => {
  const bench = opened(() => openRunnerBench(open));
  afterEach(() => bench.stopRunners());

  async function messagesOf(id: string): Promise<(string | null)[]> {
    await bench.ended(id);
    return (await bench.log(id)).filter(({ statusCode }) => statusCode === 400).map(({ message }) => message);
  }

  /** Calls back when a transaction first writes log entries. */
  function watched(onLog: () => void): Database {
    let seen = false;
    const watch = (inner: Queries): Queries => ({
      ...inner,
      execute: (sql, parameters) => {
        if (!seen && blockInsert.test(sql)) {
          seen = true;
          onLog();
        }
        return inner.execute(sql, parameters);
      },
    });
    return { ...bench.database, transaction: (work) => bench.database.transaction((t) => work(watch(t))) };
  }

  const none =
    'No operation before this one has the _ref "tea". Write \\{{ for braces that are text; in JSON, "\\\\{{". None has one. (operations[0], /name)';

  test("a misspelt _ref is reported in a file without other references", async () => {
    await bench.runner();
    expect(await messagesOf(await bench.start([group("{{ tea.identifier }}", { identifier: "x" })]))).toEqual(
      [none],
    );
  });

  test("an operation that references its own _ref gets an error that says so", async () => {
    await bench.runner();
    const own = { ...group("{{ tea.identifier }}", { identifier: "x" }), _ref: "tea" };
    expect(await messagesOf(await bench.start([own]))).toEqual([
      '"tea" is the _ref of this operation itself, whose result only later ones read. (operations[0], /name)',
    ]);
  });

  test("the error for a misspelt _ref suggests earlier names, used or not, also in a resumed task", async () => {
    await bench.runner();
    const undisturbed = await messagesOf(await bench.start(operations));
    const said = 'No operation before this one has the _ref "tae". Did you mean "tea"? There are "tea"';
    expect(undisturbed).toEqual([
      '"tea" is the _ref of operation 1, which is executed later: move it before this one. (operations[0], /name)',
      `${said} and "cup". (operations[3], /name)`,
      `${said}, "cup" and "pot". (operations[105], /name)`,
    ]);
    await bench.stopRunners();

    const written = Promise.withResolvers<void>();
    const stop = await bench.runner({ database: watched(written.resolve) });
    const id = await bench.start(operations);
    await written.promise;
    await stop();
    const { processed } = (await bench.task(id)).progress;
    expect(processed).toBeGreaterThan(0);
    expect(processed).toBeLessThanOrEqual(100);
    await bench.runner();
    expect(await messagesOf(id)).toEqual(undisturbed);
  });
});
