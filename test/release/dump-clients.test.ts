import type { AddressInfo } from "node:net";
import type { FastifyInstance } from "fastify";
import { pino } from "pino";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { mostSnapshots } from "../../packages/service/src/storage/pages/snapshot.ts";
import { operator } from "../../packages/service/src/tenants/audit.ts";
import { createTenant } from "../../packages/service/src/tenants/create.ts";
import { deleteTenant } from "../../packages/service/src/tenants/delete.ts";
import { headersOf, openApi } from "../../packages/service/test/http/support.ts";
import { bothEngines } from "../support/engines.ts";
import { opened } from "../support/opened.ts";

/** Megabytes; more than the buffers of a connection. */
const megabytes = 16;

describe.each(bothEngines)("a dump on $name", ({ name, open }) => {
  let url: string;
  let headers: Record<string, string>;

  const api = opened(() => openApi({ open, tokenCheck: 20 }));
  beforeAll(async () => {
    url = await listening(api.server);
    headers = await api.tokenHeaders("admin");
    await addCustomers("a", megabytes);
  });

  async function listening(server: FastifyInstance): Promise<string> {
    await server.listen({ port: 0, host: "127.0.0.1" });
    return `http://127.0.0.1:${(server.server.address() as AddressInfo).port}`;
  }

  /** Adds customers, each with a megabyte of text. */
  async function addCustomers(prefix: string, count: number): Promise<void> {
    await api.data(
      `mutation ($input: CreateCustomerInput!) {
         createCustomer(input: $input) { ... on Customer { identifier } ... on BasicError { error } } }`,
      { input: { identifier: prefix } },
    );
    await api.database.execute(
      `INSERT INTO customers SELECT (jsonb_populate_record(c, jsonb_build_object(
         'identifier', c.identifier || i,
         'meta', jsonb_build_array(jsonb_build_object('key', 'k', 'value', repeat('tea ', 262144)))))).*
       FROM customers c, generate_series(1, $3::int) i WHERE tenant_id = $1 AND identifier = $2`,
      [api.shop.tenant.id, prefix, count],
    );
  }

  const ask = (signal?: AbortSignal, service = url) =>
    fetch(`${service}/@shop/dump.json`, { headers, signal: signal ?? null });
  /** The dump, once earlier ones have ended. */
  const whole = () =>
    vi.waitFor(async () => {
      const response = await ask();
      const text = await response.text();
      expect([response.status, JSON.parse(text).operations?.length]).toEqual([200, 4 + megabytes + 1]);
      return text;
    }, 10_000);

  test("is aborted if its client reads nothing, and the next one starts", async () => {
    const impatient = api.another({ dumpTimeouts: { unread: 200, total: 60_000 } });
    const response = await ask(undefined, await listening(impatient));
    expect(response.status).toBe(200);
    await whole();
    await expect(response.text()).rejects.toThrow();
    await impatient.close();
  });

  test("leaves nothing behind if its client disconnects immediately, twenty times", async () => {
    for (let times = 0; times < 20; times++) {
      const controller = new AbortController();
      const asked = ask(controller.signal).catch(() => {});
      if (times % 2 === 0) await asked;
      controller.abort();
      await asked;
    }
    await whole();
  });

  test("is refused while another one of the tenant runs", async () => {
    const both = await Promise.all([ask(), ask()]);
    expect(both.map(({ status }) => status).sort()).toEqual([200, 409]);
    const text = await both.find(({ status }) => status === 200)?.text();
    expect(JSON.parse(text ?? "").operations).toHaveLength(4 + megabytes + 1);
  });

  test("is refused at the limit of concurrent dumps, without affecting those", async () => {
    const tenants = Array.from({ length: mostSnapshots + 2 }, (_, i) => `other-${i}`);
    const answers = await Promise.all(
      tenants.map(async (identifier) => {
        const tenant = await createTenant(api.database, { identifier, name: identifier });
        const access = { id: tenant.accessTokenId, secret: tenant.accessTokenSecret };
        const response = await fetch(`${url}/@${identifier}/dump.json`, { headers: headersOf(access) });
        return [response.status, await response.json()];
      }),
    );
    const statuses = new Set(answers.map(([status]) => status));
    expect(statuses).toContain(200);
    for (const [status, body] of answers)
      if (status === 200) expect(body.operations).toHaveLength(4);
      else expect([status, body.errors[0].extensions.code]).toEqual([429, "TooManyDumps"]);
    await whole();
  });

  /** Reads the beginning of a dump, does something, and reads the rest. */
  async function meanwhile(work: () => Promise<unknown>, service = url): Promise<string> {
    const response = await ask(undefined, service);
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = (await reader?.read())?.value ?? "";
    await work();
    for (let next = await reader?.read(); next?.done === false; next = await reader?.read())
      text += next.value;
    return text;
  }

  test("is aborted when the service stops", async () => {
    const stopping = api.another({});
    const address = await listening(stopping);
    await expect(meanwhile(() => stopping.close(), address)).rejects.toThrow();
  });

  test("is complete despite concurrent writes, and a snapshot if there are several connections", async () => {
    const before = await whole();
    const during = await meanwhile(() => addCustomers("z", 1));
    if (name === "PostgreSQL") expect(during === before).toBe(true);
    else expect(JSON.parse(during).operations.length).toBeGreaterThanOrEqual(4 + megabytes + 1);
    const after = await (await ask()).text();
    expect(JSON.parse(after).operations).toHaveLength(4 + megabytes + 1 + 2);
  });

  test("is aborted when its tenant is deleted", async () => {
    const services = {
      database: api.database,
      logger: pino({ level: "silent" }),
      deleteFiles: async () => {},
    };
    await expect(meanwhile(() => deleteTenant(services, "shop", operator))).rejects.toThrow();
  });
});
