import type { ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { engines } from "../../../../test/support/engines.ts";
import { logEntry } from "../../../../test/support/logs/log-entries.ts";
import { streamLimits } from "../../src/http/open-streams.ts";
import type { Database } from "../../src/storage/database.ts";
import { endCursorOf } from "../../src/storage/pages/page.ts";
import { searchLimits } from "../../src/storage/task-details/log-search.ts";
import { writeLogs } from "../../src/storage/task-details/write-logs.ts";
import { listLogs } from "../../src/tasks/logs.ts";
import { type Api, openApi } from "./support.ts";

/** A page of a search reads 16 blocks, then 64, then the rest of 300. */
const mostReadsOfPage = 3;

/** The same database, which calls back before it reads blocks of a log. */
const watched = (database: Database, onBlocks: () => Promise<void> | undefined): Database => ({
  ...database,
  query: async (sql, parameters) => {
    if (/SELECT .* entries FROM operation_log_blocks/.test(sql)) await onBlocks();
    return database.query(sql, parameters);
  },
});

describe.each(engines)("a client that hangs up, on $name,", ({ shared }) => {
  let api: Api;
  let database: Database;
  let url: string;
  let headers: Record<string, string>;
  let handled: (() => void) | undefined;
  let onBlocks: (() => Promise<void>) | undefined;

  beforeAll(async () => {
    database = await shared();
    api = await openApi({ database: watched(database, () => onBlocks?.()) });
    api.server.addHook("preHandler", async () => handled?.());
    await api.server.listen({ port: 0, host: "127.0.0.1" });
    url = `http://127.0.0.1:${(api.server.server.address() as AddressInfo).port}/@shop`;
    headers = await api.tokenHeaders("admin");
  });
  afterAll(() => api.close());

  /**
   * Sends requests, and hangs up while they wait for the database to look up their token. Returns when all are about
   * to be handled.
   */
  async function hangUp(path: string, times: number): Promise<void> {
    const all = Promise.withResolvers<void>();
    let left = times;
    handled = () => {
      if (--left === 0) all.resolve();
    };
    await api.database.transaction(async (transaction) => {
      await transaction.execute("LOCK TABLE access_tokens IN ACCESS EXCLUSIVE MODE");
      for (let i = 0; i < times; i++) {
        const [arrived, closed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
        api.server.server.once("request", (_, response: ServerResponse) => {
          arrived.resolve();
          response.once("close", closed.resolve);
        });
        const controller = new AbortController();
        const asked = fetch(url + path, { headers, signal: controller.signal });
        await arrived.promise;
        controller.abort();
        await expect(asked).rejects.toThrow();
        await closed.promise;
      }
    });
    await all.promise;
  }

  /** Asks more than once: the first may be handled before those of the clients that are gone. */
  async function isAnswered(path: string): Promise<void> {
    for (let times = 0; times < 3; times++)
      await vi.waitFor(async () => {
        const response = await fetch(url + path, { headers });
        expect(`${response.status} ${await response.text()}`).toMatch(/^200 /);
      });
  }

  test("ends the search of its log", async () => {
    const log = { tenantId: api.shop.tenant.id, taskId: (await api.task()).id };
    await database.transaction(async (transaction) => {
      for (let first = 0; first < searchLimits.blocks + 100; first++)
        await writeLogs(transaction, log, { first, end: first + 1 }, [logEntry(first)]);
    });
    const [began, closed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let reads = 0;
    onBlocks = () => {
      reads++;
      began.resolve();
      return closed.promise;
    };
    api.server.server.once("request", (_, response: ServerResponse) => {
      response.once("close", closed.resolve);
    });
    const hangingUp = new AbortController();
    const path = `${url}/tasks/${log.taskId}/operations.jsonl?text=nothing`;
    const asked = fetch(path, { headers, signal: hangingUp.signal });
    await began.promise;
    hangingUp.abort();
    await expect(asked).rejects.toThrow();
    await closed.promise;
    // Searches run serially: one without a client would continue before this one.
    const filter = { operationId: log.taskId, text: "nothing" };
    for (let after: string | null = null; ; ) {
      const page = await listLogs(database, log.tenantId, filter, { first: 1, after });
      after = endCursorOf(page);
      if (!page.hasNextPage) break;
    }
    expect(reads).toBeLessThanOrEqual(mostReadsOfPage);
  });

  test("before it begins, leaves no dump behind, which would be in the way of the next", async () => {
    await hangUp("/dump.json", 1);
    await isAnswered("/dump.json");
  });

  test("before it begins, leaves no stream behind that counts as open", async () => {
    const log = `/tasks/${(await api.task()).id}/operations.jsonl`;
    await hangUp(log, streamLimits.logs);
    await isAnswered(log);
  });
});
