import { afterAll, beforeAll, expect, test } from "vitest";
import { openPostgres } from "../../packages/service/src/storage/engines/postgres.ts";
import { pruneTasks } from "../../packages/service/src/tasks/prune.ts";
import { clientWithRole, type TenantClient } from "../support/client.ts";
import { finished, openService, runFile, startFile, type TestService } from "../support/service.ts";

let service: TestService;
let admin: TenantClient;
let planner: TenantClient;

beforeAll(async () => {
  service = await openService("postgresql");
  admin = await service.tenant("shop");
  planner = await clientWithRole(service, admin, "planner");
});
afterAll(() => service.close());

const group = (name: string) => ({
  version: "1.0.0",
  operations: [{ intent: "customer/group/upsert", identifier: "vip", name }],
});
const plan = (client: TenantClient, file: unknown, more: object = {}) =>
  startFile(client, file, { kind: "plan", ...more });

const refusal = /This access token has the role planner; a mutation needs the role admin/;

/** The message that a mutation fails with, or undefined. */
async function failure(client: TenantClient, mutation: string, variables: Record<string, unknown> = {}) {
  const declared = Object.keys(variables).map((name) => `$${name}: ID!`);
  const { it } = await client.graphql<{ it: { error?: string } }>(
    `mutation${declared.length > 0 ? ` (${declared.join(", ")})` : ""} { it: ${mutation} {
       ... on ${mutation.startsWith("generate") ? "PresignedUploadRequest { url }" : "BulkTaskMassOperation { id }"}
       ... on BasicError { error } } }`,
    variables,
  );
  return it.error;
}

const valuesIn = async (client: TenantClient, task: string) => {
  const { operationLogs } = await client.graphql<{
    operationLogs: { edges: { node: { changes: { entities: { values: object[] }[] } | null } }[] };
  }>(
    `query ($task: ID!) { operationLogs(filter: { operationId: $task }) { edges { node {
       changes { entities { values { pointer before after } } } } } } }`,
    { task },
  );
  return operationLogs.edges.map(
    ({ node }) => node.changes?.entities.flatMap(({ values }) => values) ?? null,
  );
};

test("a planner cannot run a file, not even as its plan with a webhook of its own, a retry or an undo", async () => {
  const run = await runFile(admin, group("Important"));
  await expect(startFile(planner, group("Other"))).rejects.toThrow(refusal);
  await expect(startFile(planner, group("Other"), { kind: "run" })).rejects.toThrow(refusal);
  await expect(plan(planner, group("Other"), { webhookUrl: "https://else.example" })).rejects.toThrow(
    refusal,
  );
  for (const mutation of [
    "retryBulkTask(id: $id)",
    "undoBulkTask(id: $id)",
    "undoBulkTask(id: $id, plan: true)",
    "holdBulkTask(id: $id)",
  ])
    expect(await failure(planner, mutation, { id: run.id }), mutation).toMatch(refusal);
});

test("a planner starts, dates and cancels its own plans, and no other task", async () => {
  const its = await plan(planner, group("Mine"), { autoStart: false });
  const others = await plan(admin, group("Another's"), { autoStart: false });
  const date = (id: string) => failure(planner, `scheduleBulkTask(id: $id, startAt: null)`, { id });
  for (const mutation of ["startMassOperationBulkTask(id: $id)", "cancelMassOperationBulkTask(id: $id)"])
    expect(await failure(planner, mutation, { id: others }), mutation).toMatch(
      /except for a plan that the token created$/,
    );
  expect(await date(others)).toMatch(/except for a plan/);
  expect(await date(its)).toBeUndefined();
  expect(await failure(planner, "cancelMassOperationBulkTask(id: $id)", { id: its })).toBeUndefined();
  expect(await failure(admin, "cancelMassOperationBulkTask(id: $id)", { id: others })).toBeUndefined();
});

test("a planner has three plans at a time", async () => {
  const open = await Promise.all(
    Array.from({ length: 3 }, (_, i) => plan(planner, group(`Open ${i}`), { autoStart: false })),
  );
  await expect(plan(planner, group("Fourth"))).rejects.toThrow(
    /^3 plans of this access token have not ended, which is its limit: cancel one, or wait/,
  );
  for (const id of open) await failure(planner, "cancelMassOperationBulkTask(id: $id)", { id });
  await finished(planner, await plan(planner, group("Fourth")));
});

test("a planner uploads files to plan and their pictures, and nothing that stays", async () => {
  const presign = (type: string, more = "") =>
    failure(
      planner,
      `generatePresignedUploadRequest(type: ${type}, filename: "a.png", contentType: "image/png"${more})`,
    );
  expect(await presign("MASS_OPERATIONS")).toBeUndefined();
  expect(await presign("MEDIA", `, sha256: "${"a".repeat(64)}"`)).toBeUndefined();
  expect(await presign("MEDIA")).toMatch(refusal);
  expect(await presign("STATIC")).toMatch(refusal);
});

test("a planner reads the values that a plan would change, and not those that a run or an undo did", async () => {
  const run = await runFile(admin, group("Before"));
  const id = await plan(planner, group("After"));
  await finished(planner, id);
  const [values] = await valuesIn(planner, id);
  expect(values).toContainEqual({ pointer: "/name", before: "Before", after: "After" });
  expect(await valuesIn(planner, run.id)).toEqual([null]);
  const reader = await clientWithRole(service, admin, "reader");
  expect(await valuesIn(reader, id)).toEqual([null]);
});

test("an admin runs by the plan of a planner, and the audit trail names both", async () => {
  const id = await plan(planner, group("Approved"));
  await finished(planner, id);
  const { createMassOperationBulkTask: run } = await admin.graphql<{
    createMassOperationBulkTask: { id: string };
  }>(
    `mutation ($plan: ID!) { createMassOperationBulkTask(input: { plan: $plan, autoStart: true }) {
       ... on BulkTaskMassOperation { id } ... on BasicError { error } } }`,
    { plan: id },
  );
  expect((await finished(admin, run.id)).progress.succeeded).toBe(1);
  const { auditTrail } = await admin.graphql<{
    auditTrail: { edges: { node: { accessTokenName: string; subjectId: string } }[] };
  }>(`{ auditTrail(filter: { action: "bulkTask.created" }, first: 2) { edges { node {
    accessTokenName subjectId } } } }`);
  expect(auditTrail.edges.map(({ node }) => node)).toEqual([
    { subjectId: run.id, accessTokenName: "first token" },
    { subjectId: id, accessTokenName: "planner" },
  ]);
});

test("housekeeping keeps a planner's plan until it is run, or 14 days", async () => {
  const id = await plan(planner, group("Waiting"));
  const followed = await plan(admin, group("Followed"));
  await Promise.all([finished(planner, id), finished(admin, followed)]);
  const database = openPostgres(service.databaseUrl as string);
  const age = (days: number) =>
    database.execute("UPDATE bulk_tasks SET ended_at = now() - $1 * interval '1 day'", [days]);
  const store = { delete: async () => {}, deleteAll: async () => {} };
  const prune = () =>
    pruneTasks({ database, store: store as never }, { olderThanDays: 1, unapprovedDays: 14, kind: "plan" });
  const isPruned = async (task: string) => {
    const [row] = await database.query<{ pruned: boolean }>(
      "SELECT pruned_at IS NOT NULL AS pruned FROM bulk_tasks WHERE id = $1",
      [task],
    );
    return row?.pruned;
  };
  await age(13);
  await prune();
  expect([await isPruned(id), await isPruned(followed)]).toEqual([false, true]);
  await age(15);
  await prune();
  expect(await isPruned(id)).toBe(true);
  await database.close();
});
