import { beforeEach, expect, test, vi } from "vitest";
import { maximumDepth, maximumTokens } from "../../src/graphql/validation/query-limits.ts";
import { useApi } from "../http/support.ts";

const api = useApi();
beforeEach(() => {
  api.logged.length = 0;
});

/** Fails the queries that read one table, as a broken database would. */
function breakTable(table: string): () => void {
  const query = api.database.query.bind(api.database);
  const spy = vi.spyOn(api.database, "query").mockImplementation((sql, parameters) => {
    if (sql.includes(`FROM ${table}`)) throw new Error("the disk of db-7.internal is on fire");
    return query(sql, parameters);
  });
  return () => spy.mockRestore();
}

test("a defect in one field is masked, logged under its reference id, and leaves the others alone", async () => {
  const restore = breakTable("customers");
  const { status, body } = await api.ask(
    `{ tenant { identifier } customer(identifier: "c") { ... on Customer { identifier } ... on BasicError { error } } }`,
  );
  restore();
  expect(status).toBe(200);
  expect(body.data).toEqual({ tenant: { identifier: "shop" }, customer: null });
  expect(body.errors).toHaveLength(1);
  const [{ message, path, extensions }] = body.errors;
  expect(path).toEqual(["customer"]);
  expect(extensions.code).toBe("InternalError");
  expect(message).toContain(extensions.referenceId);
  expect(JSON.stringify(body)).not.toContain("db-7");
  await vi.waitFor(() => expect(api.logged).toHaveLength(1));
  expect(api.logged[0]).toMatchObject({
    referenceId: extensions.referenceId,
    err: { message: "the disk of db-7.internal is on fire" },
  });
});

test("a defect before the query is answered with 500 and masked too", async () => {
  const restore = breakTable("tenants");
  const { status, body } = await api.ask("{ tenant { identifier } }");
  restore();
  expect(status).toBe(500);
  expect(body.message).toContain(body.errors[0].extensions.referenceId);
  expect(JSON.stringify(body)).not.toContain("db-7");
});

test("wrong syntax, an invalid query and wrong variables are refused with 400, a message and no data", async () => {
  const refused: [string, object?][] = [
    [""],
    ["{"],
    ["{ tenant { identifier }"],
    ["{ nothing }"],
    [
      "query ($id: ID!) { bulkTask(id: $id) { ... on BulkTaskMassOperation { id } ... on BasicError { error } } }",
    ],
    ["query ($n: Int) { shapes(first: $n) { totalCount } }", { n: "many" }],
    ["fragment F on Tenant { id }"],
    ["query A { tenant { id } } query B { tenant { id } }"],
    ["subscription { tenant { id } }"],
    ["{ bulkTask(id: 1) { ... on BulkTaskMassOperation { id } } }"],
  ];
  for (const [query, variables] of refused) {
    const { status, body } = await api.ask(query, variables as Record<string, unknown>);
    expect(status, query).toBe(400);
    expect(body, query).toEqual({ message: expect.any(String), errors: expect.any(Array) });
    expect(body.errors[0].message, query).toBe(body.message);
    expect(JSON.stringify(body), query).not.toContain('"http"');
  }
  expect(api.logged).toEqual([]);
});

test("a query that is too large or nested too deeply is refused with 400", async () => {
  const large = `{ ${"tenant { id } ".repeat(maximumTokens / 4)} }`;
  expect(await api.ask(large)).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining(String(maximumTokens)) },
  });
  const message = `The query is nested deeper than ${maximumDepth} levels.`;
  for (const depth of [maximumDepth + 1, maximumTokens / 4]) {
    const selections = `${"{ a ".repeat(depth)}${"}".repeat(depth)}`;
    const lists = `{ a(x: ${"[".repeat(depth)}${"]".repeat(depth)}) }`;
    for (const query of [selections, lists]) expect((await api.ask(query)).body.message).toBe(message);
  }
});

const updateComponent = `mutation ($c: ComponentInput!) { updateComponent(sku: "none", language: "en", component: $c) {
  ... on UpdatedComponent { updatedComponentPath } ... on BasicError { errorName } } }`;

/** Content in `depth` pieces, each within the one before: three levels of JSON for each. */
const nested = (depth: number): object => ({
  componentId: "c",
  piece: { identifier: "p", components: depth === 0 ? [] : [nested(depth - 1)] },
});

test("a variable that is nested too deeply is refused with 400, and one that is not reaches the command", async () => {
  for (const depth of [22, 1_000])
    expect(await api.ask(updateComponent, { c: nested(depth) }), `${depth}`).toMatchObject({
      status: 400,
      body: { message: `The value of a variable is nested deeper than ${maximumDepth} levels.` },
    });
  expect((await api.field(updateComponent, { c: nested(15) })).errorName).toBe("ProductVariantNotFoundError");
});

test("a successful answer has no errors field, whatever the request accepts", async () => {
  for (const accept of ["application/json", "text/html", "application/graphql-response+json", "*/*"]) {
    const { status, body } = await api.send({
      method: "POST",
      url: "/@shop",
      headers: { ...(await api.tokenHeaders("reader")), accept },
      payload: { query: "query T { tenant { identifier } }", variables: null, operationName: "T" },
    });
    expect({ status, body }).toEqual({ status: 200, body: { data: { tenant: { identifier: "shop" } } } });
  }
});
