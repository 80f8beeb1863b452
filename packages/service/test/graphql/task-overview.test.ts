import type { AddressInfo } from "node:net";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { createTenant } from "../../src/tenants/create.ts";
import { useApi } from "../http/support.ts";

const failure = "... on BasicError { error errorName }";

describe("the overview of tasks", () => {
  const api = useApi();
  beforeAll(() => api.server.listen({ port: 0, host: "127.0.0.1" }));

  /** Sets columns of a task as a runner would. */
  const set = (id: string, columns: string) =>
    api.database.execute(`UPDATE bulk_tasks SET ${columns} WHERE id = $1`, [id]);
  const ended =
    "status = 'error', start_order = 1, error_name = 'x', ended_at = now(), total = 5, validated_at = now()";
  const complete = (succeeded: number, failed: number) =>
    `status = 'complete', start_order = 1, ended_at = now(), total = ${succeeded + failed}, validated_at = now(),
     cursor_index = ${succeeded + failed}, succeeded = ${succeeded}, created = ${succeeded}, failed = ${failed}`;

  const ids = async (filter: string, extra = ""): Promise<string[]> => {
    const { edges, totalCount } = await api.field(
      `{ bulkTasks(filter: {${filter}}, first: 100${extra}) { totalCount edges { node { id } } } }`,
    );
    expect(totalCount).toBe(edges.length);
    return edges.map(({ node }: { node: { id: string } }) => node.id);
  };
  const overview = () =>
    api.field(
      `{ taskOverview { counts { running held openFailures planned }
         unfinished { id } openFailures { id } planned { id } recent { id kind } } }`,
    );
  const refused = async (filter: string) => {
    const { body } = await api.ask(`{ bulkTasks(filter: {${filter}}) { totalCount } }`);
    return body.errors?.[0]?.message ?? body;
  };

  test("a filter by a text that is too long, or a time that is not one, is refused", async () => {
    expect(await refused(`text: "${"x".repeat(201)}"`)).toBe(
      "filter.text has 201 characters; the limit is 200",
    );
    expect(await refused('createdFrom: "yesterday"')).toBe(
      'filter.createdFrom is "yesterday"; it must be a date and time such as 2026-01-31T12:00:00Z',
    );
    expect(await ids('createdBefore: "-271821-04-20"')).toEqual([]);
    expect(await ids('createdFrom: "+275760-09-13"')).toEqual([]);
  });

  test("a number of hours outside of 8 days is refused", async () => {
    for (const hours of [0, 193]) {
      const { body } = await api.ask(`{ taskActivity(hours: ${hours}) { hour } }`);
      expect(body.errors[0].message).toBe(`hours is ${hours}; it must be 1 to 192`);
    }
  });

  test("a tenant without tasks has an overview with empty lists, and hours without operations", async () => {
    const { tenant, accessTokenId, accessTokenSecret } = await createTenant(api.database, {
      identifier: "empty",
    });
    const { body } = await api.send({
      method: "POST",
      url: `/@${tenant.identifier}`,
      headers: {
        "X-Service-Access-Token-Id": accessTokenId,
        "X-Service-Access-Token-Secret": accessTokenSecret,
      },
      payload: {
        query:
          "{ taskOverview { counts { running held openFailures planned } recent { id } } taskActivity { hour operations failed } }",
      },
    });
    expect(body.data.taskOverview).toEqual({
      counts: { running: 0, held: 0, openFailures: 0, planned: 0 },
      recent: [],
    });
    const { taskActivity } = body.data;
    expect(taskActivity).toHaveLength(24);
    expect(
      taskActivity.every(
        ({ operations, failed }: Record<string, number>) => operations === 0 && failed === 0,
      ),
    ).toBe(true);
    const times = taskActivity.map(({ hour }: { hour: string }) => Date.parse(hour));
    expect(times).toEqual(times.map((_: number, i: number) => times[0] + i * 3_600_000));
    expect(Date.now() - times[23]).toBeLessThan(3_600_000);
  });

  test("the name of the access token that made it stays with a task, whatever becomes of the token", async () => {
    const headers = await api.tokenHeaders("admin");
    const { body } = await api.send({
      method: "POST",
      url: "/@shop",
      headers,
      payload: {
        query: `mutation ($key: String!) { createMassOperationBulkTask(input: {key: $key}) { ... on BulkTaskMassOperation { id createdBy } ${failure} } }`,
        variables: { key: await api.uploaded() },
      },
    });
    const { id, createdBy } = body.data.createMassOperationBulkTask;
    expect(createdBy).toBe("admin");
    await api.database.execute("DELETE FROM access_tokens WHERE name = 'admin'");
    expect(await ids('text: "ADMI"')).toEqual([id]);
    const other = await api.task();
    expect(
      await api.field(
        `{ bulkTask(id: "${other.id}") { ... on BulkTaskMassOperation { createdBy } ${failure} } }`,
      ),
    ).toEqual({
      createdBy: "operator",
    });
  });

  test("a text finds the file's name and the id's beginning, and takes every sign as it is", async () => {
    const { id } = await api.task();
    await set(id, "key = 'folder/mass-operations/0f/spring_100%.json'");
    expect(await ids('text: "SPRING_"')).toEqual([id]);
    expect(await ids('text: "0%"')).toEqual([id]);
    for (const wild of ["%%", "spring.", "mass-operations", "spring\\\\_"])
      expect(await ids(`text: "${wild}"`), wild).toEqual([]);
    expect(await ids(`text: "${id.slice(0, 22).toUpperCase()}"`)).toContain(id);
    expect(await ids(`text: "${id.slice(1)}"`)).toEqual([]);
  });

  test("tasks are found by when they were created", async () => {
    const { id } = await api.task();
    const [row] = await api.database.query<{ at: string }>(
      "SELECT created_at AS at FROM bulk_tasks WHERE id = $1",
      [id],
    );
    const at = row!.at;
    expect(await ids(`createdFrom: "${at}"`)).toEqual([id]);
    expect(await ids(`createdBefore: "${at}"`)).not.toContain(id);
    expect(await ids('createdFrom: "2020-01-01", createdBefore: "2020-01-02"')).toEqual([]);
  });

  test("a view lists what the overview counts, and a task is in one view only", async () => {
    const before = (await overview()).counts;
    const tasks = await Promise.all(Array.from({ length: 10 }, () => api.task()));
    const [running, held, failed, repaired, undone, pruned, plan, followed, broken, retry] = tasks.map(
      ({ id }) => id,
    ) as [string, string, string, string, string, string, string, string, string, string];
    await set(running, "status = 'started', start_order = 1");
    await set(held, "status = 'started', start_order = 1, held_at = now(), held_because = 'request'");
    await set(failed, complete(3, 2));
    await set(repaired, `${complete(3, 2)}, repaired = 2`);
    await set(undone, `${complete(3, 2)}, undone = 'whole', undone_by = 'x'`);
    await set(pruned, `${complete(3, 2)}, pruned_at = now()`);
    await set(plan, `kind = 'plan', ${complete(3, 2)}`);
    await set(followed, `kind = 'plan', ${complete(3, 2)}, last_run = 'x'`);
    await set(broken, `kind = 'plan', ${ended}`);
    await set(
      retry,
      `kind = 'retry', of_task = 'x', include = '{FAILED}', to_execute = 5, ${complete(3, 2)}`,
    );
    const after = await overview();
    expect(after.counts).toEqual({
      running: before.running + 1,
      held: before.held + 1,
      openFailures: before.openFailures + 1,
      planned: before.planned + 1,
    });
    for (const [view, id] of Object.entries({ running, held, openFailures: failed, planned: plan })) {
      const listed = await ids(`view: ${view}`);
      expect(
        listed.filter((each) => tasks.some((task) => task.id === each)),
        view,
      ).toEqual([id]);
      expect(listed).toHaveLength(after.counts[view]);
    }
    expect(after.unfinished.slice(-2).map(({ id }: { id: string }) => id)).toEqual([running, held]);
    expect(after.openFailures[0].id).toBe(failed);
    expect(after.planned[0].id).toBe(plan);
    expect(after.recent.map(({ id }: { id: string }) => id)).toEqual(
      expect.arrayContaining(tasks.map(({ id }) => id)),
    );
    expect(await ids("view: planned, kind: run")).toEqual([]);
  });

  test("the operations of a tenant are those executed, without what a retry skipped or a plan showed", async () => {
    const executed = async () => (await api.field("{ tenant { usage { operations } } }")).usage.operations;
    const before = await executed();
    const [retry, plan] = await Promise.all([api.task(), api.task()]);
    await set(
      retry.id,
      `kind = 'retry', of_task = 'y', include = '{FAILED}', to_execute = 5, ${complete(3, 2)}`,
    );
    await set(retry.id, "skipped = 95, cursor_index = 100, total = 100");
    await set(plan.id, `kind = 'plan', ${complete(3, 2)}`);
    expect(await executed()).toBe(before + 5);
  });

  test("a query that reads large overviews again and again is refused", async () => {
    const { id } = await api.task();
    await set(id, `${ended}, stack = repeat('x', 4000000)`);
    const aliases = Array.from({ length: 9 }, (_, i) => `a${i}: taskOverview { counts { running } }`);
    const { body } = await api.ask(`{ ${aliases.join(" ")} }`);
    expect(body.message).toMatch(/^The query reads rows of more than the limit/);
    await set(id, "stack = NULL");
  });

  test("the retries of a task that is listed in retries are refused, and those of other tasks are not", async () => {
    const [{ id }, retry] = [await api.task(), await api.task()];
    await set(id, complete(3, 2));
    await set(
      retry.id,
      `kind = 'retry', of_task = '${id}', include = '{FAILED}', to_execute = 5, ${complete(3, 2)}`,
    );
    const listed = (retries: string) =>
      api.ask(`{ bulkTask(id: "${id}") { ... on BulkTaskMassOperation { ${retries} } ${failure} } }`);
    expect((await listed("retries { id }")).body.data.bulkTask.retries).toEqual([{ id: retry.id }]);
    expect((await listed("all: retries { one: retries { id } }")).body.errors[0].message).toBe(
      "retries cannot be asked of a task listed in retries: that list has them",
    );
    const { recent } = await api.field("{ taskOverview { recent { retries { id } } } }");
    expect(recent.slice(0, 2)).toEqual([{ retries: [] }, { retries: [{ id: retry.id }] }]);
    await api.database.execute("DELETE FROM bulk_tasks WHERE id = $1", [retry.id]);
  });

  /** Subscribes to an overview with a reader's token; returns what reads the next event. */
  async function subscribed(selection: string) {
    const { port } = api.server.server.address() as AddressInfo;
    const response = await fetch(`http://127.0.0.1:${port}/@shop`, {
      method: "POST",
      headers: { ...(await api.tokenHeaders("reader")), "content-type": "application/json" },
      body: JSON.stringify({ query: `subscription { taskOverview { ${selection} } }` }),
    });
    const sent = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    onTestFinished(() => sent.cancel());
    return async () => JSON.parse(/data: (.*)/.exec((await sent.read()).value ?? "")?.[1] ?? "");
  }

  test("an event of a subscription with too many values is an error, while a query of them has an answer", async () => {
    await api.task();
    const lists = Array.from(
      { length: 500 },
      (_, i) => `a${i}: recent { id key status kind createdAt }`,
    ).join(" ");
    expect((await api.field(`{ taskOverview { ${lists} } }`)).a499).not.toEqual([]);
    const next = await subscribed(lists);
    expect((await next()).errors[0].message).toMatch(/^The answer has more than the limit of 10000 values/);
  });

  test("a reader subscribes to the overview, and is sent each change", async () => {
    const next = await subscribed("counts { held } recent { id createdBy }");
    const { taskOverview: before } = (await next()).data;
    const { id } = await api.task();
    expect((await next()).data.taskOverview).toEqual({
      ...before,
      recent: [{ id, createdBy: "operator" }, ...before.recent].slice(0, 50),
    });
  });
});
