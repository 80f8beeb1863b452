import type { AddressInfo } from "node:net";
import { pino } from "pino";
import { beforeAll, describe, expect, test } from "vitest";
import { streamLimits } from "../../src/http/open-streams.ts";
import { createAccessToken, revokeAccessToken } from "../../src/tenants/access-tokens.ts";
import { operator } from "../../src/tenants/audit.ts";
import { deleteTenant } from "../../src/tenants/delete.ts";
import { headersOf, useApi } from "./support.ts";

describe("an open stream", () => {
  let url: string;
  let task: string;

  const api = useApi({ tokenCheck: 50 });
  beforeAll(async () => {
    await api.server.listen({ port: 0, host: "127.0.0.1" });
    url = `http://127.0.0.1:${(api.server.server.address() as AddressInfo).port}`;
    ({ id: task } = await api.task());
  });

  const events = (headers: Record<string, string>) => fetch(`${url}/@shop/tasks/${task}/events`, { headers });
  const subscribe = (headers: Record<string, string>) =>
    fetch(`${url}/@shop`, {
      method: "POST",
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify({
        query: `subscription ($id: ID!) { bulkTask(id: $id) { ... on BulkTaskMassOperation { status }
          ... on BasicError { error } } }`,
        variables: { id: task },
      }),
    });
  const token = (expiresAt?: string) =>
    createAccessToken(api.database, api.shop.tenant.id, { name: "reads", role: "reader", expiresAt });
  const why = "The access token was revoked, or has expired.";

  test("a stream ends, with the reason, once its token is revoked, by whatever process", async () => {
    const [revoked, other] = [await token(), await token()];
    const streams = [await events(headersOf(revoked)), await subscribe(headersOf(revoked))];
    const kept = await events(headersOf(other));
    await revokeAccessToken(api.database, api.shop.tenant, revoked.id, operator);
    const [told, subscribed] = await Promise.all(streams.map((response) => response.text()));
    expect(told).toMatch(/event: progress[\s\S]*event: closed\ndata: \{"code":"Unauthorized","message":"/);
    const errors = [{ message: why, extensions: { code: "Unauthorized" } }];
    expect(
      subscribed?.endsWith(`event: next\ndata: ${JSON.stringify({ errors })}\n\nevent: complete\ndata:\n\n`),
    ).toBe(true);
    const reader = kept.body?.getReader();
    expect((await reader?.read())?.done).toBe(false);
    await reader?.cancel();
  });

  test("a stream is refused when the tenant has as many open as it may have, at one process", async () => {
    const server = api.another({});
    await server.listen({ port: 0, host: "127.0.0.1" });
    const before = url;
    url = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
    const reader = headersOf(await token());
    const all = await Promise.all(Array.from({ length: streamLimits.events }, () => events(reader)));
    const statuses = new Set(all.map(({ status }) => status));
    const refused = await subscribe(reader);
    expect([[...statuses], refused.status, await refused.text()]).toEqual([
      ...[[200], 429],
      expect.stringContaining('"code":"TooManyStreams"'),
    ]);
    url = before;
    const elsewhere = await events(reader);
    expect(elsewhere.status).toBe(200);
    await Promise.all([...all, elsewhere].map(({ body }) => body?.cancel()));
    await server.close();
  });

  test("a stream ends when its token expires", async () => {
    const expiring = await token(new Date(Date.now() + 1_000).toISOString());
    const streams = [await events(headersOf(expiring)), await subscribe(headersOf(expiring))];
    for (const response of streams) expect(await response.text()).toContain(why);
  });

  test("a stopping service tells streams to connect again, and does not complete a subscription", async () => {
    const server = api.another({ tokenCheck: 50 });
    await server.listen({ port: 0, host: "127.0.0.1" });
    const before = url;
    url = `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
    const admin = headersOf({ id: api.shop.accessTokenId, secret: api.shop.accessTokenSecret });
    const streams = [await events(admin), await subscribe(admin)];
    await server.close();
    url = before;
    const [told, subscribed] = await Promise.all(streams.map((response) => response.text()));
    const message = "The service is shutting down. Connect again.";
    expect(
      told?.endsWith(`event: closed\ndata: ${JSON.stringify({ code: "ServiceStopping", message })}\n\n`),
    ).toBe(true);
    expect(subscribed?.endsWith(`: ${message}\n\n`)).toBe(true);
    expect(subscribed).not.toContain("event: complete");
  });

  test("a stream ends when its tenant is deleted, which cancels its task and revokes its token", async () => {
    const admin = headersOf({ id: api.shop.accessTokenId, secret: api.shop.accessTokenSecret });
    const streams = [await events(admin), await subscribe(admin)];
    await deleteTenant(
      { database: api.database, logger: pino({ level: "silent" }), deleteFiles: async () => {} },
      "shop",
      operator,
    );
    const [told, subscribed] = await Promise.all(streams.map((response) => response.text()));
    const closed = /event: closed\ndata: \{"code":"Unauthorized","message":"[^\n]*\n\n$/;
    const ended = /event: end\ndata: [^\n]*"error":"The tenant was deleted"[^\n]*\n\n$/;
    expect(told).toMatch(new RegExp(`${closed.source}|${ended.source}`));
    expect([why, '"status":"error"'].some((end) => subscribed?.includes(end))).toBe(true);
  });
});
