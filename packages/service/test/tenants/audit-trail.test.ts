import { beforeAll, describe, expect, test } from "vitest";
import { headersOf, useApi } from "../http/support.ts";
import { createToken } from "./operator-api.ts";

describe("the audit trail of tasks", () => {
  let token: { id: string; secret: string };

  const api = useApi();
  beforeAll(async () => {
    const { accessToken, secret } = await createToken(api, { name: "importer", role: "admin" });
    token = { id: accessToken.id, secret };
  });

  const ask = async (query: string, variables: object) => {
    const payload = { query, variables };
    const { body } = await api.send({ method: "POST", url: "/@shop", headers: headersOf(token), payload });
    return Object.values(body.data)[0] as {
      id: string;
      errorName?: string;
      info?: { stack: string | null } | null;
    };
  };

  const result = "{ ... on BulkTaskMassOperation { id info { stack } } ... on BasicError { errorName } }";

  const create = async (more: object = {}) => {
    const key = await api.uploaded();
    const mutation = `mutation ($input: CreateMassOperationBulkTaskInput!) {
      createMassOperationBulkTask(input: $input) ${result} }`;
    return { key, ...(await ask(mutation, { input: { key, ...more } })) };
  };

  const start = (id: string) =>
    ask(`mutation ($id: ID!) { startMassOperationBulkTask(id: $id) ${result} }`, { id });
  const cancel = (id: string) =>
    ask(`mutation ($id: ID!) { cancelMassOperationBulkTask(id: $id) ${result} }`, { id });

  const trailOf = async (subjectId: string) => {
    const query = `query ($subjectId: ID!) { auditTrail(filter: {subjectId: $subjectId}) { edges { node {
      action actor accessTokenId accessTokenName details } } } }`;
    const { auditTrail } = await api.data(query, { subjectId });
    return auditTrail.edges.map(({ node }: { node: object }) => node).reverse();
  };

  const by = () => ({ actor: "accessToken", accessTokenId: token.id, accessTokenName: "importer" });

  test("the audit trail has no entries for refused actions", async () => {
    expect(await start("none")).toEqual({ errorName: "BulkTaskNotFoundError" });
    expect(await cancel("none")).toEqual({ errorName: "BulkTaskNotFoundError" });
    expect(await trailOf("none")).toEqual([]);
  });

  test("the audit trail says who created, started and cancelled a task, each once", async () => {
    const { id, key } = await create();
    await start(id);
    expect(await start(id)).toEqual({ errorName: "InvalidTaskStateError" });
    expect((await cancel(id)).info?.stack).toMatch(
      new RegExp(
        `^Cancelled by the access token "importer" \\(${token.id}\\)\nEnded at 20.*Z before the file`,
      ),
    );
    expect(await cancel(id)).toEqual({ errorName: "InvalidTaskStateError" });
    expect(await trailOf(id)).toEqual([
      { ...by(), action: "bulkTask.created", details: { key } },
      { ...by(), action: "bulkTask.started", details: null },
      { ...by(), action: "bulkTask.cancelled", details: null },
    ]);
  });

  test("the audit trail says who held and resumed a task, each once", async () => {
    const { id } = await create();
    const change = (mutation: string) =>
      ask(`mutation ($id: ID!) { ${mutation}(id: $id) ${result} }`, { id });
    await change("holdBulkTask");
    await change("holdBulkTask");
    await change("resumeBulkTask");
    expect(await change("resumeBulkTask")).toEqual({ errorName: "InvalidTaskStateError" });
    expect((await trailOf(id)).slice(1)).toEqual([
      { ...by(), action: "bulkTask.held", details: null },
      { ...by(), action: "bulkTask.resumed", details: null },
    ]);
  });

  test("the audit trail has the creation and start of a task that starts by itself, once for each key", async () => {
    const { id } = await create({ autoStart: true, idempotencyKey: "once" });
    expect((await create({ autoStart: true, idempotencyKey: "once" })).id).toBe(id);
    const actions = (await trailOf(id)).map(({ action }: { action: string }) => action);
    expect(actions).toEqual(["bulkTask.created", "bulkTask.started"]);
  });

  test("the audit trail of an unknown action is empty", async () => {
    expect(await api.data('{ auditTrail(filter: {action: "none"}) { totalCount } }')).toEqual({
      auditTrail: { totalCount: 0 },
    });
  });
});
