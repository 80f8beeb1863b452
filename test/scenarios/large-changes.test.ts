/** @module-tag release */

import { expect, onTestFinished, test } from "vitest";
import { openPostgres } from "../../packages/service/src/storage/engines/postgres.ts";
import { writeBeforeImages } from "../../packages/service/src/storage/task-details/before-images.ts";
import { keepBefore } from "../../packages/service/src/storage/unit-of-work/before-images.ts";
import { changeLimits } from "../../packages/service/src/tasks/changes/changes.ts";
import { openService, runFile } from "../support/service.ts";

interface Page {
  pageInfo: { endCursor: string };
  edges: { cursor: string; node: { index: number; changes: { isComplete: boolean; more: number } } }[];
}

const mebibyte = 1024 ** 2;

/** Operations with images of 2 MiB each, too many to read in one request. */
const count = changeLimits.read / (2 * mebibyte) + 4;

const entries = "pageInfo { endCursor } edges { cursor node { index changes { isComplete more } } }";

test("one request reads changes up to a limit across all its lists, and marks the incomplete ones", async () => {
  const service = await openService("postgresql", { rateLimit: 0 });
  onTestFinished(() => service.close());
  const shop = await service.tenant("shop");
  const operations = Array.from({ length: count }, (_, n) => ({
    ...{ intent: "customer/upsert", identifier: `c${n}` },
  }));
  const { id } = await runFile(shop, { version: "1.0.0", operations });
  const database = openPostgres(service.databaseUrl as string);
  onTestFinished(() => database.close());
  await database.execute("DELETE FROM operation_before_images WHERE task_id = $1", [id]);
  const before = { phone: "x".repeat(2 * mebibyte) };
  const images = operations.map(({ identifier }) => [{ table: "customers", key: [identifier], before }]);
  await writeBeforeImages(
    database,
    { tenantId: shop.access.tenant.id, taskId: id },
    images.map((each, index) => ({ index, ...keepBefore(index, each) })),
  );

  const page = (name: string, rest: string) =>
    `${name}: operationLogs(filter: { operationId: "${id}" }, ${rest}) { ${entries} }`;
  const half = count / 2;
  const { first } = await shop.graphql<{ first: Page }>(`{ ${page("first", `first: ${half}`)} }`);
  expect(first.edges.map(({ node }) => node.changes)).toEqual(
    Array.from({ length: half }, () => ({ isComplete: true, more: 1 })),
  );
  const next = `first: ${half}, after: "${first.pageInfo.endCursor}"`;
  const both = await shop.graphql<{ one: Page; two: Page }>(
    `{ ${page("one", `first: ${half}`)} ${page("two", next)} }`,
  );
  const states = [both.one, both.two].map(({ edges }) => edges.map(({ node }) => node.changes.isComplete));
  // Each list has complete entries first, then incomplete ones.
  for (const list of states) expect(list).toEqual(list.toSorted().toReversed());
  const complete = states.flat().filter((isComplete) => isComplete).length;
  expect(complete).toBeGreaterThan(half);
  expect(complete).toBeLessThan(count);
  const { two } = await shop.graphql<{ two: Page }>(`{ ${page("two", next)} }`);
  expect(two.edges.every(({ node }) => node.changes.isComplete)).toBe(true);
});
