import { Readable } from "node:stream";
import { beforeAll, describe, expect, test } from "vitest";
import { logEntry } from "../../../../test/support/logs/log-entries.ts";
import { writeBeforeImages } from "../../src/storage/task-details/before-images.ts";
import { writeLogs } from "../../src/storage/task-details/write-logs.ts";
import { type BeforeImage, keepBefore } from "../../src/storage/unit-of-work/before-images.ts";
import { cancelTask } from "../../src/tasks/cancel.ts";
import { wholeRowLimits } from "../../src/tasks/changes/whole-rows.ts";
import { operationTextBytes } from "../../src/tasks/log/operation.ts";
import { logPageBytes } from "../../src/tasks/logs.ts";
import { useApi } from "../http/support.ts";

const large = JSON.stringify({
  intent: "customer/upsert",
  identifier: "large",
  lastName: "ä".repeat(140_000),
});
const texts = ['{"intent": "customer/upsert", "identifier": "{{x}}", "firstName": "Zoë"}', large, "{}"];
const content = `{"version": "1.0.0", "operations": [\n${texts.join(",\n")}\n]}`;
const locationOf = (text: string) => ({
  offset: Buffer.byteLength(content.slice(0, content.indexOf(text))),
  length: Buffer.byteLength(text),
});

describe("an operation of a task by its number", () => {
  let id: string;
  let key: string;
  const api = useApi();
  beforeAll(async () => {
    ({ id, key } = await api.task(content));
    const [first = "", second = ""] = texts;
    await writeLogs(api.database, { tenantId: api.shop.tenant.id, taskId: id }, { first: 0, end: 3 }, [
      logEntry(0, { input: first, position: locationOf(first), rendered: { "/identifier": "ann" } }),
      logEntry(1, { input: second, position: locationOf(second) }),
      logEntry(2, { position: null }),
    ]);
  });

  const fields = "index offset length text isTextCut log { index status input command changes { more } }";
  const operation = async (index: number, task = id) =>
    (
      await api.field(`{ bulkTask(id: "${task}") { ... on BulkTaskMassOperation { operation(index: ${index}) { ${fields} } }
           ... on BasicError { errorName } } }`)
    ).operation;

  test.each([-1, 3, 2_000_000_000])("the number %i, which the log does not have, is null", async (index) => {
    expect(await operation(index)).toBe(null);
  });

  test("an operation has its position in the file, its text, its entry and its executed input", async () => {
    const [text = ""] = texts;
    expect(await operation(0)).toEqual({
      ...{ index: 0, ...locationOf(text), text, isTextCut: false },
      log: {
        ...{ index: 0, status: "success", changes: null },
        input: JSON.parse(text),
        command: { ...JSON.parse(text), identifier: "ann" },
      },
    });
  });

  test("the text of a large operation is cut between two characters, and says so", async () => {
    const { text, length, isTextCut } = await operation(1);
    expect([length, isTextCut]).toEqual([Buffer.byteLength(large), true]);
    expect(large.startsWith(text)).toBe(true);
    expect(operationTextBytes - Buffer.byteLength(text)).toBe(1);
  });

  test("an operation without a position has no text", async () => {
    expect(await operation(2)).toMatchObject({ offset: null, length: null, text: null, isTextCut: false });
  });

  describe("a range of operations", () => {
    const ask = (range: string, selected = "index offset text log { index }", task = id) =>
      api.ask(`{ bulkTask(id: "${task}") { ... on BulkTaskMassOperation { operations(${range}) { ${selected} } }
        ... on BasicError { errorName } } }`);
    const range = async (given: string, task = id) =>
      (await ask(given, undefined, task)).body.data.bulkTask.operations;

    test.each([
      ["from: -1, count: 1", "from is -1; it must be 0 or more"],
      ["from: 0, count: 0", "count is 0; it must be 1 to 100"],
      ["from: 0, count: 101", "count is 101; it must be 1 to 100"],
    ])("%s is refused", async (given, message) => {
      const [error] = (await ask(given)).body.errors;
      expect([error.message, error.extensions.code]).toEqual([message, "ValidationError"]);
    });

    test("counts its operations among those of the query", async () => {
      const selected = "index } more: operations(from: 0, count: 1) { index";
      const { errors } = (await ask("from: 0, count: 100", selected)).body;
      expect(errors[0].message).toContain("more than 100 operations by number");
    });

    test("is empty after the last, and has what is executed, with its position in the file", async () => {
      expect(await range("from: 3, count: 100")).toEqual([]);
      const found = await range("from: 1, count: 100");
      expect(found).toMatchObject([
        { index: 1, offset: locationOf(large).offset, log: { index: 1 } },
        { index: 2, offset: null, text: null },
      ]);
      expect(await range("from: 0, count: 1")).toMatchObject([{ index: 0, text: texts[0] }]);
    });

    test("has no operations of after its end where a retry skipped some", async () => {
      const { id: task } = await api.task(content);
      const key = { tenantId: api.shop.tenant.id, taskId: task };
      await writeLogs(api.database, key, { first: 0, end: 9 }, [logEntry(1), logEntry(8)]);
      expect(await range("from: 0, count: 5", task)).toMatchObject([{ index: 1 }]);
    });

    test("ends where its entries are large, and continues from there", async () => {
      const { id: task } = await api.task(content);
      const key = { tenantId: api.shop.tenant.id, taskId: task };
      const input = JSON.stringify({ intent: "customer/upsert", note: "x".repeat(logPageBytes / 2) });
      const entries = [0, 1, 2].map((index) => logEntry(index, { input }));
      await writeLogs(api.database, key, { first: 0, end: 3 }, entries);
      expect((await ask("from: 0, count: 3", "index", task)).body.data.bulkTask.operations).toEqual([
        { index: 0 },
        { index: 1 },
      ]);
      expect((await ask("from: 2, count: 1", "index", task)).body.data.bulkTask.operations).toEqual([
        { index: 2 },
      ]);
    });
  });

  test("no operation, range, group of failures, issue or retry can be subscribed to", async () => {
    const headers = await api.tokenHeaders("admin");
    const refused = {
      "operation(index: 0) { index }": "operation",
      "operations(from: 0, count: 1) { index }": "operations",
      "failureGroups { totalCount }": "failureGroups",
      "issues { totalCount }": "issues",
      "retries { id }": "retries",
    };
    const { id: task } = await api.task(content);
    await cancelTask(api.database, api.shop.tenant.id, task);
    for (const [field, name] of Object.entries(refused)) {
      const query = `subscription { bulkTask(id: "${task}") { ... on BulkTaskMassOperation { ${field} }
        ... on BasicError { errorName } } }`;
      const { payload } = await api.server.inject({
        method: "POST",
        url: "/@shop",
        headers,
        payload: { query },
      });
      expect(payload).toContain(`${name} cannot be subscribed to; query it when the task has ended`);
    }
  });

  describe("the rows of an operation", () => {
    const rows = async (index: number, role: "admin" | "reader" = "admin") => {
      const query = `{ bulkTask(id: "${id}") { ... on BulkTaskMassOperation { operation(index: ${index}) {
        rows { isComplete entities { entity key action before after } } } } ... on BasicError { errorName } } }`;
      const headers = await api.tokenHeaders(role);
      const payload = { query };
      const { body } = await api.send({ method: "POST", url: "/@shop", headers, payload });
      return body.data.bulkTask.operation.rows;
    };
    const keep = (index: number, ...images: BeforeImage[]) =>
      writeBeforeImages(api.database, { tenantId: api.shop.tenant.id, taskId: id }, [
        { index, ...keepBefore(index, images) },
      ]);
    const email = (n: number, characters: number): BeforeImage => ({
      ...{ table: "customers", key: [`c${n}`], before: { email: "x".repeat(characters), updatedAt: null } },
    });

    test("are null where nothing is kept, and for tokens that only read", async () => {
      expect(await rows(0)).toBe(null);
      await keep(0, email(0, 10));
      expect(await rows(0, "reader")).toBe(null);
    });

    test("are whole, without what only the service knows", async () => {
      const item = { id: "i", type: "folder", sortKey: "z", createdAt: "2026-01-02T03:04:05.000Z" };
      await keep(1, email(1, 100_000), { table: "items", key: ["i"], before: item });
      expect(await rows(1)).toEqual({
        isComplete: true,
        entities: [
          {
            ...{ entity: "customer", key: { identifier: "c1" }, action: "updated", after: null },
            before: { email: "x".repeat(100_000), updatedAt: null },
          },
          {
            ...{ entity: "item", key: { id: "i" }, action: "deleted", after: null },
            before: { type: "folder", createdAt: item.createdAt },
          },
        ],
      });
    });

    test("end where they are too many or too large, and say so", async () => {
      const large = Array.from({ length: 5 }, (_, n) => email(n, wholeRowLimits.characters / 4 - 1_000));
      await keep(2, ...large);
      const { isComplete, entities } = await rows(2);
      expect([isComplete, entities.length]).toEqual([false, 4]);
      await api.database.execute(
        "DELETE FROM operation_before_images WHERE task_id = $1 AND first_index = 2",
        [id],
      );
      await keep(2, ...Array.from({ length: wholeRowLimits.entities + 1 }, (_, n) => email(n, 1)));
      expect((await rows(2)).entities).toHaveLength(wholeRowLimits.entities);
      expect((await rows(2)).isComplete).toBe(false);
      await api.database.execute("DELETE FROM operation_before_images WHERE task_id = $1", [id]);
    });
  });

  test("one query reads few operations", async () => {
    const many = (count: number) =>
      api.ask(`{ bulkTask(id: "${id}") { ... on BulkTaskMassOperation {
        ${Array.from({ length: count }, (_, n) => `o${n}: operation(index: 9) { index }`).join(" ")}
      } ... on BasicError { errorName } } }`);
    expect((await many(100)).body.errors).toBeUndefined();
    expect((await many(101)).body.errors[0].message).toContain("more than 100 operations by number");
  });

  test("the text is null once the file was replaced or is gone, and the entry stays", async () => {
    await api.store.delete(key);
    expect(await operation(0)).toMatchObject({
      text: null,
      length: locationOf(texts[0] ?? "").length,
      log: { index: 0 },
    });
    await api.store.put(key, Readable.from([Buffer.from(content.replace("Zoë", "Zoé"))]), {
      maxBytes: 10_000_000,
    });
    expect(await operation(0)).toMatchObject({ text: null, log: { index: 0 } });
  });
});
