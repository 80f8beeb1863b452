import type { ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { engines } from "../../../../test/support/engines.ts";
import { streamLimits } from "../../src/http/open-streams.ts";
import { createTask } from "../../src/tasks/create.ts";
import { newUploadKey } from "../../src/uploads/keys.ts";
import { type Api, openApi } from "./support.ts";

describe.each(engines)("a client that hangs up before its stream begins, on $name,", ({ open }) => {
  let api: Api;
  let url: string;
  let headers: Record<string, string>;
  let handled: (() => void) | undefined;

  beforeAll(async () => {
    api = await openApi({ open });
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

  test("leaves no dump behind, which would be in the way of the next", async () => {
    await hangUp("/dump.json", 1);
    await isAnswered("/dump.json");
  });

  test("leaves no stream behind that counts as open", async () => {
    const key = newUploadKey(api.shop.tenant.id, "operations.json", "MASS_OPERATIONS");
    await api.store.put(key, Readable.from([Buffer.from("{}")]), { maxBytes: 100 });
    const { id } = await createTask(api, api.shop.tenant, { key });
    const log = `/tasks/${id}/operations.jsonl`;
    await hangUp(log, streamLimits.logs);
    await isAnswered(log);
  });
});
