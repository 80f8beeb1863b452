import { beforeAll, describe, expect, test } from "vitest";
import {
  productOperations,
  stockOperations,
  stockSum,
  writeUntil,
} from "../support/concurrency/two-writers.ts";
import { engines } from "../support/engines.ts";
import { opened } from "../support/opened.ts";
import { openRunnerBench } from "../support/runner.ts";

const products = 30;

describe.each(engines)("a task and mutations on the same products on $name", ({ open }) => {
  const bench = opened(() => openRunnerBench(open));
  beforeAll(async () => {
    await bench.runner();
  });

  test("a task and concurrent mutations lose no updates and report no conflicts", async () => {
    const made = await bench.ended(await bench.start(productOperations(products)));
    expect(made).toMatchObject({ status: "complete", progress: { succeeded: products + 1 } });
    const operations = stockOperations(products, 10);
    const id = await bench.start(operations);
    let ended = false;
    const writers = [0, 1].map(() => writeUntil(bench, bench.tenant, products, () => ended));
    const task = await bench.ended(id);
    ended = true;
    const reports = await Promise.all(writers);
    const failures = (await bench.log(id)).filter(({ status }) => status !== "success");
    expect(failures.map(({ message }) => message)).toEqual([]);
    expect(task).toMatchObject({ status: "complete", progress: { succeeded: operations.length, failed: 0 } });
    for (const { rejected, mutations } of reports) expect([rejected, mutations > 0]).toEqual([{}, true]);
    const increases = operations.filter(({ intent }) => intent === "product/variant/stock/modify").length;
    const added = reports.reduce((sum, report) => sum + report.added, 0);
    expect(await stockSum(bench.database, bench.tenant)).toBe(increases + added);
  });
});
