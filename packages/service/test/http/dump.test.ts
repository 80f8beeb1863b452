import { expect, test } from "vitest";
import { dumpReaders } from "../../src/commands/registry.ts";
import { beginDump } from "../../src/domain/dump/dump.ts";
import { inTime } from "../../src/http/files/dump-route.ts";
import { useApi } from "./support.ts";

const api = useApi();

const dump = async (role: "admin" | "reader" = "admin") =>
  api.send({ method: "GET", url: "/@shop/dump.json", headers: await api.tokenHeaders(role) });

test("a dump is refused to a read-only token, and without a token", async () => {
  expect(await dump("reader")).toMatchObject({
    status: 403,
    body: { errors: [{ extensions: { code: "UnauthorizedError" } }] },
  });
  expect(await api.send({ method: "GET", url: "/@shop/dump.json" })).toMatchObject({ status: 401 });
});

test("a dump has the requested kinds, and is refused for unknown ones", async () => {
  const headers = await api.tokenHeaders("admin");
  const ask = (query: string) => api.send({ method: "GET", url: `/@shop/dump.json?${query}`, headers });
  expect((await ask("only=settings,items")).body.operations).toHaveLength(4);
  expect((await ask("without=settings")).body.operations).toEqual([]);
  expect((await ask("only=settings&without=settings")).body.operations).toEqual([]);
  for (const query of [
    "only=",
    "without=__proto__",
    "only=settings&only=%00",
    "anonymise=maybe",
    "anonymise=toString",
    "ids=",
    "ids=natural&ids=keep",
    `only=${"x".repeat(5_000)}`,
  ])
    expect(await ask(query)).toMatchObject({
      status: 400,
      body: { errors: [{ extensions: { code: "ValidationError" } }] },
    });
});

test.each([
  ["/dump.json?anonymize", 'parameter "anonymize"; did you mean "anonymise"?'],
  ["/dump.json?Anonymise=true", 'parameter "Anonymise"; did you mean "anonymise"?'],
  ["/dump.json?Without=customers", 'parameter "Without"; did you mean "without"?'],
  [
    "/dump.json?only=items&format=csv",
    'parameter "format"; it takes "only", "without", "anonymise" or "ids".',
  ],
  ["/tasks/1/operations.jsonl?Status=failure", 'parameter "Status"; did you mean "status"?'],
  ["/tasks/1/failures.json?only=failed", 'parameter "only"; it takes "include" or "references".'],
  ["/tasks/1/events?after=1", 'parameters, but "after" was given.'],
  ["/tasks/1/file?range=1", 'parameters, but "range" was given.'],
  ["?query=1", 'parameters, but "query" was given. Send a query in the body of a POST, as JSON.'],
])("%s has a parameter that the address does not take", async (path, why) => {
  const headers = { accept: "text/html", ...(await api.tokenHeaders("admin")) };
  const message = `This address takes no ${why}`;
  expect(await api.send({ method: "GET", url: `/@shop${path}`, headers })).toEqual({
    status: 400,
    body: {
      message,
      errors: [{ message, extensions: { code: "ValidationError", errorName: "ValidationError" } }],
    },
  });
});

test("queries and mutations take no parameters in their address", async () => {
  const headers = await api.tokenHeaders("admin");
  for (const url of ["/@shop?a=1", "/@shop/core?a=1", "/@shop/console-code?a=1"])
    expect(
      await api.send({ method: "POST", url, headers, payload: { query: "{ tenant { id } }" } }),
      url,
    ).toMatchObject({
      status: 400,
      body: { message: expect.stringContaining('This address takes no parameters, but "a" was given.') },
    });
});

test("a dump is anonymised only if that is asked for", async () => {
  const headers = await api.tokenHeaders("admin");
  await api.send({
    method: "POST",
    url: "/@shop",
    headers,
    payload: {
      query: `mutation { createCustomer(input: {identifier: "ada"}) {
        ... on Customer { identifier } ... on BasicError { error errorName } } }`,
    },
  });
  const ask = async (query: string) => {
    const { body } = await api.send({
      method: "GET",
      url: `/@shop/dump.json?only=customers&${query}`,
      headers,
    });
    return body.operations.map(({ identifier }: { identifier: string }) => identifier);
  };
  for (const query of ["", "anonymise=false"]) expect(await ask(query)).toEqual(["ada"]);
  for (const query of ["anonymise", "anonymise=true"])
    expect(await ask(query)).toEqual([expect.stringMatching(/^customer-[0-9a-f]{20}$/)]);
});

test("a dump is refused while another one of the tenant is made", async () => {
  const first = await beginDump(
    { database: api.database, imageUrl: (key) => key, dumpReaders },
    api.shop.tenant.id,
  );
  expect(await dump()).toMatchObject({
    status: 409,
    body: { errors: [{ extensions: { code: "DumpRunning" } }] },
  });
  if (typeof first === "string") throw new Error(first);
  await first.return(undefined);
  expect(await dump()).toMatchObject({ status: 200, body: { version: "1.0.0" } });
});

test.each([
  ["takes nothing in time", { unread: 1, total: 60_000 }],
  ["takes too long for all of it", { unread: 60_000, total: 1 }],
])("a client that %s is cut off, and the dump ends", async (_, timeouts) => {
  const [cutOff, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  async function* text() {
    try {
      yield "one";
      yield "two";
    } finally {
      ended.resolve();
    }
  }
  const chunks = inTime(text(), cutOff.resolve, timeouts);
  expect(await chunks.next()).toMatchObject({ value: "one" });
  await cutOff.promise;
  await chunks.return(undefined);
  await ended.promise;
});
