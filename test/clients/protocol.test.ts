import { beforeAll, expect, test } from "vitest";
import type { TenantClient } from "../support/client.ts";
import { opened } from "../support/opened.ts";
import { openService, serviceEngines } from "../support/service.ts";

let tenant: TenantClient;

const service = opened(() => openService(serviceEngines[0]));
beforeAll(async () => {
  tenant = await service.tenant("acme");
});

type Answer = Record<string, Record<string, unknown>>;

async function core(path: string, query: string, variables?: object): Promise<Answer> {
  const { accessTokenId, accessTokenSecret } = tenant.access;
  const response = await fetch(`${service.url}${path}`, {
    method: "POST",
    headers: {
      ...{
        "Content-type": "application/json; charset=UTF-8",
        Accept: "application/json",
        connection: "close",
      },
      "X-Service-Access-Token-Id": accessTokenId,
      "X-Service-Access-Token-Secret": accessTokenSecret,
    },
    body: JSON.stringify({ query, variables }),
  });
  const body = (await response.json()) as { data: Answer; errors?: unknown };
  expect([response.status, "errors" in body]).toEqual([200, false]);
  return body.data;
}

async function uploaded(path: string, file: object): Promise<unknown> {
  const { generatePresignedUploadRequest: request } = await core(
    path,
    `mutation UPLOAD($filename: String!, $contentType: String!, $type: FileUploadType!) {
       generatePresignedUploadRequest(filename: $filename, contentType: $contentType, type: $type) {
         ... on PresignedUploadRequest { url fields { name value } maxSize lifetime }
         ... on BasicError { error: message } } }`,
    { filename: "mass-operation-x7.json", contentType: "application/json", type: "MASS_OPERATIONS" },
  );
  expect(request).toMatchObject({ maxSize: expect.any(Number), lifetime: expect.any(Number) });
  const fields = request?.fields as { name: string; value: string }[];
  const form = new FormData();
  for (const { name, value } of fields) form.append(name, value);
  form.append("file", new Blob([JSON.stringify(file)], { type: "application/octet-stream" }), "");
  const headers = { connection: "close" };
  const response = await fetch(request?.url as string, { method: "POST", headers, body: form });
  expect(response.status).toBe(201);
  return fields.find(({ name }) => name === "key")?.value;
}

const task = "... on BulkTaskMassOperation { id status } ... on BasicError { error: message }";

test.each(["/@acme", "/@acme/core"])(
  "a file can be run at %s with the requests of that command line",
  async (path) => {
    const file = {
      version: "0.0.1",
      operations: [
        { intent: "shape/upsert", identifier: "shelf", type: "folder", name: "Shelf", unknown: 1 },
      ],
    };
    const key = await uploaded(path, file);
    const { createMassOperationBulkTask: created } = await core(
      path,
      `mutation REGISTER($key: String!) { createMassOperationBulkTask(input: {key: $key, autoStart: false}) { ${task} } }`,
      { key },
    );
    expect(created).toEqual({ id: expect.any(String), status: "pending" });
    const { id } = created as { id: string };
    const { startMassOperationBulkTask: started } = await core(
      path,
      `mutation START($id: ID!) { startMassOperationBulkTask(id: $id) { ${task} } }`,
      { id },
    );
    expect(started?.id).toBe(id);
    const poll = async () => {
      const { bulkTask } = await core(
        path,
        `query TASK($id: ID!) { bulkTask(id: $id) { ... on BulkTaskMassOperation { id type status key }
         ... on BasicError { error: message } } }`,
        { id },
      );
      expect(bulkTask).toMatchObject({ id, type: "massOperation", key });
      return bulkTask?.status;
    };
    await expect.poll(poll, { timeout: 45_000 }).toBe("complete");
    const { operationLogs } = await core(
      path,
      `query LOGS($after: String, $first: Int, $operationId: ID!) {
       operationLogs(after: $after, first: $first, filter: {operationId: $operationId}) {
         ... on OperationLogConnection { pageInfo { endCursor hasNextPage }
           edges { node { id input output message status statusCode } } } } }`,
      { after: "", first: 100, operationId: id },
    );
    expect(operationLogs).toMatchObject({
      pageInfo: { hasNextPage: false },
      edges: [{ node: { status: "success", statusCode: 200, input: file.operations[0] } }],
    });
  },
);

test("an unknown key and an unknown task return the error under its alias", async () => {
  const query = (name: string, given: string) => `mutation { ${name}(${given}) { ${task} } }`;
  expect(
    await core("/@acme", query("createMassOperationBulkTask", 'input: {key: "none", autoStart: false}')),
  ).toEqual({
    createMassOperationBulkTask: { error: expect.stringContaining("Nothing was uploaded") },
  });
  expect(await core("/@acme", query("startMassOperationBulkTask", 'id: "none"'))).toEqual({
    startMassOperationBulkTask: { error: expect.stringContaining("no bulk task") },
  });
});

test("the tenant and its shapes are selected with a fragment and without one", async () => {
  const { tenant } = await core(
    "/@acme",
    "query T($identifier: String!) { tenant(identifier: $identifier) { ... on Tenant { id identifier } } }",
    { identifier: "acme" },
  );
  expect(tenant).toMatchObject({ identifier: "acme" });
  const { shapes } = await core("/@acme", "{ shapes { edges { node { identifier name type } } } }");
  expect(shapes?.edges).toEqual([{ node: { identifier: "shelf", name: "Shelf", type: "folder" } }]);
});

test("a list of orders accepts an error fragment in its selection", async () => {
  const { orders } = await core(
    "/@acme",
    `{ orders(filter: {customer: {identifier: "none"}}) { ... on OrderConnection { edges { node { id } } }
       ... on BasicError { errorName message } } }`,
  );
  expect(orders).toEqual({ edges: [] });
});
