import { describe, expect, test } from "vitest";
import { attemptsAlone } from "../../packages/service/src/runner/execute/batch-size.ts";
import type { Database, Queries } from "../../packages/service/src/storage/database.ts";
import { engines } from "../support/engines.ts";
import { opened } from "../support/opened.ts";
import { seeded } from "../support/random.ts";
import { eventually, openRunnerBench } from "../support/runner.ts";

const group = (identifier: string) => ({ intent: "customer/group/upsert", identifier, name: "n" });
const groups = (count: number) => Array.from({ length: count }, (_, n) => group(`g${n}`));

/** Called before each statement and commit of a runner; true kills the runner. */
type Killer = (sql: string, parameters: string) => boolean;

/** A runner's database; once the runner is killed, its statements no longer reach the database. */
function mortal(database: Database, kills: Killer) {
  const life = { isOver: false };
  const unlessDead = <Result>(sql: string, parameters: unknown, run: () => Promise<Result>) => {
    life.isOver ||= kills(sql, JSON.stringify(parameters ?? []));
    return life.isOver ? Promise.reject(new Error("killed")) : run();
  };
  const alive = (queries: Queries): Queries => ({
    ...queries,
    query: (sql, parameters) => unlessDead(sql, parameters, () => queries.query(sql, parameters)),
    execute: (sql, parameters) => unlessDead(sql, parameters, () => queries.execute(sql, parameters)),
  });
  const transaction: Database["transaction"] = (work, locks) =>
    database.transaction(async (inner) => {
      const result = await work(alive(inner));
      return unlessDead("COMMIT", [], async () => result);
    }, locks);
  return { life, database: { ...database, ...alive(database), transaction } };
}

const countsAttempt = (sql: string) => sql.includes("attempts = attempts + 1 WHERE");
const claims = (sql: string) => sql.includes("SKIP LOCKED");

describe.each(engines)("a task whose runners are killed on $name", ({ open }) => {
  const bench = opened(() => openRunnerBench(open));

  /** Runs the task on one runner until that is killed or the task ends. Returns true if it was killed. */
  async function live(id: string, kills: Killer): Promise<boolean> {
    const { life, database } = mortal(bench.database, kills);
    const stop = await bench.runner({ database, lease: 60_000 });
    const task = await eventually(
      () => bench.task(id),
      ({ endedAt }) => life.isOver || endedAt !== null,
    );
    await stop();
    await bench.database.execute(
      "UPDATE bulk_tasks SET lease_until = now() - interval '1 s' WHERE owner IS NOT NULL",
    );
    return task.endedAt === null;
  }

  /** Creates a validated task that has not started. */
  async function validated(operations: readonly object[]): Promise<string> {
    const id = await bench.start(operations);
    let [isStored, isCommitted] = [false, false];
    await live(id, (sql) => {
      isStored ||= sql.includes("validated_at = now()");
      const isOver = isCommitted;
      isCommitted ||= isStored && sql === "COMMIT";
      return isOver;
    });
    return id;
  }

  test("an operation that keeps killing its runner fails after some attempts alone; no other one fails", async () => {
    const id = await validated([group("a"), group("deadly"), group("c")]);
    let [deaths, isAlone, deathsAlone] = [0, false, 0];
    const kills: Killer = (sql, parameters) => {
      isAlone = sql !== "COMMIT" && (isAlone || countsAttempt(sql));
      return sql.startsWith("INSERT INTO customer_groups") && parameters.includes("deadly");
    };
    for (; await live(id, kills); isAlone = false) {
      deaths++;
      if (isAlone) deathsAlone++;
    }
    expect(deathsAlone).toBe(attemptsAlone);
    // At most three more: in a batch with the first operation, after that one, in a batch with the last.
    expect(deaths).toBeLessThanOrEqual(3 + attemptsAlone);
    expect((await bench.log(id)).map(({ statusCode }) => statusCode)).toEqual([200, 500, 200]);
  });

  test("runners killed before they execute fail no operation, whatever their number", async () => {
    const id = await validated(groups(3));
    for (let i = 0; i < 3 * attemptsAlone; i++) {
      let [statements, isClaimed] = [0, false];
      const beforeItBegins: Killer = (sql) => {
        if (claims(sql)) isClaimed = true;
        else if (isClaimed) statements++;
        return countsAttempt(sql) || statements > i % 4;
      };
      expect(await live(id, beforeItBegins)).toBe(true);
    }
    expect(await live(id, () => false)).toBe(false);
    expect(await bench.task(id)).toMatchObject({ status: "complete", progress: { succeeded: 3 } });
  });

  test("runners killed anywhere fail no operation", async () => {
    const random = seeded(5);
    const ids = [await validated(groups(1_000))];
    for (let deaths = 0; deaths < 40; deaths++) {
      let left = random.below(50);
      if (!(await live(ids.at(-1)!, () => left-- === 0))) ids.push(await validated(groups(1_000)));
    }
    await live(ids.at(-1)!, () => false);
    for (const id of ids)
      expect(await bench.task(id)).toMatchObject({ status: "complete", progress: { succeeded: 1_000 } });
  });
});
