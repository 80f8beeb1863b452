import { afterAll, beforeAll, expect, test } from "vitest";
import { sharedDatabase } from "../../../../test/support/engines.ts";
import { largeQueries, waitingQueries } from "../../src/graphql/execution/large-queries.ts";
import { largeQuery, maximumLargeReads } from "../../src/graphql/validation/query-limits.ts";
import type { Database } from "../../src/storage/database.ts";
import { type Api, openApi } from "../http/support.ts";

const aliases = Array.from({ length: 10 }, (_, i) => `a${i}: identifier`).join(" ");
const id = "0".repeat(24);
const logs = (filter: string) => `operationLogs(filter: {operationId: "${id}", ${filter}}) { totalCount }`;
const groups = `bulkTask(id: "${id}") { ... on BasicError { error }
  ... on BulkTaskMassOperation { failureGroups { totalCount } } }`;

const lookups = (count: number) =>
  Array.from({ length: count }, (_, i) => `a${i}: customer(identifier: "c${i}") { ...C }`).join(" ");

const customerFields =
  "fragment C on CustomerResult { ... on BasicError { error } ... on Customer { identifier } }";

const contract = (field: string) => `subscriptionContract(id: "${id}") {
  ... on BasicError { error } ... on SubscriptionContractAggregate { ${field} } }`;

const operation = (field: string) => `bulkTask(id: "${id}") { ... on BasicError { error }
  ... on BulkTaskMassOperation { operation(index: 0) { ${field} } } }`;

const search = `search(text: "x") { edges { cursor } }`;
/** The event that database queries wait for; its rows, if any, are their answer. */
let gate: Promise<never[] | undefined> = Promise.resolve(undefined);

const gated = (database: Database): Database => ({
  ...database,
  query: async (sql, parameters) => {
    if (
      /\b(?:customers|bulk_tasks|subscription_contracts|operation_log_blocks|operation_log_failures)\b/.test(
        sql,
      )
    )
      return (await gate) ?? database.query(sql, parameters);
    return database.query(sql, parameters);
  },
});

let api: Api;
beforeAll(async () => {
  api = await openApi({ database: gated(await sharedDatabase()), rateLimit: 0 });
});

afterAll(() => api.close());
const manyValues = `customers(first: 1000) {
  ... on BasicError { error } ... on CustomerConnection { edges { node { ${aliases} } } } }`;

const large = {
  "has many values": manyValues,
  "searches names and identifiers": search,
  "searches a log for a text": logs('text: "x"'),
  "reads a log's failures of a name": logs('errorName: "SkuTakenError"'),
  "reads what no retry has repaired": logs("unrepaired: true"),
  "groups failures by cause": groups,
  "lists the retries of tasks": "taskOverview { recent { retries { id } } }",
  "reads what operations changed": operation("log { changes { more } }"),
  "reads the rows of an operation": operation("rows { isComplete }"),
  "sums the usage of a contract": contract("usage { quantity }"),
  "looks up many aliases": lookups(largeQuery.lookups + 1),
};

test("a tenant's queue of large queries is limited, whatever makes the next one large", async () => {
  const { promise, resolve: openGate } = Promise.withResolvers<undefined>();
  gate = promise;
  let refused = 0;
  const ask = async (field: string) => {
    const { status, body } = await api.ask(`{ ${field} } ${field.includes("...C") ? customerFields : ""}`);
    if (status !== 429) return status;
    expect(body.errors[0].extensions.code).toBe("TooManyQueries");
    refused += 1;
    return status;
  };
  // One is executed.
  const answers = Array.from({ length: waitingQueries + 4 }, () => ask(manyValues));
  await expect.poll(() => refused, { timeout: 10_000 }).toBe(3);
  for (const [what, field] of Object.entries(large)) expect(await ask(field), what).toBe(429);
  expect(await api.data("{ tenant { identifier } }")).toEqual({ tenant: { identifier: "shop" } });
  openGate(undefined);
  expect((await Promise.all(answers)).filter((status) => status === 200)).toHaveLength(waitingQueries + 1);
  for (const [what, field] of Object.entries(large)) expect(await ask(field), what).toBe(200);
});

test("a query with as many aliases as are looked up together does not wait for others", async () => {
  const { promise, resolve: openGate } = Promise.withResolvers<never[]>();
  gate = promise;
  const query = `{ ${lookups(largeQuery.lookups)} } ${customerFields}`;
  const answers = Array.from({ length: waitingQueries + 4 }, () => api.ask(query));
  openGate([]);
  const statuses = (await Promise.all(answers)).map(({ status, body }) => [status, body.errors]);
  expect(statuses).toEqual(answers.map(() => [200, undefined]));
  gate = Promise.resolve(undefined);
});

test.each([search, logs('text: "x"'), groups, contract("usage { quantity }")])(
  "the number of expensive fields in a query is limited: %s",
  async (field) => {
    const ask = (times: number) =>
      api.ask(`{ ${Array.from({ length: times }, (_, i) => `a${i}: ${field}`).join(" ")} }`);
    expect((await ask(maximumLargeReads)).status).toBe(200);
    expect(await ask(maximumLargeReads + 1)).toMatchObject({
      status: 400,
      body: { errors: [{ extensions: { code: "GRAPHQL_TOO_COSTLY" } }] },
    });
  },
);

test("a large query that waited for one of its tenant begins after a pause as long, in which other tenants get on", async () => {
  const queries = largeQueries();
  const began: string[] = [];
  const { promise, resolve: finish } = Promise.withResolvers<void>();
  let ended = 0;
  const first = queries.run("one", async () => {
    const begin = performance.now();
    await promise;
    while (performance.now() - begin < 100) {
      // As a statement of PGlite does, it keeps the thread.
    }
    ended = performance.now();
  });
  const second = queries.run("one", () => {
    began.push("one");
    return performance.now() - ended;
  });
  finish();
  await first;
  await queries.run("another", () => began.push("another"));
  expect(await second).toBeGreaterThan(95);
  expect(began).toEqual(["another", "one"]);
});

test("a large query begins immediately when none of its tenant waits", async () => {
  const queries = largeQueries();
  const { promise, resolve: finish } = Promise.withResolvers<void>();
  const first = queries.run("one", () => promise);
  finish();
  await first;
  let hasBegun = false;
  const second = queries.run("one", () => {
    hasBegun = true;
  });
  await Promise.resolve();
  expect(hasBegun).toBe(true);
  await second;
});
