import { checkOperationFile, literalTemplate } from "@lading/schema/internal";
import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import { cancelTask } from "../../packages/service/src/tasks/cancel.ts";
import {
  type FailuresRequest,
  failuresFile,
} from "../../packages/service/src/tasks/retries/failures-file.ts";
import { retryTask } from "../../packages/service/src/tasks/retries/retry.ts";
import { historyEngines } from "../support/engines.ts";
import { opened } from "../support/opened.ts";
import { openRunnerBench } from "../support/runner.ts";

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
/** A topic that cannot be created until the customer `cause` exists. */
const failing = (name: string, cause: string, _ref?: string) =>
  topic(`${name}{{#with (fetchCustomerByIdentifier '${cause}')}}{{/with}}`, _ref);

describe.each(historyEngines)("files of failures on $name", ({ open, runs }) => {
  const bench = opened(() => openRunnerBench(open));
  afterEach(() => bench.stopRunners());

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

  test("a task without failures to write is refused with advice, before anything is written", async () => {
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

  test("a file of failures runs on its own once the cause is fixed; stored braces survive", async () => {
    await bench.runner();
    const { id } = await run(mixed);
    const text = await textOf(id);
    const [first, second] = (await bench.log(id)).flatMap(({ ref, output }) =>
      ref === "t" && output !== null ? [(output as { id: string }).id] : [],
    );
    const read: [index: number, results: object][] = [
      [2, { t: { id: first } }],
      [4, { t: { id: second }, stored: { identifier: braces } }],
      [5, { stored: { identifier: braces } }],
      [6, { stored: { identifier: braces } }],
    ];
    expect(operationsOf(text)).toEqual(
      read.map(([index, _results]) => ({ _source: { task: id, index }, _results, ...mixed[index] })),
    );
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

  test("operations of a file of failures that fail again keep their results in the next one, a plan and a retry", async () => {
    await bench.runner();
    const { id } = await run([topic("g", "t"), failing("g {{ t.id }}", "cause-4"), topic("h", "t")]);
    const text = await textOf(id);
    const again = await run(text);
    expect(again.progress.failed).toBe(1);
    const source = (id: string, index: number) => JSON.stringify({ task: id, index });
    expect(await textOf(again.id)).toBe(text.replace(source(id, 1), source(again.id, 0)));
    await run([customer("cause-4")]);
    expect((await run(text, { kind: "plan" })).progress).toMatchObject({ succeeded: 1, failed: 0 });
    const { id: retry } = await retryTask(bench, bench.tenant, { id: again.id, autoStart: true });
    expect((await bench.ended(retry)).progress).toMatchObject({ succeeded: 1, failed: 0 });
    const [t] = await bench.log(id);
    expect(await topicNames("g _%")).toEqual([`g ${(t!.output as { id: string }).id}`]);
  });

  const written = ["a", "b \"'", "ü😀 \\{{ x }} {", "10", "{{! c }}~}}"].map(literalTemplate);
  const reads = fc.constantFrom(
    ...[
      "{{ a.id }}",
      "{{ b.id }}",
      "{{ c.identifier }}",
      "{{ lookup a 'id' }}",
      "{{ a.id }}{{~ c.identifier ~}} x",
    ],
    ...["{{#if a}}{{ b.id }}{{else}}no{{/if}}", "{{#each a}}{{@key}}{{this}}{{@root.b.id}}{{/each}}"],
    ...[
      "{{#with c as |p|}}{{ p.identifier }}{{ identifier }}{{/with}}",
      "{{#unless b}}{{ a.id }}{{/unless}}",
    ],
    "{{ valueOf (fetchCustomerByIdentifier c.identifier) 'identifier' }}",
  );
  const anyOperation = fc.record({
    ref: fc.constantFrom("a", "b"),
    texts: fc.array(reads, { maxLength: 3 }),
    fails: fc.boolean(),
  });

  test("a file of failures renders what a retry renders, with any references, repeated names and values", async () => {
    await bench.runner();
    let read = 0;
    const property = async (
      values: string[],
      operations: { ref: string; texts: string[]; fails: boolean }[],
    ) => {
      const tenant = await bench.newTenant();
      const topics = operations.map(({ ref, texts, fails }) =>
        fails ? failing(texts.join(" | "), "cause", ref) : topic(`.${texts.join(" | ")}`, ref),
      );
      const customers = [...new Set(values)].map((value) => customer(value, "c"));
      const file = [
        topic("a", "a"),
        topic("b", "b"),
        ...customers,
        ...topics,
        failing("{{ a.id }}", "cause"),
      ];
      const { id } = await bench.ended(await bench.start(file, { tenant }), tenant);
      const text = await textOf(id, {}, tenant);
      await bench.ended(await bench.start([customer("cause")], { tenant }), tenant);
      const again = await bench.start(text, { tenant });
      await bench.ended(again, tenant);
      const { id: retry } = await retryTask(bench, tenant, { id, autoStart: true });
      await bench.ended(retry, tenant);
      const outcomes = async (task: string) => {
        const entries = (await bench.log(task, tenant)).map(({ status, command, output }) => ({
          ...{ status, name: (command as { name: string }).name },
          id: (output as { id?: string } | null)?.id ?? "none",
        }));
        const ids = entries.map((entry) => entry.id);
        // Topics created by this task, by their position in the file of failures.
        return entries.map((entry) =>
          ids.reduce((json, one, at) => json.replaceAll(one, `#${at}`), JSON.stringify(entry)),
        );
      };
      const expected = await outcomes(retry);
      expect(await outcomes(again)).toEqual(expected);
      read += text.includes('"_results"') ? expected.filter((one) => one.includes("success")).length : 0;
    };
    const values = fc.array(fc.constantFrom(...written), { minLength: 1, maxLength: 2 });
    const operations = fc.array(anyOperation, { minLength: 2, maxLength: 8 });
    await fc.assert(fc.asyncProperty(values, operations, property), { numRuns: runs(60) });
    expect(read).toBeGreaterThan(0);
  });

  test("kept references leave the operations unchanged, byte for byte", async () => {
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

  test("repaired operations are left out, ones not attempted are written, and the file may be empty", async () => {
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
