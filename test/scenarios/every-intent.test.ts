import { actions, intentNames } from "@lading/schema/internal";
import { beforeAll, describe, expect, test } from "vitest";
import { page } from "../docs/pages.ts";
import { openExampleService } from "../support/examples.ts";
import { opened } from "../support/opened.ts";
import { type FinishedTask, runFile, serviceEngines } from "../support/service.ts";

const file = page("examples/every-intent.json");
const { operations } = JSON.parse(file) as { operations: { intent: string }[] };

/** The log entries of operations that did not succeed. */
const unsuccessful = ({ log }: FinishedTask) =>
  log
    .filter(({ status }) => status !== "success")
    .map(({ index, intent, message }) => ({ index, intent, message }));

test("examples/every-intent.json has an operation of every intent", () => {
  expect(new Set(operations.map(({ intent }) => intent))).toEqual(new Set(intentNames));
});

describe.each(serviceEngines)("examples/every-intent.json on %s", (engine) => {
  let runs: FinishedTask[];
  const service = opened(() => openExampleService(engine));
  beforeAll(async () => {
    const tenant = await service.tenant("tea");
    runs = [];
    for (let run = 0; run < 3; run++) runs.push(await runFile(tenant, service.fetchable(file)));
  });

  test.each([0, 1, 2])("every operation of the example succeeds in run %i, without a warning", (run) => {
    const task = runs[run] as FinishedTask;
    expect(unsuccessful(task)).toEqual([]);
    expect(task).toMatchObject({ status: "complete", issues: [], info: null });
    expect(task.progress.succeeded).toBe(operations.length);
  });

  test("every operation of the example reports its action and resource", () => {
    for (const { log } of runs)
      for (const { intent, action, message } of log) {
        const said = action === "unchanged" ? "unchanged:" : action;
        expect(message, intent).toMatch(
          new RegExp(
            `^${said} [A-Za-z ]+ (?:"[^"]+"|[\\w-]{20,36})(?: \\([\\w, -]+\\))?(?:; renamed [\\w.]+ to [\\w.]+)?$`,
          ),
        );
      }
  });

  test("the task's counts by action add up to its successes", () => {
    for (const { log, progress } of runs)
      for (const action of actions)
        expect(progress[action], action).toBe(log.filter((entry) => entry.action === action).length);
    expect(runs[1]?.progress.unchanged).toBeGreaterThan(0);
    expect(runs[1]?.progress.created).toBeLessThan(runs[0]?.progress.created ?? 0);
  });

  test("upserts of the example create in the first run, and update or change nothing in the others", () => {
    const actions = (task: FinishedTask) =>
      task.log.filter(({ intent }) => intent.endsWith("/upsert")).map(({ action }) => action);
    const [first, ...later] = runs as [FinishedTask, ...FinishedTask[]];
    const creating = first.log.filter(
      ({ intent }) => intent.endsWith("/upsert") && intent !== "pricelist/selectedProductVariants/upsert",
    );
    expect(new Set(creating.map(({ action }) => action))).toEqual(new Set(["created"]));
    for (const task of later)
      for (const action of actions(task)) expect(["updated", "unchanged"]).toContain(action);
  });

  test("repeated sets and modifications report whether they changed something", () => {
    for (const task of runs.slice(1))
      for (const { intent, action } of task.log)
        if (/\/(?:set\w+|modify|update|item|sku)$/.test(intent))
          expect(["updated", "unchanged"]).toContain(action);
  });
});
