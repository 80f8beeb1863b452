import { expect, test } from "vitest";
import { type ChangedOperation, changedOperations } from "../../src/plan/changed-operations.ts";
import { data, scriptedService } from "../support/scripted-service.ts";

/** A service whose plan creates `operations` entities, and reads the changes of `perRequest` of them at a time. */
async function serviceWith(operations: number, perRequest: number) {
  const entries = Array.from({ length: operations }, (_, index): ChangedOperation => {
    const nothing = { ref: null, unknownUntilApplied: [] };
    const changes = { entities: [], more: 0, isComplete: true };
    return { index, intent: "customer/upsert", action: "created", ...nothing, changes };
  });
  return scriptedService({
    Changes: ({ action, after, first }) => {
      const from = after === "" ? 0 : Number(after) + 1;
      const page = action === "created" ? entries.slice(from, from + Number(first)) : [];
      const edges = page.map((node, at) => ({
        cursor: String(node.index),
        node: { ...node, changes: { ...node.changes, isComplete: at < perRequest } },
      }));
      return data({ operationLogs: { pageInfo: { hasNextPage: from + page.length < operations }, edges } });
    },
  });
}

test("entries whose changes a request did not read are asked for again, each of them once", async () => {
  const { url, received } = await serviceWith(7, 3);
  const found = await Array.fromAsync(changedOperations({ url, path: "/@acme", headers: {} }, "task-1", 20));
  expect(found.map(({ index, changes }) => [index, changes?.isComplete])).toEqual(
    [0, 1, 2, 3, 4, 5, 6].map((index) => [index, true]),
  );
  const pages = received.filter(({ variables }) => variables.action === "created");
  expect(pages.map(({ variables }) => variables.after)).toEqual(["", "2", "5"]);
});

test("an entry that is larger than what one request reads is shown as far as it goes, and those after it follow", async () => {
  const { url } = await serviceWith(3, 0);
  const found = await Array.fromAsync(changedOperations({ url, path: "/@acme", headers: {} }, "task-1", 20));
  expect(found.map(({ index, changes }) => [index, changes?.isComplete])).toEqual(
    [0, 1, 2].map((index) => [index, false]),
  );
});
