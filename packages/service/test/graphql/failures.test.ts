import { beforeAll, describe, expect, test } from "vitest";
import { logEntry } from "../../../../test/support/logs/log-entries.ts";
import { causeOf } from "../../src/errors.ts";
import { entriesPerBlock } from "../../src/storage/task-details/log-blocks.ts";
import type { LogEntry } from "../../src/storage/task-details/operation-logs.ts";
import { listStoredLogs } from "../../src/storage/task-details/read-logs.ts";
import { writeLogs } from "../../src/storage/task-details/write-logs.ts";
import { logPageBytes } from "../../src/tasks/logs.ts";
import { useApi } from "../http/support.ts";

const failed = (message: string, change: Partial<LogEntry> = {}): Partial<LogEntry> => ({
  ...{ status: "failure", statusCode: 404, errorName: "ItemNotFoundError", action: null, output: null },
  ...{ message, cause: causeOf(message) },
  ...change,
});
const taken = { statusCode: 409, errorName: "SkuTakenError", intent: "product/upsert" } as const;
const partly = { status: "partial", statusCode: 206, action: "published" } as const;

const written = JSON.stringify({
  ...{
    identifier: "Zoë-7",
    parents: [{ identifier: "{{ ref.first.identifier }}" }],
    firstName: "Un-searched",
  },
  components: [{ componentId: "story", itemIds: ["65aa".repeat(6)] }],
});
const rendered = { "/parents/0/identifier": "c-parent" };

/**
 * Of 300 operations: 7 has keys of its own; 100 and 101 are partial, every tenth fails in one of two ways, and 299 in a
 * third.
 */
const entryOf = (index: number): LogEntry => {
  if (index === 7) return logEntry(index, { input: written, rendered, ref: "theSeventh" });
  if (index === 299) return logEntry(index, failed('100% of "a_b" \\ is Wrong'));
  if (index === 100 || index === 101) return logEntry(index, failed("2 of 3 items", partly));
  if (index % 20 === 5) return logEntry(index, failed(`No item has the id "i${index}"`));
  if (index % 20 === 15) return logEntry(index, failed(`The SKU "s-${index}" is taken`, taken));
  return logEntry(index);
};
const every = (step: number, from: number) =>
  Array.from({ length: 300 }, (_, index) => index).filter((index) => index % step === from);

describe("what failed of a task", () => {
  let id: string;
  const api = useApi();
  beforeAll(async () => {
    ({ id } = await api.task());
    for (let first = 0; first < 300; first += 100) {
      const range = { first, end: first + 100 };
      const entries = Array.from({ length: 100 }, (_, at) => entryOf(first + at));
      await writeLogs(api.database, { tenantId: api.shop.tenant.id, taskId: id }, range, entries);
    }
  });

  const logQuery = (given: string, page = "first: 1000") =>
    `{ operationLogs(filter: {operationId: "${id}", ${given}}, ${page}) {
       totalCount searchedTo pageInfo { hasNextPage endCursor } edges { node { index } } } }`;
  const read = (given: string, page?: string) => api.field(logQuery(given, page));
  const indexes = ({ edges }: { edges: { node: { index: number } }[] }) =>
    edges.map(({ node }) => node.index);
  const groups = async (given = "", task = id) =>
    (
      await api.field(`{ bulkTask(id: "${task}") { ... on BulkTaskMassOperation { failureGroups${given} {
        totalCount pageInfo { hasNextPage endCursor }
        edges { node { cause errorName statusCode intent count firstIndex } } } } ... on BasicError { error } } }`)
    ).failureGroups;

  test.each([
    ['text: ""', "text has 0 characters"],
    [`text: "${"x".repeat(1024 * 1024)}"`, "text has 1048576 characters; it must have 1 to 200"],
    [`cause: "${"x".repeat(201)}"`, "cause has 201 characters"],
    ['text: "a\\u0000b"', "NUL"],
    ["statusCode: 404, action: created", "action and statusCode cannot be combined"],
    ["unrepaired: true, action: created", "action and unrepaired cannot be combined"],
  ])("a log is not filtered by %s", async (given, message) => {
    const { body } = await api.ask(logQuery(given));
    expect(body.errors[0].extensions.code).toBe("ValidationError");
    expect(body.errors[0].message).toContain(message);
  });

  test.each([
    'errorName: "NoSuchError"',
    'errorName: "ItemNotFoundError", statusCode: 409',
    'errorName: "ItemNotFoundError", operationTypeStartsWith: "product/"',
    'errorName: "ItemNotFoundError", status: success',
    "statusCode: 200, status: failure",
    "statusCode: 200, unrepaired: true",
    "status: success, unrepaired: true",
    "statusCode: -1",
    'cause: "No item has the id"',
  ])("a log filtered by %s, which nothing matches, is empty, and its count is 0", async (given) => {
    expect(await read(given)).toMatchObject({ edges: [], totalCount: 0 });
  });

  test.each([
    ['errorName: "ItemNotFoundError"', [...every(20, 5), 100, 101, 299].sort((a, b) => a - b)],
    ["statusCode: 409", every(20, 15)],
    ["statusCode: 206", [100, 101]],
    ['statusCode: 404, operationTypeStartsWith: "customer/"', [...every(20, 5), 299]],
    ['status: partial, errorName: "ItemNotFoundError"', [100, 101]],
    [`cause: ${JSON.stringify(causeOf('The SKU "s-15" is taken'))}`, every(20, 15)],
    ["unrepaired: true, statusCode: 409", every(20, 15)],
    ["unrepaired: true, status: partial", [100, 101]],
    ["unrepaired: false, status: partial", [100, 101]],
    ['statusCode: 200, operationTypeStartsWith: "product/"', []],
  ])("a log filtered by %s has the operations that match, and counts them", async (given, expected) => {
    const all = await read(given);
    expect(indexes(all)).toEqual(expected);
    expect(all.totalCount).toBe(expected.length);
  });

  test.each([
    ['"\\"S-15\\""', [15]],
    ['"sku \\"s-1"', every(20, 15).filter((index) => /^1/.test(String(index)))],
    ['"SKU \\"anything\\" is taken"', []],
    ['"zz0"', []],
    ['"items", status: partial', [100, 101]],
    ['"taken", statusCode: 409, unrepaired: true', every(20, 15)],
    ['"taken", status: success', []],
    ['"created customer \\"c7\\"", action: created', [7]],
    ['"%"', [299]],
    ['"\\\\ is wrong"', [299]],
    ['"a_b"', [299]],
    ['"THESEVENTH"', [7]],
    ['"zoË-7"', [7]],
    ['"ref.first"', [7]],
    ['"c-parent"', [7]],
    [`"${"65aa".repeat(6)}"`, [7]],
    ['"Un-searched"', []],
    ['"story"', []],
  ])("a log searched for text: %s has the operations in which a person reads it", async (text, expected) => {
    const seen: number[] = [];
    for (let after = ""; ; ) {
      const page = await read(`text: ${text}`, `first: 4, after: "${after}"`);
      expect(page.totalCount).toBeNull();
      seen.push(...indexes(page));
      if (!page.pageInfo.hasNextPage) break;
      after = page.pageInfo.endCursor;
      expect(page.searchedTo).toBe(Number(after));
    }
    expect(seen).toEqual(expected);
  });

  test("searches of a log leave the event loop to other requests after each block, however many run", async () => {
    let turn = 0;
    let ticking = setImmediate(function tick() {
      turn++;
      ticking = setImmediate(tick);
    });
    const seen = new Map<number, number>();
    const search = () => ({
      matches: () => {
        seen.set(turn, (seen.get(turn) ?? 0) + 1);
        return false;
      },
      budget: { blocks: 3, time: Number.POSITIVE_INFINITY },
    });
    const list = () =>
      listStoredLogs(
        api.database,
        api.shop.tenant.id,
        { operationId: id },
        { first: 10, after: null },
        { bytes: logPageBytes, search: search() },
      );
    const pages = await Promise.all(Array.from({ length: 20 }, list));
    clearImmediate(ticking);
    expect(pages.map(({ searchedTo, hasNextPage }) => [searchedTo, hasNextPage])).toEqual(
      pages.map(() => [299, false]),
    );
    expect(Math.max(...seen.values())).toBe(entriesPerBlock);
  });

  test("the log of a task that does not exist is an error outside of the data, with its name", async () => {
    const unknown = { code: "BulkTaskNotFoundError", errorName: "BulkTaskNotFoundError" };
    expect(await api.ask('{ operationLogs(filter: {operationId: "nothing"}) { totalCount } }')).toMatchObject(
      {
        status: 200,
        body: {
          data: { operationLogs: null },
          errors: [{ message: expect.stringContaining('"nothing"'), extensions: unknown }],
        },
      },
    );
  });

  test("the status code 200 finds what succeeded, with its action", async () => {
    const { totalCount } = await read("statusCode: 200, action: created");
    expect(totalCount).toBe((await read("status: success")).totalCount);
    expect(totalCount).toBe(300 - 15 - 15 - 3);
  });

  test("a filtered log is read in pages that have every match once", async () => {
    const seen: number[] = [];
    for (let page = await read("statusCode: 404", "first: 4"); ; ) {
      seen.push(...indexes(page));
      if (!page.pageInfo.hasNextPage) break;
      page = await read("statusCode: 404", `first: 4, after: "${page.pageInfo.endCursor}"`);
    }
    expect(seen).toEqual([...every(20, 5), 299]);
  });

  test("failures are grouped by cause, error, status and intent, the most frequent first", async () => {
    const { edges, totalCount } = await groups();
    const customer = { intent: "customer/upsert", errorName: "ItemNotFoundError" };
    expect(edges.map(({ node }: { node: object }) => node)).toEqual([
      { ...customer, cause: 'No item has the id "…"', statusCode: 404, count: 15, firstIndex: 5 },
      { ...taken, cause: 'The SKU "…" is taken', count: 15, firstIndex: 15 },
      { ...customer, cause: "… of … items", statusCode: 206, count: 2, firstIndex: 100 },
      { ...customer, cause: '…% of "…" \\ is Wrong', statusCode: 404, count: 1, firstIndex: 299 },
    ]);
    expect(totalCount).toBe(4);
  });

  test("operations that refer to failed ones, whichever, are one group after all others", async () => {
    const { id: task } = await api.task();
    const dependent = (name: string, index: number) =>
      failed(`"${name}" is the result of operation ${index}, which failed.`, {
        ...{ statusCode: 424, errorName: "FailedDependency" },
      });
    const messages = [failed("No such stage"), ...["a", "b", "b"].map(dependent), failed('No item "b"')];
    const entries = messages.map((entry, index) => logEntry(index, entry));
    await writeLogs(
      api.database,
      { tenantId: api.shop.tenant.id, taskId: task },
      { first: 0, end: entries.length },
      entries,
    );
    const found = async (given?: string) =>
      (await groups(given, task)).edges.map(({ node }: { node: { statusCode: number; count: number } }) => [
        ...[node.statusCode, node.count],
      ]);
    expect(await found()).toEqual([
      [404, 1],
      [404, 1],
      [424, 3],
    ]);
    expect(await found("(unrepaired: true)")).toEqual(await found());
  });

  test("a group has the message of its first failure, and says if the others have the same", async () => {
    const { id: task } = await api.task();
    const same = Array.from({ length: 150 }, (_, index) => logEntry(index, failed('No location "north"')));
    const taken = ["b", "a", "b"].map((sku, at) => logEntry(150 + at, failed(`The SKU "${sku}" is taken`)));
    const range = { first: 0, end: 153 };
    await writeLogs(api.database, { tenantId: api.shop.tenant.id, taskId: task }, range, [...same, ...taken]);
    const read = async () => {
      const { failureGroups } = await api.field(`{ bulkTask(id: "${task}") { ... on BulkTaskMassOperation {
        failureGroups { edges { node { count sampleMessage hasOneMessage } } } } ... on BasicError { error } } }`);
      return failureGroups.edges.map(({ node }: { node: object }) => node);
    };
    const several = { count: 3, sampleMessage: 'The SKU "b" is taken', hasOneMessage: false };
    expect(await read()).toEqual([
      { count: 150, sampleMessage: 'No location "north"', hasOneMessage: true },
      several,
    ]);
    await api.database.execute(
      "UPDATE operation_log_failures SET message_digest = NULL WHERE task_id = $1 AND index = 7",
      [task],
    );
    expect(await read()).toMatchObject([{ count: 150, hasOneMessage: false }, several]);
    await api.database.execute("DELETE FROM operation_log_blocks WHERE task_id = $1", [task]);
    expect(await read()).toMatchObject([
      { sampleMessage: 'No location "…"' },
      { sampleMessage: 'The SKU "…" is taken' },
    ]);
  });

  test("groups are read in pages, and a task without failures has none", async () => {
    const first = await groups("(first: 3)");
    expect([first.edges.length, first.totalCount, first.pageInfo.hasNextPage]).toEqual([3, 4, true]);
    const rest = await groups(`(first: 3, after: "${first.pageInfo.endCursor}")`);
    expect([rest.edges.length, rest.pageInfo.hasNextPage]).toEqual([1, false]);
    expect(await groups("", (await api.task()).id)).toMatchObject({ edges: [], totalCount: 0 });
  });

  test("one query groups the failures of few tasks only", async () => {
    for (let made = 0; made < 20; made++) await api.task();
    const list = (first: number) =>
      api.ask(`{ bulkTasks(first: ${first}) { edges { node { failureGroups(first: 1) { totalCount } } } } }`);
    expect((await list(20)).body.errors).toBeUndefined();
    expect((await list(21)).body.errors[0]).toMatchObject({
      message: expect.stringContaining("more than 20 lists of failureGroups"),
      extensions: { code: "ValidationError" },
    });
  });
});
