import { checkOperationFile, literalTemplate } from "@lading/schema";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { cancelTask } from "../../packages/service/src/tasks/cancel.ts";
import {
  type FailuresRequest,
  failuresFile,
} from "../../packages/service/src/tasks/retries/failures-file.ts";
import { retryTask } from "../../packages/service/src/tasks/retries/retry.ts";
import { engines } from "../support/engines.ts";
import { openRunnerBench, type RunnerBench } from "../support/runner.ts";

const customer = (identifier: string, _ref?: string) => ({
  ...(_ref && { _ref }),
  intent: "customer/create",
  identifier,
});
const topic = (name: string, _ref?: string) => ({
  ...(_ref && { _ref }),
  intent: "topic/create",
  language: "en",
  name,
});
/** A topic that cannot be created before the customer `cause` is there. */
const failing = (name: string, cause: string, _ref?: string) =>
  topic(`${name}{{#with (fetchCustomerByIdentifier '${cause}')}}{{/with}}`, _ref);

describe.each(engines)("files of failures on $name", ({ open }) => {
  let bench: RunnerBench;
  beforeAll(async () => {
    bench = await openRunnerBench(open);
  });
  afterEach(() => bench.stopRunners());
  afterAll(() => bench.close());

  const textOf = async (id: string, request: Partial<FailuresRequest> = {}, tenant = bench.tenant) => {
    let text = "";
    for await (const part of await failuresFile(bench, tenant.id, { id, ...request })) text += part;
    return text;
  };
  const operationsOf = (text: string): { name: string; _source: object }[] => JSON.parse(text).operations;
  const undefinedNames = async (text: string) => {
    const report = await checkOperationFile(
      (async function* () {
        yield Buffer.from(text);
      })(),
    );
    expect(report.errorCount).toBe(0);
    return report.issues.map(({ code, operationIndex }) => `${code} ${operationIndex}`);
  };
  const run = async (file: string | readonly object[], options = {}) =>
    bench.ended(await bench.start(file, options));
  const refused = (message: RegExp, name = "InvalidTaskStateError") =>
    expect.objectContaining({ name, message: expect.stringMatching(message) });
  const topicNames = async (part: string): Promise<string[]> => {
    const sql = "SELECT name FROM topic_contents WHERE tenant_id = $1 AND name LIKE $2 ORDER BY topic_id";
    const rows = await bench.database.query<{ name: string }>(sql, [bench.tenant.id, part]);
    return rows.map(({ name }) => name);
  };

  test("a task that has no failures to give is refused with what to do, before anything is written", async () => {
    await expect(textOf("f".repeat(24))).rejects.toEqual(refused(/no bulk task/, "BulkTaskNotFoundError"));
    const pending = await bench.start([failing("p", "never")], { autoStart: false });
    await expect(textOf(pending)).rejects.toEqual(refused(/is pending; wait for its end, or cancel it/));
    await cancelTask(bench.database, bench.tenant.id, pending);
    await expect(textOf(pending)).rejects.toEqual(refused(/before its file was validated/));
    await bench.runner();
    const { id, key } = await run([failing("o", "never")]);
    await expect(textOf(id, {}, await bench.newTenant())).rejects.toEqual(
      refused(/no bulk task/, "BulkTaskNotFoundError"),
    );
    const invalid = await run([{ intent: "topic/create" }]);
    await expect(textOf(invalid.id)).rejects.toEqual(refused(/file is invalid.*upload a fixed file/));
    await bench.stopRunners();
    const { id: retry } = await retryTask(bench, bench.tenant, { id, autoStart: false });
    await expect(textOf(id)).rejects.toEqual(
      refused(new RegExp(`last retry, bulk task ${retry}: it is pending`)),
    );
    await cancelTask(bench.database, bench.tenant.id, retry);
    const change = (set: string) =>
      bench.database.execute(`UPDATE bulk_tasks SET ${set} WHERE key = $1`, [key]);
    await change("etag = 'another'");
    await expect(textOf(id)).rejects.toEqual(refused(/was replaced/, "UploadNotFoundError"));
    await change("pruning = true");
    await expect(textOf(id)).rejects.toEqual(refused(/was pruned/));
    for (const [kind, advice] of [
      ["plan", /is a plan.*run its file/],
      ["undo", new RegExp(`undo bulk task ${id} again`)],
    ] as const) {
      const set = "UPDATE bulk_tasks SET kind = $2, of_task = $3 WHERE id = $1";
      await bench.database.execute(set, [invalid.id, kind, id]);
      await expect(textOf(invalid.id)).rejects.toEqual(refused(advice));
    }
  });

  const braces = "{{ last.id }} \\{{ {";
  const mixed = [
    topic("first", "t"),
    customer(literalTemplate(braces), "stored"),
    failing("f a {{ t.id }}", "cause-1", "late"),
    topic("second", "t"),
    topic("f b {{ late.id }} {{ t.id }} {{ stored.identifier }}"),
    failing("f c {{ stored.identifier }}{{ defaults.tenantId }}", "cause-1", "t"),
    topic("f d {{ t.id }}{{#if stored.identifier}}, stored{{/if}}"),
  ];

  test("a file of failures runs by itself once the cause is gone, and a stored value with braces survives", async () => {
    await bench.runner();
    const { id } = await run(mixed);
    const text = await textOf(id);
    const [first, second] = (await bench.log(id)).flatMap(({ ref, output }) =>
      ref === "t" && output !== null ? [(output as { id: string }).id] : [],
    );
    expect(operationsOf(text).map(({ _source }) => _source)).toEqual(
      [2, 4, 5, 6].map((index) => ({ task: id, index })),
    );
    expect(text).toContain(`f a ${first}`);
    expect(await undefinedNames(text)).toEqual([]);
    await run([customer("cause-1")]);
    const again = await run(text);
    expect(again).toMatchObject({ status: "complete", progress: { total: 4, failed: 0, succeeded: 4 } });
    const ids = (await bench.log(again.id)).map(({ output }) => (output as { id: string }).id);
    expect(await topicNames("f %")).toEqual([
      `f a ${first}`,
      `f b ${ids[0]} ${second} ${braces}`,
      `f c ${braces}${bench.tenant.id}`,
      `f d ${ids[2]}, stored`,
    ]);
  });

  test("kept references leave the operations as they were written, byte for byte", async () => {
    await bench.runner();
    const written = [
      '{"_ref":"base", "intent":"topic/create","language":"en","name":"base k"}',
      `{ "intent": "topic\\/create",\n  "language":"en", "name": "k {{ base.id }}{{#with (fetchCustomerByIdentifier 'no')}}{{/with}}" }`,
      `{"_source" : {"index":1.0, "task":"earlier {"} , "intent":"topic/create","language":"en","name":"k2 {{ base.id }}{{#with (fetchCustomerByIdentifier 'no')}}{{/with}}"}`,
    ];
    const { id } = await run(`{"version":"2.3.4","operations":[${written}]}`);
    const text = await textOf(id, { references: "kept" });
    const source = (index: number) => `{"task":"${id}","index":${index}}`;
    expect(text).toBe(
      `{"version": "2.3.4", "operations": [\n{"_source": ${source(1)}, ${written[1]?.slice(1)},\n${written[2]?.replace(/\{"index.*? \{"\}/, source(2))}\n]}\n`,
    );
    expect(await undefinedNames(text)).toEqual(["UndefinedReference 0", "UndefinedReference 1"]);
  });

  test("what a retry has repaired is left out, what was not attempted is written, and there may be nothing", async () => {
    await bench.runner();
    const { id } = await run(
      [topic("r zero", "t"), failing("r1", "cause-2"), failing("r2", "cause-3"), topic("r3 {{ t.id }}")],
      { maxFailures: 1 },
    );
    const numbers = async (include?: FailuresRequest["include"]) =>
      operationsOf(await textOf(id, { include })).map(({ _source }) => (_source as { index: number }).index);
    expect(await numbers()).toEqual([1, 2, 3]);
    expect(await numbers(["NOT_ATTEMPTED"])).toEqual([3]);
    expect(await numbers(["PARTIAL"])).toEqual([]);
    await run([customer("cause-2")]);
    const { id: retry } = await retryTask(bench, bench.tenant, { id, autoStart: true });
    await bench.ended(retry);
    expect(await numbers()).toEqual([2]);
    await run([customer("cause-3")]);
    await bench.ended((await retryTask(bench, bench.tenant, { id: retry, autoStart: true })).id);
    expect(await textOf(id)).toBe('{"version": "1.0.0", "operations": [\n]}\n');
  });
});
