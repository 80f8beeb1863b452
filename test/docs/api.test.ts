import { beforeAll, describe, expect, test } from "vitest";
import { withTables } from "../../scripts/docs/docs-tables.ts";
import type { TenantClient } from "../support/client.ts";
import { opened } from "../support/opened.ts";
import { finished, openService, serviceEngines, wholeLog } from "../support/service.ts";
import { blocks, codes, page, rows, section } from "./pages.ts";

const file = "docs/api.md";
const text = page(file);

const queries = new Map(
  ["graphql", "graphql operator"]
    .flatMap((words) => blocks(text, words))
    .map((query) => [/^(?:query|mutation|fragment) (\w+)/.exec(query)?.[1], query]),
);

function query(name: string): string {
  const found = queries.get(name);
  if (found === undefined) throw new Error(`${file} has no query "${name}"`);
  return found;
}

describe(file, () => {
  let client: TenantClient;
  const service = opened(() => openService(serviceEngines[0]));
  beforeAll(async () => {
    client = await service.tenant("acme");
  });

  /** Runs a query of the page; answers its one root field. */
  async function ask<Answer>(name: string, variables?: object, on = client): Promise<Answer> {
    const data = await on.graphql<Record<string, Answer>>(query(name), variables as Record<string, unknown>);
    return Object.values(data)[0] as Answer;
  }

  async function operator(name: string, variables: object = { after: "" }) {
    const response = await fetch(`${service.url}/operator`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: `Bearer ${service.operatorToken}` },
      body: JSON.stringify({ query: query(name), variables }),
    });
    return (await response.json()) as { data: Record<string, object> };
  }

  test("docs/api.md takes an upload from its request to its log", async () => {
    const request = await ask<{ url: string; fields: { name: string; value: string }[] }>("RequestUpload");
    const form = new FormData();
    for (const { name, value } of request.fields) form.append(name, value);
    const operations = [{ intent: "shape/create", identifier: "shelf", type: "folder", name: "Shelf" }];
    form.append("file", new Blob([JSON.stringify({ version: "1.0.0", operations })]));
    const uploaded = await fetch(request.url, { method: "POST", body: form });
    expect([uploaded.status, request.url]).toEqual([201, `${service.url}/uploads`]);

    const key = request.fields.find(({ name }) => name === "key")?.value;
    const task = await ask<{ id: string; status: string }>("CreateTask", { key });
    expect(task.status).toBe("pending");
    expect(await ask("StartTask", task)).toMatchObject({ id: task.id, status: "started" });
    expect(await ask("StartTask", task)).toMatchObject({ errorName: "InvalidTaskStateError" });
    await finished(client, task.id);

    expect(await ask("Task", task)).toMatchObject({
      ...{ status: "complete", info: null, errorCount: 0, issues: { totalCount: 0 } },
      progress: { total: 1, processed: 1, succeeded: 1, partial: 0, failed: 0, created: 1, unchanged: 0 },
    });
    expect(await ask("Tasks")).toMatchObject({ totalCount: 1, edges: [{ node: { id: task.id } }] });
    const [entry] = await wholeLog(client, task.id);
    expect(await ask("Log", task)).toMatchObject({ edges: [{ node: { ...entry, operationId: task.id } }] });
  });

  test("docs/api.md shows a fragment with every field of a failure", async () => {
    const on = "mutation ($id: ID!) { startMassOperationBulkTask(id: $id)";
    const { startMassOperationBulkTask: failure } = await client.graphql<Record<string, object>>(
      `${on} { ... on BulkTaskMassOperation { id } ...Failure __typename ... on BasicError { error } } }\n${query("Failure")}`,
      { id: "none" },
    );
    const message = 'The tenant has no bulk task with the id "none": list its tasks to find the right one';
    const errors = [{ code: "BulkTaskNotFound", message, path: ["id"], componentId: null }];
    const name = "BulkTaskNotFoundError";
    expect(failure).toEqual({ __typename: name, errorName: name, message, error: message, errors });
  });

  test.each(["... on BasicError { errorName }", "... on BulkTaskMassOperation { id }"])(
    "docs/api.md is right that a selection of %s alone is refused",
    async (fragment) => {
      const answer = client.graphql(`{ bulkTask(id: "none") { ${fragment} } }`);
      await expect(answer).rejects.toThrow("Select both: bulkTask {");
    },
  );

  test("docs/api.md: the queries of the operator succeed", async () => {
    const { data } = await operator("CreateTenant");
    expect(data.createTenant).toMatchObject({ tenant: { identifier: "my-shop", name: "My shop" } });
    const tenants = [{ node: { identifier: "acme" } }, { node: { identifier: "my-shop" } }];
    expect((await operator("Tenants")).data.tenants).toMatchObject({ totalCount: 2, edges: tenants });
    expect((await operator("UpdateTenant")).data.updateTenant).toEqual({
      ...{ name: "Our shop", uploadMaxBytes: 104_857_600, uploadLifetimeSeconds: 600, keepBeforeDays: 7 },
    });
    const { createAccessToken: token } = (await operator("CreateToken")).data as {
      createAccessToken: { accessToken: { id: string }; secret: string };
    };
    expect(token).toMatchObject({ accessToken: { name: "nightly import", role: "admin" } });
    expect((await operator("ShowTenant")).data.tenant).toMatchObject({
      ...{ name: "Our shop", usage: { items: 0 } },
      accessTokens: [{ name: "first token" }, { name: "nightly import" }],
    });
    const revoked = await operator("RevokeToken", { id: token.accessToken.id });
    expect(revoked.data.revokeAccessToken).toMatchObject({ accessToken: { name: "nightly import" } });
    expect((await operator("DeleteTenant")).data.deleteTenant).toMatchObject({ identifier: "my-shop" });
    const { auditTrail } = (await operator("AuditTrail")).data as {
      auditTrail: { edges: { node: { action: string } }[] };
    };
    expect(auditTrail.edges.map(({ node }) => node.action)).toEqual([
      ...["tenant.deleted", "accessToken.revoked", "accessToken.created", "tenant.updated", "tenant.created"],
    ]);
  });

  test("docs/api.md lists every query and mutation: after a change, run `npm run generate`", async () => {
    expect(text).toBe(withTables(file, text));
    expect(await ask("Schema")).toHaveProperty("queryType.fields");
  });

  test("docs/api.md: the queries read a folder as a tree, and the shapes", async () => {
    const folder = client.access.tenant.rootItemId;
    expect(await ask("Shop", { folder })).toMatchObject({ parent: null, children: { totalCount: 0 } });
    expect(await ask("Shapes")).toHaveProperty("edges");
  });

  const failures: [status: number, code: string | undefined, request: RequestInit & { path?: string }][] = [
    [400, "BadRequest", { body: "{}" }],
    [400, "FST_ERR_CTP_INVALID_JSON_BODY", { body: "{" }],
    [400, "BadRequest", { body: "" }],
    [400, "FST_ERR_BAD_URL", { path: "/@%ff" }],
    [400, "GRAPHQL_PARSE_FAILED", queryOf("{")],
    [400, "GRAPHQL_VALIDATION_FAILED", queryOf("{ none }")],
    [400, "GRAPHQL_NESTED_TOO_DEEPLY", queryOf("{a".repeat(65) + "}".repeat(65))],
    [400, "GRAPHQL_TOO_MANY_ALIASES", queryOf(`{ tenant { ${"a: id ".repeat(1_001)} } }`)],
    [
      400,
      "GRAPHQL_TOO_COSTLY",
      queryOf(`{ ${aliased("shapes(first: 1000) { edges { node { name } } }", 101)} }`),
    ],
    [400, "OPERATION_RESOLUTION_FAILURE", queryOf("query A { tenant { id } } query B { tenant { id } }")],
    [400, undefined, queryOf("query ($first: Int!) { bulkTasks(first: $first) { totalCount } }")],
    [401, "Unauthorized", { headers: { "content-type": "application/json" } }],
    [404, "TenantNotFound", { path: "/@none" }],
    [404, "NotFound", { path: "/none" }],
    [413, "FST_ERR_CTP_BODY_TOO_LARGE", { body: `"${"a".repeat(8 * 1024 ** 2)}"` }],
    [415, "FST_ERR_CTP_INVALID_MEDIA_TYPE", { headers: { "content-type": "text/plain" }, body: "{}" }],
  ];

  test.each(failures)(
    "docs/api.md and docs/errors.md are right about the status %i of %s",
    async (status, code, request) => {
      const { path = "/@acme", headers, body = "{}" } = request;
      const token = {
        "x-service-access-token-id": client.access.accessTokenId,
        "x-service-access-token-secret": client.access.accessTokenSecret,
      };
      const json = { ...token, "content-type": "application/json" };
      const sent = code === "Unauthorized" ? headers : { ...json, ...headers };
      const response = await fetch(service.url + path, { method: "POST", headers: sent ?? json, body });
      const answer = (await response.json()) as { errors: [{ extensions?: { code: string } }] };
      expect([response.status, answer.errors[0].extensions?.code]).toEqual([status, code]);
      const listed = rows(section(page("docs/errors.md"), "HTTP"));
      expect(
        listed.some((row) => row[0] === `${status}` && (!code || codes(row[1] ?? "").includes(code))),
      ).toBe(true);
    },
  );

  test("a query without a union reports its failure by name in `errors`", async () => {
    const failure = client.graphql('{ operationLogs(filter: {operationId: "none"}) { totalCount } }');
    await expect(failure).rejects.toThrow(
      'The tenant has no bulk task with the id "none": list its tasks to find the right one',
    );
  });
});

function aliased(field: string, times: number) {
  return Array.from({ length: times }, (_, i) => `a${i}: ${field}`).join(" ");
}

function queryOf(text: string) {
  return { body: JSON.stringify({ query: text }) };
}
