import { beforeEach, expect, test } from "vitest";
import { cleanEnvironment, lading } from "../support/lading.ts";
import { complete, serviceWith, token } from "../support/runs.ts";
import { data } from "../support/scripted-service.ts";
import { entry } from "../support/scripted-task.ts";

beforeEach(async () => {
  await cleanEnvironment();
});

const watch = (url: string) =>
  lading(["mass-operation", "status", "task-9", "--watch", "--tenant", "acme", "--url", url, ...token]);

test("status --watch shows a task that was started before", async () => {
  const service = await serviceWith({ states: [complete], log: [entry(0)] });
  const { code } = await watch(service.url);
  expect(code).toBe(0);
  expect(service.received[0]).toMatchObject({
    operation: "FollowTask",
    variables: { id: "task-9", after: "" },
  });
});

test("status --watch of an unknown task prints the service's error", async () => {
  const missing = data({
    bulkTask: { error: "no task has the id task-9", errorName: "BulkTaskNotFoundError" },
    operationLogs: { pageInfo: { endCursor: null, hasNextPage: false }, edges: [] },
  });
  const service = await serviceWith({ states: [] }, { FollowTask: () => missing });
  const { code, stderr } = await watch(service.url);
  expect(code).toBe(1);
  expect(stderr).toContain("no task has the id task-9");
});
