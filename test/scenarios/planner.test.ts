import { afterAll, beforeAll, expect, test } from "vitest";
import { openPostgres } from "../../packages/service/src/storage/engines/postgres.ts";
import { clientWithRole, type TenantClient } from "../support/client.ts";
import { finished, openService, runFile, startFile, type TestService } from "../support/service.ts";
import { valuesIn } from "./plan-values.ts";

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

const refusal = /^Your role is planner; a mutation needs the role admin/;

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

test("nobody's plan has a webhook of its own", async () => {
  for (const client of [admin, planner])
    await expect(plan(client, group("Other"), { webhookUrl: "https://else.example" })).rejects.toThrow(
      "The end of a plan is not notified: leave out webhookUrl",
    );
});

test("a planner cannot run a file, not even as a retry or an undo", async () => {
  const run = await runFile(admin, group("Important"));
  await expect(startFile(planner, group("Other"))).rejects.toThrow(refusal);
  await expect(startFile(planner, group("Other"), { kind: "run" })).rejects.toThrow(refusal);
  for (const mutation of [
    "retryBulkTask(id: $id)",
    "undoBulkTask(id: $id)",
    "undoBulkTask(id: $id, plan: true)",
    "holdBulkTask(id: $id)",
  ])
    expect(await failure(planner, mutation, { id: run.id }), mutation).toMatch(refusal);
});

test("a planner starts and cancels its own plans; those of others are refused as tasks that don't exist", async () => {
  const its = await plan(planner, group("Mine"), { autoStart: false });
  const others = await plan(admin, group("Another's"), { autoStart: false });
  const second = await clientWithRole(service, admin, "planner");
  for (const mutation of ["startMassOperationBulkTask(id: $id)", "cancelMassOperationBulkTask(id: $id)"])
    for (const [by, id] of [
      [planner, others],
      [planner, "no-such-task"],
      [second, its],
    ] as const)
      expect(await failure(by, mutation, { id }), mutation).toBe(
        "Your role is planner; a mutation needs the role admin, or planner for a plan that the " +
          "token itself created",
      );
  expect(await failure(planner, "scheduleBulkTask(id: $id, startAt: null)", { id: its })).toMatch(refusal);
  expect(await failure(planner, "cancelMassOperationBulkTask(id: $id)", { id: its })).toBeUndefined();
  expect(await failure(admin, "cancelMassOperationBulkTask(id: $id)", { id: others })).toBeUndefined();
});

test("an idempotency key of a planner is answered with its own plan, and no other token's", async () => {
  const request = { autoStart: false, idempotencyKey: "once" };
  const its = await plan(planner, group("Once"), request);
  expect(await plan(planner, group("Once"), request)).toBe(its);
  const second = await clientWithRole(service, admin, "planner");
  for (const other of [admin, second])
    await expect(plan(other, group("Once"), request)).rejects.toThrow(
      'idempotencyKey "once" was used with another access token: use another idempotencyKey',
    );
  await failure(planner, "cancelMassOperationBulkTask(id: $id)", { id: its });
});

test("a planner has three plans at a time", async () => {
  const open = await Promise.all(
    Array.from({ length: 3 }, (_, i) => plan(planner, group(`Open ${i}`), { autoStart: false })),
  );
  await expect(plan(planner, group("Fourth"))).rejects.toThrow(
    /^3 of your plans have not ended; the limit is 3: cancel one, or wait/,
  );
  for (const id of open) await failure(planner, "cancelMassOperationBulkTask(id: $id)", { id });
  await finished(planner, await plan(planner, group("Fourth")));
});

test("a planner uploads files to plan, and no pictures", async () => {
  const presign = (client: TenantClient, type: string, more = "") =>
    failure(
      client,
      `generatePresignedUploadRequest(type: ${type}, filename: "a.png", contentType: "image/png"${more})`,
    );
  expect(await presign(planner, "MASS_OPERATIONS")).toBeUndefined();
  expect(await presign(planner, "MEDIA", `, sha256: "${"a".repeat(64)}"`)).toMatch(refusal);
  expect(await presign(planner, "STATIC")).toMatch(refusal);
  const reader = await clientWithRole(service, admin, "reader");
  expect(await presign(reader, "MASS_OPERATIONS")).toBe(
    "Your role is reader; a mutation needs the role admin, or planner for the type MASS_OPERATIONS",
  );
});

test("a planner creates 200 plans in 24 hours", async () => {
  const id = await plan(planner, group("Again"));
  await finished(planner, id);
  const database = openPostgres(service.databaseUrl as string);
  await database.execute(
    `INSERT INTO bulk_tasks (tenant_id, id, type, kind, status, key, etag, created_by, planner_id)
     SELECT tenant_id, id || n, type, kind, 'pending', key, etag, created_by, planner_id
     FROM bulk_tasks, generate_series(1, 200) n WHERE id = $1`,
    [id],
  );
  await expect(plan(planner, group("Again"))).rejects.toThrow(
    /^You have created 2\d\d plans in 24 hours; the limit is 200: plan several operations in one file$/,
  );
  await database.execute("DELETE FROM bulk_tasks WHERE id LIKE $1 || '_%'", [id]);
  await database.close();
});

test("a planner reads the values that its own plan would change, and no others", async () => {
  const run = await runFile(admin, group("Before"));
  const id = await plan(planner, group("After"));
  await finished(planner, id);
  const [values] = await valuesIn(planner, id);
  expect(values).toContainEqual({ pointer: "/name", before: "Before", after: "After" });
  expect(await valuesIn(planner, run.id)).toEqual([null]);
  for (const other of [
    await clientWithRole(service, admin, "reader"),
    await clientWithRole(service, admin, "planner"),
  ])
    expect(await valuesIn(other, id)).toEqual([null]);
});

test("a plan waits again for a run when its run ends before the first operation, and not after one", async () => {
  const runBy = async (plan: string, more: string) => {
    const { it } = await admin.graphql<{ it: { id: string } }>(
      `mutation ($plan: ID!) { it: createMassOperationBulkTask(input: { plan: $plan, ${more} }) {
         ... on BulkTaskMassOperation { id } ... on BasicError { error } } }`,
      { plan },
    );
    return it.id;
  };
  const waiting = async () => {
    const { taskOverview } = await admin.graphql<{ taskOverview: { planned: { id: string }[] } }>(
      "{ taskOverview { planned { id } } }",
    );
    return taskOverview.planned.map(({ id }) => id);
  };
  const follower = async (plan: string) => {
    const { it } = await planner.graphql<{ it: { followedBy: string | null } }>(
      `query ($plan: ID!) { it: bulkTask(id: $plan) {
         ... on BulkTaskMassOperation { followedBy } ... on BasicError { error } } }`,
      { plan },
    );
    return it.followedBy;
  };
  const id = await plan(planner, group("Waits again"));
  await finished(planner, id);
  expect([await waiting(), await follower(id)]).toEqual([expect.arrayContaining([id]), null]);
  const cancelled = await runBy(id, "autoStart: false");
  expect([await follower(id), await follower(cancelled)]).toEqual([cancelled, null]);
  expect(await waiting()).not.toContain(id);
  await failure(admin, "cancelMassOperationBulkTask(id: $id)", { id: cancelled });
  expect(await waiting()).toContain(id);
  const failed = await runBy(id, "autoStart: false");
  const database = openPostgres(service.databaseUrl as string);
  await database.execute("UPDATE bulk_tasks SET etag = 'gone' WHERE id = $1", [failed]);
  await database.close();
  await failure(admin, "startMassOperationBulkTask(id: $id)", { id: failed });
  expect((await finished(admin, failed)).status).toBe("error");
  expect(await waiting()).toContain(id);
  expect(await follower(id)).toBeNull();
  const run = await runBy(id, "autoStart: true");
  await finished(admin, run);
  expect(await follower(id)).toBe(run);
  expect(await waiting()).not.toContain(id);
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
