import { mkdtemp, readFile, rm } from "node:fs/promises";
import { connect, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { getIntrospectionQuery } from "graphql";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTenant, type TenantClient, tenantClient } from "../support/client.ts";
import { freshDatabase } from "../support/database.ts";
import { bothServiceEngines, runFile } from "../support/service.ts";
import { type ServiceProcess, startServiceProcess } from "../support/service-process.ts";

const entries = 1_000;
const long = (i: number, length: number) => `${i} `.padEnd(length, "long ");
const customers = Array.from({ length: entries }, (_, i) => ({
  ...{ intent: "customer/upsert", identifier: `c${i}`, email: `c${i}@example.com` },
  ...{ firstName: long(i, 500), lastName: long(i, 500), companyName: long(i, 500), phone: "0" },
  meta: [{ key: "note", value: long(i, 2_000) }],
}));

const orders = Array.from({ length: entries }, (_, i) => ({
  ...{ intent: "order/register", reference: `o${i}`, customer: { identifier: `c${i}` } },
  cart: Array.from({ length: 8 }, (_, line) => ({ name: `Line ${line}`, sku: `sku-${line}`, quantity: 2 })),
}));

/** An export query of a shop: 1,000 orders with their items. */
const ordersWithItems = `{ orders(first: 1000) { ... on OrderConnection {
  pageInfo { endCursor hasNextPage }
  edges { cursor node { id reference createdAt updatedAt total { gross net currency }
    customer { identifier firstName lastName email addresses { type street city country } }
    cart { name sku quantity price { gross net currency } }
  } } } ... on BasicError { error } } }`;

/** Resident memory of a process in MiB on Linux; 0 elsewhere. */
async function memoryOf(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Math.round(Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1] ?? 0) / 1024);
}

/** Lists of all customers, each with one field under several aliases. */
const aliased = (lists: number, aliases: number, field = "firstName") =>
  `{ ${Array.from({ length: lists }, (_, i) => `l${i}: customers(first: 1000) { ... on CustomerConnection { edges { node { ...F } } } ... on BasicError { error } }`).join("\n")} }
   fragment F on Customer { ${Array.from({ length: aliases }, (_, i) => `a${i}: ${field}`).join(" ")} }`;

/** Time that unread answers wait, in milliseconds; the service writes all of them within a second. */
const unread = 5_000;

/**
 * Large queries, and the code that refuses each; none for those that are answered. On PGlite the three that
 * take longest, since the service writes all answers alike.
 */
const queries: [what: string, query: string, code: string | undefined][] = [
  ["2 lists with 500 aliases", aliased(2, 500), "GRAPHQL_TOO_COSTLY"],
  ["60 lists with 930 aliases", aliased(60, 930), "GRAPHQL_TOO_COSTLY"],
  ["as many values as there may be", aliased(1, 197, "phone"), undefined],
  ["as many values, each of them long", aliased(1, 197), "GRAPHQL_TOO_COSTLY"],
  ["few values of as many rows as there may be", aliased(66, 1, "phone"), "GRAPHQL_TOO_COSTLY"],
  ["a part of long rows", aliased(5, 1), undefined],
  ["1,000 orders with their items", ordersWithItems, undefined],
  [
    "lists within, under many aliases",
    ordersWithItems.replace("name sku", Array.from({ length: 60 }, (_, i) => `a${i}: __typename`).join(" ")),
    "GRAPHQL_TOO_COSTLY",
  ],
  ["the schema", getIntrospectionQuery(), undefined],
  [
    "the schema many times",
    `{ __schema { types { fields { ${Array.from({ length: 900 }, (_, i) => `a${i}: name`).join(" ")} } } } }`,
    "GRAPHQL_TOO_COSTLY",
  ],
];

/** Memory limit of the process, in MiB. PGlite itself takes some 700 (see memory.test.ts). */
const memoryBounds = { postgresql: 1_000, pglite: 1_300 };

describe.each(bothServiceEngines)("large answers on %s", (engine) => {
  let folder: string;
  let service: ServiceProcess;
  let shop: TenantClient;
  let other: TenantClient;
  let drop: (() => Promise<void>) | undefined;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "lading-large-"));
    const database = engine === "postgresql" ? await freshDatabase() : undefined;
    drop = database && (() => database.drop());
    service = await startServiceProcess(folder, database?.url, database ? {} : { LADING_ENGINE: engine });
    const { url, operatorToken } = service;
    const open = async (name: string) =>
      tenantClient(url, name, await createTenant(url, operatorToken, name));
    [shop, other] = [await open("shop"), await open("other")];
    await runFile(shop, { version: "1.0.0", operations: [...customers, ...orders] } as never);
  });
  afterAll(async () => {
    await service.stop();
    await drop?.();
    await rm(folder, { recursive: true, force: true });
  });

  async function send(query: string) {
    const { accessTokenId: id, accessTokenSecret: secret } = shop.access;
    const response = await fetch(shop.address, {
      method: "POST",
      headers: {
        ...{ "content-type": "application/json", connection: "close" },
        ...{ "x-service-access-token-id": id, "x-service-access-token-secret": secret },
      },
      body: JSON.stringify({ query }),
    });
    const text = await response.text();
    const code = response.ok ? undefined : JSON.parse(text).errors[0].extensions.code;
    return { status: response.status, code, length: text.length };
  }

  const longest = [
    "as many values as there may be",
    "1,000 orders with their items",
    "lists within, under many aliases",
  ];

  test.each(queries.filter(([what]) => engine === "postgresql" || longest.includes(what)))(
    "three concurrent large answers take little memory and do not block others: %s",
    async (what, query, code) => {
      let over = false;
      const began = performance.now();
      const answers = Promise.all([send(query), send(query), send(query)]).finally(() => {
        over = true;
      });
      let [slowest, most] = [0, 0];
      while (!over) {
        const asked = performance.now();
        await other.graphql("{ tenant { identifier } }");
        slowest = Math.max(slowest, performance.now() - asked);
        most = Math.max(most, await memoryOf(service.process.pid));
      }
      for (const answer of await answers)
        expect([answer.status, answer.code]).toEqual([code ? 400 : 200, code]);
      const ms = Math.round(performance.now() - began);
      console.log(
        `${engine}, ${what}: ${ms} ms, others ${Math.round(slowest)} ms, ${most} MiB`,
        (await answers)[0],
      );
      expect(slowest).toBeLessThan(1_000);
      expect(most).toBeLessThan(memoryBounds[engine]);
    },
  );

  /** Sends a request, and reads nothing of the answer. */
  function sendOnly(query: string): Socket {
    const { hostname, port } = new URL(shop.address);
    const { accessTokenId: id, accessTokenSecret: secret } = shop.access;
    const body = JSON.stringify({ query });
    const head = [
      "POST /@shop HTTP/1.1",
      `Host: ${hostname}`,
      "Content-Type: application/json",
      `Content-Length: ${body.length}`,
      `X-Service-Access-Token-Id: ${id}`,
      `X-Service-Access-Token-Secret: ${secret}`,
    ].join("\r\n");
    const socket = connect(Number(port), hostname);
    socket.pause().on("error", () => {});
    socket.write(`${head}\r\n\r\n${body}`);
    return socket;
  }

  test.skipIf(engine === "pglite")("unread answers take little memory and do not block others", async () => {
    const sockets = Array.from({ length: 50 }, () => sendOnly(aliased(1, 30)));
    let [slowest, most] = [0, 0];
    const began = performance.now();
    while (performance.now() - began < unread) {
      const asked = performance.now();
      await other.graphql("{ tenant { identifier } }");
      slowest = Math.max(slowest, performance.now() - asked);
      most = Math.max(most, await memoryOf(service.process.pid));
      await delay(20);
    }
    console.log(`${engine}, answers that nobody reads: others ${Math.round(slowest)} ms, ${most} MiB`);
    for (const socket of sockets) socket.destroy();
    expect(most).toBeLessThan(memoryBounds[engine]);
    expect(slowest).toBeLessThan(1_000);
    expect(await send(aliased(1, 30))).toMatchObject({ status: 200 });
  });
});
