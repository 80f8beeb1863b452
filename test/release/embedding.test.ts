import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const program = join(import.meta.dirname, "../support/programs/services-in-memory.ts");

test("ten services in memory run in one process, and the first starts in less time than its modules load", async () => {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [program]);
  expect(stderr).toBe("");
  const { loadMs, startMs, residentMiB, ranMiB, succeeded, afterwards, metrics } = JSON.parse(stdout);
  console.info({ loadMs, startMs, residentMiB, ranMiB });
  // 0.6 to 0.7 of it on any machine; an embedded database created by `initdb` takes more than twice of it.
  expect(startMs[0]).toBeLessThan(loadMs);
  expect(succeeded).toEqual(Array.from({ length: 10 }, (_, n) => 200 + n));
  expect(afterwards.customerGroups.totalCount).toBe(209);
  expect(
    new Set(afterwards.customerGroups.edges.map(({ node }: { node: { name: string } }) => node.name)),
  ).toEqual(new Set(["9"]));
  expect(metrics).toMatch(/lading_operations_total\{[^}]*\} 209\n/);
  expect((residentMiB[9] - residentMiB[0]) / 9).toBeLessThan(200);
});
