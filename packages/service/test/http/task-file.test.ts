import { Readable } from "node:stream";
import { beforeAll, describe, expect, test } from "vitest";
import { createTask } from "../../src/tasks/create.ts";
import { pruneTasks } from "../../src/tasks/prune.ts";
import { createTenant } from "../../src/tenants/create.ts";
import { headersOf, useApi } from "./support.ts";

const content = Buffer.from(`{"version": "1.0.0", "operations": [${'"ä", '.repeat(100_000)}"last"]}`);
const size = content.length;

describe("the file of a task over HTTP", () => {
  let task: string;
  let reader: Record<string, string>;
  const api = useApi();
  beforeAll(async () => {
    ({ id: task } = await api.task(content));
    reader = await api.tokenHeaders("reader");
  });

  const get = (
    headers: Record<string, string> = {},
    { id = task, method = "GET" as "GET" | "HEAD", tenant = "shop", token = reader } = {},
  ) => api.server.inject({ method, url: `/@${tenant}/tasks/${id}/file`, headers: { ...token, ...headers } });

  test("a file is refused without a token of its tenant, and doesn't exist for another tenant", async () => {
    expect((await get({}, { token: {} })).statusCode).toBe(401);
    const other = await createTenant(api.database, { identifier: "other", name: "Other" });
    const token = headersOf({ id: other.accessTokenId, secret: other.accessTokenSecret });
    expect((await get({}, { token })).statusCode).toBe(401);
    for (const id of [task, "f".repeat(24), "%00"]) {
      const answer = await get({}, { token, id, tenant: "other" });
      expect([answer.statusCode, answer.json().errors[0].extensions.code]).toEqual([
        404,
        "BulkTaskNotFoundError",
      ]);
    }
  });

  test.each(["bytes=1000000-", "bytes=-0", `bytes=${"9".repeat(15)}-`])(
    "the range %s outside the file is refused with the file's size",
    async (range) => {
      const answer = await get({ range });
      expect([answer.statusCode, answer.headers["content-range"]]).toEqual([416, `bytes */${size}`]);
      expect(answer.json().errors[0].extensions.code).toBe("RangeNotSatisfiable");
      expect(answer.headers["cache-control"]).toBe("no-store");
    },
  );

  test.each(["bytes=0-1,5-6", "bytes=9-3", "items=0-1", "bytes=a-b", "bytes=", "bytes=-1-2"])(
    "the range %s, which is several or none, is answered with the whole file",
    async (range) => {
      const answer = await get({ range });
      expect([answer.statusCode, answer.rawPayload.equals(content)]).toEqual([200, true]);
      expect(answer.headers["content-range"]).toBeUndefined();
    },
  );

  test("a file that was replaced is not sent, neither whole nor in parts", async () => {
    const { id, key } = await api.task(content);
    await api.store.delete(key);
    await api.store.put(key, Readable.from([Buffer.from("{} ")]), { maxBytes: 100 });
    for (const headers of [{}, { range: "bytes=0-1" }]) {
      const answer = await get(headers as Record<string, string>, { id });
      expect([answer.statusCode, answer.json().errors[0].extensions.code]).toEqual([
        404,
        "UploadNotFoundError",
      ]);
    }
  });

  test("a file that was pruned is gone, unless another task has it", async () => {
    const [{ id, key }, { id: lonely }] = [await api.task(content), await api.task(content)];
    const { id: again } = await createTask(api, api.shop.tenant, { key });
    await api.database.execute(
      `UPDATE bulk_tasks SET status = 'error', start_order = 0, started_at = now(), error = 'x', error_name = 'x', ended_at = now() - interval '9 days'
       WHERE id = ANY($1::text[])`,
      [[id, lonely]],
    );
    await pruneTasks(api, { olderThanDays: 5 });
    expect([(await get({}, { id })).statusCode, (await get({}, { id: again })).statusCode]).toEqual([
      200, 200,
    ]);
    const gone = await get({}, { id: lonely });
    expect([gone.statusCode, gone.json().errors[0].extensions.code]).toEqual([410, "UploadPruned"]);
  });

  test("a file is sent whole to a reader, to be kept by no cache and taken for nothing else", async () => {
    const answer = await get();
    expect([answer.statusCode, answer.rawPayload.equals(content)]).toEqual([200, true]);
    expect(answer.headers).toMatchObject({
      ...{ "accept-ranges": "bytes", "cache-control": "no-store", "content-length": `${size}` },
      ...{ "content-type": "application/json", "x-content-type-options": "nosniff" },
      "content-disposition": `attachment; filename="task-${task}.json"`,
    });
  });

  test.each([
    ["bytes=0-0", 0, 1],
    ["bytes=262143-262145", 262_143, 262_146],
    [`bytes=${size - 3}-`, size - 3, size],
    ["bytes=-7", size - 7, size],
    [`bytes=-${size + 9}`, 0, size],
    [`bytes=${size - 2}-${size + 100}`, size - 2, size],
  ])("the range %s is answered with exactly these bytes", async (range, start, end) => {
    const answer = await get({ range });
    expect([answer.statusCode, answer.headers["content-range"]]).toEqual([
      206,
      `bytes ${start}-${end - 1}/${size}`,
    ]);
    expect(answer.headers["content-length"]).toBe(`${end - start}`);
    expect(answer.rawPayload.equals(content.subarray(start, end))).toBe(true);
  });

  test("a part is sent under If-Range only of the same file", async () => {
    const etag = (await get({}, { method: "HEAD" })).headers.etag as string;
    expect((await get({ range: "bytes=0-1", "if-range": etag })).statusCode).toBe(206);
    expect((await get({ range: "bytes=0-1", "if-range": '"other"' })).statusCode).toBe(200);
  });

  test("HEAD says how large a file is, and a part of it, without sending it", async () => {
    const whole = await get({}, { method: "HEAD" });
    expect([whole.statusCode, whole.headers["content-length"], whole.payload]).toEqual([200, `${size}`, ""]);
    const part = await get({ range: "bytes=1-2" }, { method: "HEAD" });
    expect([part.statusCode, part.headers["content-length"], part.payload]).toEqual([206, "2", ""]);
  });
});
