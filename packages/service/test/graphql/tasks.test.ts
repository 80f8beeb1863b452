import { describe, expect, test } from "vitest";
import { storeIssues } from "../../src/storage/task-details/issues.ts";
import type { LogEntry } from "../../src/storage/task-details/operation-logs.ts";
import { writeLogs } from "../../src/storage/task-details/write-logs.ts";
import { createTenant } from "../../src/tenants/create.ts";
import { newUploadKey } from "../../src/uploads/keys.ts";
import { useApi } from "../http/support.ts";
import { updateTenant } from "../tenants/operator-api.ts";

const failure = "... on BasicError { error errorName }";

describe("bulk tasks", () => {
  const api = useApi();

  const create = (key: string, autoStart?: boolean) =>
    api.field(
      `mutation ($key: String!, $autoStart: Boolean) { createMassOperationBulkTask(input: {key: $key, autoStart: $autoStart}) {
           ... on BulkTaskMassOperation { id type status key info { error } progress { total processed waitingFor } startedAt } ${failure} } }`,
      { key, autoStart },
    );

  const start = (id: string) =>
    api.field(
      `mutation ($id: ID!) { startMassOperationBulkTask(id: $id) { ... on BulkTaskMassOperation { id status startedAt } ${failure} } }`,
      { id },
    );

  test("a date is removed by null, not by a variable that is not sent", async () => {
    const { id } = await create(await api.uploaded());
    const schedule = (variables: object) =>
      api.field(
        `mutation ($id: ID!, $startAt: DateTime) { scheduleBulkTask(id: $id, startAt: $startAt) {
           ... on BulkTaskMassOperation { startAt } ... on BasicError { error } } }`,
        { id, ...variables },
      );
    const startAt = new Date(Date.now() + 3_600_000).toISOString();
    expect(await schedule({ startAt })).toEqual({ startAt });
    expect(await schedule({})).toEqual({ error: "startAt is missing: give a date, or null to remove it" });
    expect(await schedule({ startAt: null })).toEqual({ startAt: null });
  });

  test("an upload key of nothing, of another tenant or of no form is an UploadNotFoundError", async () => {
    const other = await createTenant(api.database, { identifier: "other" });
    const own = api.shop.tenant.id;
    for (const key of [
      newUploadKey(own, "never-sent.json", "MASS_OPERATIONS"),
      await api.uploaded("{}", other.tenant.id),
      "",
      own,
      `${own}/../${await api.uploaded("{}", other.tenant.id)}`,
      `${own}/mass-operations/a\\b`,
    ])
      expect(await create(key), key).toMatchObject({ errorName: "UploadNotFoundError" });
    expect(api.logged).toEqual([]);
  });

  test("a task is not created from a file larger than the tenant's limit, whatever the store has taken", async () => {
    const [larger, largest] = [await api.uploaded("{}  "), await api.uploaded("{} ")];
    await updateTenant(api, "shop", { uploadMaxBytes: 3 });
    expect(await create(larger)).toMatchObject({
      ...{ errorName: "ValidationError", error: "The file has 4 bytes; the tenant's limit is 3" },
    });
    expect(await create(largest)).toMatchObject({ status: "pending" });
    await updateTenant(api, "shop", { uploadMaxBytes: 1024 ** 3 });
    expect(await create(larger)).toMatchObject({ status: "pending" });
  });

  test("a task is strict only when it was created so", async () => {
    const fields = `... on BulkTaskMassOperation { strict } ${failure}`;
    const of = async (strict: boolean | null) =>
      await api.field(
        `mutation ($key: String!, $strict: Boolean) { task: createMassOperationBulkTask(input: {key: $key, strict: $strict}) { ${fields} } }`,
        { key: await api.uploaded(), strict },
      );
    expect([await of(true), await of(false), await of(null)]).toEqual([
      { strict: true },
      { strict: false },
      { strict: false },
    ]);
  });

  test("a task is pending until it is started, and is started once", async () => {
    const key = await api.uploaded();
    const created = await create(key);
    expect(created).toEqual({
      id: expect.stringMatching(/^[0-9a-f]{24}$/),
      type: "massOperation",
      status: "pending",
      key,
      info: null,
      progress: { total: null, processed: 0, waitingFor: "a call of startMassOperationBulkTask" },
      startedAt: null,
    });
    expect(await start(created.id)).toEqual({
      id: created.id,
      status: "started",
      startedAt: expect.any(String),
    });
    expect((await start(created.id)).errorName).toBe("InvalidTaskStateError");
    expect((await start("f".repeat(24))).errorName).toBe("BulkTaskNotFoundError");
    expect((await create(await api.uploaded(), true)).status).toBe("started");
  });

  test("a task says why it failed, and lists every issue of its file in pages", async () => {
    const { id } = await api.task();
    await api.database.execute(
      `UPDATE bulk_tasks SET status = 'error', start_order = 0, started_at = now(), ended_at = now(), error_count = 3,
         warning_count = 1, error = 'Wrong', error_name = 'ValidationError', stack = 'line 1' WHERE id = $1`,
      [id],
    );
    const issue = (number: number) => ({
      severity: number < 3 ? ("error" as const) : ("warning" as const),
      code: "UnknownIntent",
      message: `Issue ${number}`,
      pointer: `/operations/${number}/intent`,
      operationIndex: number,
      intent: null,
      ref: "r",
      line: number + 1,
      column: 7,
      offset: number,
    });
    await storeIssues(api.database, api.shop.tenant.id, id, [0, 1, 2, 3].map(issue));
    const read = (after = "") =>
      api.field(
        `query ($id: ID!, $after: String) { bulkTask(id: $id) { ... on BulkTaskMassOperation { status info { error errorName stack } errorCount warningCount
             issues(first: 3, after: $after) { totalCount pageInfo { endCursor hasNextPage } edges { node { severity code message pointer operationIndex intent ref line column offset } } } }
             ${failure} } }`,
        { id, after },
      );
    const first = await read();
    expect(first).toMatchObject({
      status: "error",
      info: { error: "Wrong", errorName: "ValidationError", stack: "line 1" },
      errorCount: 3,
      warningCount: 1,
      issues: { totalCount: 4, pageInfo: { hasNextPage: true } },
    });
    const { issues } = await read(first.issues.pageInfo.endCursor);
    const nodes = [...first.issues.edges, ...issues.edges].map(({ node }: { node: object }) => node);
    expect(nodes).toEqual([0, 1, 2, 3].map(issue));
  });

  test("tasks are listed newest first, by state and in pages", async () => {
    const older = await api.task();
    const newer = await api.task();
    const list = (given: string) =>
      api.field(
        `{ bulkTasks(${given}) { totalCount edges { node { id status } } pageInfo { endCursor } ... on BulkTaskConnection { totalCount } } }`,
      );
    const first = await list("filter: {type: massOperation, status: pending}, first: 1");
    expect(first.edges[0].node).toEqual({ id: newer.id, status: "pending" });
    const second = await list(
      `filter: {type: "massOperation", status: pending}, first: 1, after: "${first.pageInfo.endCursor}"`,
    );
    expect(second.edges[0].node.id).toBe(older.id);
    const every = await list('after: ""');
    expect(every.totalCount).toBe(every.edges.length);
    expect((await list("filter: {status: running}")).edges).toEqual([]);
  });

  test("tasks that are held are listed alone, or left out", async () => {
    const held = await api.task();
    await api.data(
      `mutation ($id: ID!) { holdBulkTask(id: $id) { ... on BulkTaskMassOperation { id } ${failure} } }`,
      { id: held.id },
    );
    const ids = async (filter: string) => {
      const { bulkTasks } = await api.data(
        `{ bulkTasks(filter: ${filter}, first: 100) { totalCount edges { node { id } } } }`,
      );
      expect(bulkTasks.totalCount).toBe(bulkTasks.edges.length);
      return bulkTasks.edges.map(({ node }: { node: { id: string } }) => node.id);
    };
    expect(await ids("{held: true}")).toEqual([held.id]);
    expect(await ids("{held: true, status: running}")).toEqual([]);
    const others = await ids("{held: false}");
    expect(others).not.toContain(held.id);
    expect((await ids("{held: null}")).toSorted()).toEqual([...others, held.id].toSorted());
  });

  test("a variable with an unknown state is a ValidationError, not an empty list", async () => {
    const query = `query ($status: String) { bulkTasks(filter: {status: $status}) { totalCount } }`;
    const { body } = await api.ask(query, { status: "done" });
    expect(body).toMatchObject({
      data: { bulkTasks: null },
      errors: [
        { message: expect.stringContaining('filter.status is "done"; it must be one of pending, started') },
      ],
    });
    expect((await api.field(query, { status: "running" })).totalCount).toBe(0);
  });

  const entry = (index: number, status: LogEntry["status"], intent = "customer/create"): LogEntry => ({
    index,
    ref: index === 0 ? "first" : null,
    intent,
    status,
    statusCode: status === "success" ? 200 : 400,
    errorName: status === "success" ? null : "ValidationError",
    action: status === "success" ? "created" : null,
    message: status === "success" ? null : "No",
    cause: status === "success" ? null : "No",
    position: { offset: 0, length: 10 },
    input: `{"intent":"${intent}","identifier":"{{ x }}","n":1e2}`,
    rendered: { "/identifier": "c" },
    output: { identifier: `c-${index}` },
    errors: status === "success" ? null : [{ code: "X", message: "No", path: ["identifier"] }],
    startedAt: "2026-01-02T03:04:05.000Z",
    durationMs: 1.5,
  });

  test("the log is read in order, in pages, by state and by the beginning of the intent", async () => {
    const { id } = await api.task();
    const entries = [0, 1, 2, 3, 4].map((index) =>
      entry(index, index === 3 ? "failure" : "success", index === 4 ? "order/register" : undefined),
    );
    const key = { tenantId: api.shop.tenant.id, taskId: id };
    await writeLogs(api.database, key, { first: 0, end: 5 }, entries);
    const read = (filter: string, page = "") =>
      api.field(
        `query ($id: ID!) { operationLogs(filter: {operationId: $id ${filter}} ${page}) { ... on OperationLogConnection {
             totalCount pageInfo { endCursor hasNextPage hasPreviousPage } edges { cursor node { id index status message } } } } }`,
        { id },
      );
    const indexes = (log: { edges: { node: { index: number } }[] }) =>
      log.edges.map(({ node }) => node.index);
    const first = await read("", ', first: 2, after: ""');
    expect([indexes(first), first.totalCount, first.pageInfo.hasNextPage]).toEqual([[0, 1], 5, true]);
    expect(first.edges[0].node.message).toBe('created customer "c-0"');
    const rest = await read("", `, after: "${first.pageInfo.endCursor}"`);
    expect([indexes(rest), rest.pageInfo.hasNextPage, rest.pageInfo.hasPreviousPage]).toEqual([
      [2, 3, 4],
      false,
      true,
    ]);
    expect(indexes(await read("status: failure"))).toEqual([3]);
    expect(indexes(await read('operationTypeStartsWith: "order/"'))).toEqual([4]);
    expect(indexes(await read("action: created"))).toEqual([0, 1, 2, 4]);
    expect(indexes(await read('action: created, operationTypeStartsWith: "order/"'))).toEqual([4]);
    expect(indexes(await read('operationTypeStartsWith: ""'))).toEqual([0, 1, 2, 3, 4]);
    for (const none of [
      "order/%",
      "_",
      "%",
      "\\\\",
      "order/register,",
      ",order/",
      "rder/",
      "o".repeat(1_000_000),
    ])
      expect(await read(`operationTypeStartsWith: "${none}"`)).toMatchObject({ edges: [], totalCount: 0 });

    const whole = (
      await api.field(
        `query ($id: String!) { operationLogs(filter: {operationId: $id, status: "failure"}) { edges { node {
           id operationId index ref intent status statusCode errorName action message input command output errors startedAt durationMs } } } }`,
        { id },
      )
    ).edges[0].node;
    const { rendered, cause: _cause, position: _place, ...logged } = entry(3, "failure");
    expect(rendered).not.toBeNull();
    expect(whole).toEqual({
      ...logged,
      command: { intent: "customer/create", identifier: "c", n: 100 },
      input: { intent: "customer/create", identifier: "{{ x }}", n: 100 },
      id: expect.any(String),
      operationId: id,
    });
  });

  test("the log of an unknown task, or from a wrong cursor, is an error", async () => {
    const { id } = await api.task();
    const ask = (given: string) => `{ operationLogs(${given}) { edges { node { id } } } }`;
    expect(await api.field(ask(`filter: {operationId: "${id}"}`))).toEqual({ edges: [] });
    for (const [{ body }, code] of [
      [await api.ask(ask('filter: {operationId: "x"}')), "BulkTaskNotFoundError"],
      [await api.ask(ask(`filter: {operationId: "${id}"}, after: "x"`)), "ValidationError"],
      [await api.ask(ask(`filter: {operationId: "${id}"}, after: "99999999999"`)), "ValidationError"],
    ] as const)
      expect(body.errors[0].extensions.code).toBe(code);
  });
});
