import { PassThrough } from "node:stream";
import { pino } from "pino";
import { afterEach, describe, expect, test } from "vitest";
import { engines } from "../../../../test/support/engines.ts";
import { opened } from "../../../../test/support/opened.ts";
import { openRunnerBench } from "../../../../test/support/runner.ts";

const create = (identifier: string) => ({
  intent: "customer/create",
  identifier,
  firstName: "A",
  lastName: "B",
});

describe("the log of a runner", () => {
  let lines: Record<string, unknown>[];
  const bench = opened(() => openRunnerBench(engines[0]!.open));
  afterEach(() => bench.stopRunners());

  const startRunner = () => {
    lines = [];
    const stream = new PassThrough();
    stream.on("data", (line: Buffer) => lines.push(JSON.parse(line.toString())));
    return bench.runner({ logger: pino({ level: "info" }, stream) });
  };
  const messages = () => lines.map(({ msg }) => msg);

  test("names a runner whose lease had expired, and where the task continues", async () => {
    const id = await bench.start([create("c-1"), create("c-2")]);
    await bench.database.query(
      "UPDATE bulk_tasks SET owner = 'dead:1', epoch = 3, lease_until = now() - interval '1 s' WHERE id = $1",
      [id],
    );
    await startRunner();
    await bench.ended(id);
    expect(lines[0]).toMatchObject({
      level: 40,
      task: id,
      tenant: bench.tenant.id,
      msg: "task taken over from a runner whose lease had expired",
      previousOwner: "dead:1",
      work: "validation",
      epoch: 4,
    });
  });

  test("has a line when a task is refused by its validation, with the errors", async () => {
    const id = await bench.start([{ intent: "customer/crate", identifier: "secret-name" }, create("c-3")]);
    await startRunner();
    await bench.ended(id);
    await bench.stopRunners();
    expect(messages()).toEqual(["task claimed", "task ended: its file has errors, nothing was executed"]);
    expect(lines[1]).toMatchObject({ level: 30, task: id, operations: 2, errors: 1, status: "error" });
    expect(JSON.stringify(lines)).not.toContain("secret-name");
  });

  test("has a line when a task is claimed, validated, begun and ended, with counts", async () => {
    const id = await bench.start([create("c-4"), create("c-4"), create("c-5")]);
    await startRunner();
    await bench.ended(id);
    await bench.stopRunners();
    const validated = "file validated; the task waits for its execution";
    const line = (message: string) => lines.find(({ msg }) => msg === message);
    // The task may be claimed for its execution before the line of its validation is written.
    expect(messages().filter((message) => message !== validated)).toEqual([
      "task claimed",
      "task claimed",
      "execution begins",
      "execution ended",
    ]);
    expect(line(validated)).toMatchObject({ operations: 3, errors: 0, warnings: 0, ms: expect.any(Number) });
    const [, claim] = lines.filter(({ msg }) => msg === "task claimed");
    expect(claim).toMatchObject({ work: "execution", total: 3, executed: 0, failed: 0 });
    expect(line("execution ended")).toMatchObject({
      total: 3,
      executed: 3,
      failed: 1,
      executedInTurn: 3,
      ms: expect.any(Number),
    });
    for (const line of lines) expect(line).toMatchObject({ task: id, tenant: bench.tenant.id });
  });
});
