import { keysOf } from "@lading/schema/internal";
import { beforeAll, describe, expect, test } from "vitest";
import { main } from "../../packages/cli/src/main.ts";
import { clientWithRole, type TenantClient } from "../support/client.ts";
import { opened } from "../support/opened.ts";
import { halfRequests, sendHalf } from "../support/servers/half-requests.ts";
import {
  finished,
  openService,
  pendingTask,
  serviceEngines,
  startFile,
  tokenHeaders,
} from "../support/service.ts";

const count = 2_500;
const file = {
  version: "1.0.0",
  operations: Array.from({ length: count }, (_, i) =>
    i % 1_000 === 7
      ? { intent: "customer/update", identifier: "nobody", firstName: "x" }
      : { intent: "customer/group/upsert", identifier: `g${i}`, name: "n" },
  ),
};

interface Progress {
  processed: number;
  created: number;
  unchanged: number;
  operationsPerSecond: number | null;
  secondsLeft: number | null;
}
interface LogLine {
  index: number;
  errorName: string | null;
  statusCode: number;
  action: string | null;
  message: string | null;
  input: object;
}

interface Event {
  name: string;
  data: { status: string; progress: Progress };
}

describe.each(serviceEngines)("streams of a task on %s", (engine) => {
  let shop: TenantClient;
  const service = opened(() => openService(engine));
  beforeAll(async () => {
    shop = await service.tenant("shop");
  });

  const headersOf = ({ access }: TenantClient) => ({
    "x-service-access-token-id": access.accessTokenId,
    "x-service-access-token-secret": access.accessTokenSecret,
    connection: "close",
  });
  const get = (path: string, client = shop) =>
    fetch(`${service.url}/@shop/tasks/${path}`, { headers: headersOf(client) });
  const subscribe = (id: string) =>
    fetch(`${service.url}/@shop`, {
      method: "POST",
      headers: { ...headersOf(shop), "content-type": "application/json" },
      body: JSON.stringify({
        query: `subscription ($id: ID!) { bulkTask(id: $id) {
          ... on BulkTaskMassOperation { status progress { processed operationsPerSecond secondsLeft } }
          ... on BasicError { errorName } } }`,
        variables: { id },
      }),
    });
  const eventsOf = async (response: Response): Promise<Event[]> =>
    [...(await response.text()).matchAll(/event: (\w+)\ndata: ?(.*)\n\n/g)].map(([, name, data]) => ({
      name: name as string,
      data: data === "" ? undefined : JSON.parse(data as string),
    }));
  test("streams are refused without a token, for a task of another tenant, and with an unknown status", async () => {
    const id = await pendingTask(shop);
    const other = await service.tenant("other");
    for (const path of ["events", "operations.jsonl"]) {
      expect((await fetch(`${service.url}/@shop/tasks/${id}/${path}`)).status).toBe(401);
      expect((await get(`${id}/${path}`, other)).status).toBe(401);
      const foreign = await fetch(`${service.url}/@other/tasks/${id}/${path}`, { headers: headersOf(other) });
      expect(foreign.status).toBe(404);
      expect((await get(`${"f".repeat(24)}/${path}`)).status).toBe(404);
    }
    const refused = await get(`${id}/operations.jsonl?status=bad`);
    expect([refused.status, await refused.json()]).toMatchObject([
      400,
      { message: 'status is "bad"; it must be one of success, partial, failure.' },
    ]);
    for (const [query, message] of [
      ["statusCode=4e2", 'statusCode is "4e2"; it must be a number, such as 404.'],
      ["text=a&text=b", "text is given more than once."],
      ["errorName=a%00", "errorName cannot have a NUL character."],
      ["unrepaired=yes", 'unrepaired is "yes"; it must be one of true, false.'],
      ["cause=", "cause has 0 characters; it must have 1 to 200."],
      [
        "action=created&unrepaired=true",
        "action and unrepaired cannot be combined: what fails has no action.",
      ],
    ]) {
      const answer = await get(`${id}/operations.jsonl?${query}`);
      expect([answer.status, await answer.json()]).toMatchObject([400, { message }]);
    }
    const [{ data } = { data: null }] = await eventsOf(await subscribe("f".repeat(24)));
    expect(data).toEqual({ data: { bulkTask: { errorName: "BulkTaskNotFoundError" } } });
  });

  test("streams report the progress of a task until it ends, as events and as a subscription", async () => {
    const id = await startFile(shop, file);
    const [events, results] = await Promise.all([get(`${id}/events`), subscribe(id)]);
    expect(events.headers.get("content-type")).toContain("text/event-stream");
    const told = await eventsOf(events);
    const last = told.at(-1) as Event;
    expect([last.name, last.data.status, last.data.progress.processed]).toEqual(["end", "complete", count]);
    expect(last.data.progress.created + last.data.progress.unchanged).toBe(count - 3);
    expect(last.data.progress.secondsLeft).toBe(null);
    expect(last.data.progress.operationsPerSecond).toBeGreaterThan(0);
    const processed = told.map(({ data }) => data.progress.processed);
    expect(processed).toEqual([...processed].sort((a, b) => a - b));
    const subscribed = await eventsOf(results);
    expect(subscribed.at(-1)).toEqual({ name: "complete", data: undefined });
    expect(subscribed.at(-2)).toMatchObject({
      name: "next",
      data: { data: { bulkTask: { status: "complete", progress: { processed: count } } } },
    });
  });

  test("streams have the log of a task, one entry a line, or only its failures or one action", async () => {
    const id = await startFile(shop, file);
    await finished(shop, id);
    const lines = async (query = "") =>
      (await (await get(`${id}/operations.jsonl${query}`)).text())
        .split("\n")
        .filter(Boolean)
        .map((line) => JSON.parse(line) as LogLine);
    const all = await lines();
    expect(all.map(({ index }) => index)).toEqual(Array.from({ length: count }, (_, i) => i));
    expect(all[3]?.input).toEqual(file.operations[3]);
    expect([all[3]?.message, all[3]?.errorName]).toEqual([
      expect.stringMatching(/ customer group "g3"$/),
      null,
    ]);
    expect(all[7]?.errorName).toMatch(/Error$/);
    const failures = [7, 1_007, 2_007];
    expect((await lines("?status=failure")).map(({ index }) => index)).toEqual(failures);
    const done = await lines(`?action=${all[3]?.action}`);
    expect(done).toEqual(all.filter(({ index }) => !failures.includes(index)));
    expect(await lines("?action=deleted")).toEqual([]);
    expect(await lines(`?status=failure&action=${all[3]?.action}`)).toEqual([]);
    const [{ errorName, statusCode } = { errorName: "", statusCode: 0 }] = await lines("?status=failure");
    for (const query of [
      ...[`?errorName=${errorName}`, `?statusCode=${statusCode}`, "?unrepaired=true", "?text=NOBODY"],
      "?operationTypeStartsWith=customer/update",
    ])
      expect((await lines(query)).map(({ index }) => index)).toEqual(failures);
    expect(await lines("?unrepaired=true&errorName=OtherError")).toEqual([]);
    expect(await lines("?statusCode=200&unrepaired=false")).toHaveLength(count - failures.length);
  });

  test("`lading mass-operation failures` prints failures as a file, and lists references to operations outside it", async () => {
    const id = await startFile(shop, {
      version: "1.0.0",
      operations: [
        { intent: "customer/create", identifier: "outside", _ref: "c" },
        { intent: "customer/update", identifier: "nobody", firstName: "of {{ c.identifier }}" },
      ],
    });
    await finished(shop, id);
    const { accessTokenId, accessTokenSecret } = shop.access;
    const failures = async (task: string, ...args: string[]) => {
      const texts = { stdout: "", stderr: "" };
      const sink = (name: keyof typeof texts) =>
        ({
          write: (chunk: string) => {
            texts[name] += chunk;
            return true;
          },
        }) as unknown as NodeJS.WriteStream;
      const words = ["--tenant", "shop", "--url", service.url, "--token-id", accessTokenId];
      const code = await main(
        ["mass-operation", "failures", task, ...args, ...words, "--token-secret", accessTokenSecret],
        { stdout: sink("stdout"), stderr: sink("stderr"), interrupted: new AbortController().signal },
      );
      return { code, ...texts };
    };
    const missing = await failures("nothing");
    expect([missing.code, missing.stdout]).toEqual([1, ""]);
    expect(missing.stderr).toContain(
      'no bulk task with the id "nothing": list its tasks to find the right one. (BulkTaskNotFoundError)',
    );
    const running = await failures(await pendingTask(shop));
    expect(running.stderr).toMatch(/is pending; wait for its end.*InvalidTaskStateError/);
    const resolved = await failures(id);
    expect(resolved).toMatchObject({ code: 0, stderr: `1 operation of task ${id}\n` });
    expect(JSON.parse(resolved.stdout).operations).toEqual([
      {
        _source: { task: id, index: 1 },
        _results: { c: { identifier: "outside" } },
        intent: "customer/update",
        identifier: "nobody",
        firstName: "of {{ c.identifier }}",
      },
    ]);
    const kept = await failures(id, "--references", "kept");
    expect(JSON.parse(kept.stdout).operations[0].firstName).toBe("of {{ c.identifier }}");
    expect(kept.stderr).toMatch(/^failures:2:\d+: warning: no operation before this one has the _ref "c"/);
    const none = await failures(id, "--include", "partial");
    expect([none.code, JSON.parse(none.stdout).operations]).toEqual([0, []]);
    expect(none.stderr).toContain("has no such operations");
  });

  test("a file of failures is refused for an unknown parameter, and to a reader", async () => {
    for (const [query, message] of [
      ["references=some", 'references is "some"; it must be one of resolved, kept.'],
      ["include=failed,all", 'include is "all"; it must be one of failed, partial, not-attempted.'],
      ["include=NOT_ATTEMPTED,ALL", 'include is "all"; it must be one of failed, partial, not-attempted.'],
    ]) {
      const response = await get(`nothing/failures.json?${query}`);
      expect([response.status, await response.json()]).toMatchObject([400, { message }]);
    }
    const reader = await clientWithRole(service, shop, "reader");
    const response = await get("nothing/failures.json", reader);
    expect([response.status, await response.text()]).toEqual([
      403,
      expect.stringContaining("UnauthorizedError"),
    ]);
  });

  test("the log is refused once `lading task prune` has removed it", async () => {
    const id = await startFile(shop, file);
    await finished(shop, id);
    let text = "";
    const write = (chunk: string) => {
      text += chunk;
      return true;
    };
    const { accessTokenId, accessTokenSecret } = shop.access;
    const token = ["--token-id", accessTokenId, "--token-secret", accessTokenSecret];
    const run = (...args: string[]) =>
      main(["task", "prune", "shop", "--url", service.url, ...token, ...args], {
        stdout: { write } as unknown as NodeJS.WriteStream,
        stderr: { write } as unknown as NodeJS.WriteStream,
        interrupted: new AbortController().signal,
      });
    expect(await run("--older-than", "soon")).toBe(1);
    expect(text).toContain('"soon" is not a whole number');
    for (const days of ["36501", "99999999999"]) {
      text = "";
      expect(await run("--older-than", days)).toBe(1);
      expect(text).toContain(`"${days}" is more than the limit of 36500`);
    }
    text = "";
    expect(await run("--older-than", "0", "--json")).toBe(0);
    expect(JSON.parse(text)).toEqual({ tenant: "shop", tasks: 4, entries: 3 * count + 2 });
    const answer = await get(`${id}/operations.jsonl`);
    expect([answer.status, await answer.json()]).toMatchObject([
      410,
      { errors: [{ extensions: { code: "LogPruned" } }] },
    ]);
  });

  test("streams end when the service stops, without waiting for the task or partial requests", async () => {
    const id = await pendingTask(shop);
    const names = keysOf(halfRequests);
    const halves = await Promise.all(names.map((name) => sendHalf(name, service.url, tokenHeaders(shop))));
    const [events, results] = await Promise.all([get(`${id}/events`), subscribe(id)]);
    const told = Promise.all([eventsOf(events), eventsOf(results)]);
    const warnings: Error[] = [];
    const warn = (warning: Error) => void warnings.push(warning);
    process.on("warning", warn);
    const began = performance.now();
    await service.stop();
    expect(performance.now() - began).toBeLessThan(5_000);
    process.off("warning", warn);
    expect(warnings).toEqual([]);
    const [progress, subscribed] = await told;
    expect(progress[0]?.data.status).toBe("pending");
    expect(progress.at(-1)).toMatchObject({ name: "closed", data: { code: "ServiceStopping" } });
    expect(subscribed.at(-1)?.name).toBe("next");
    for (const { answer } of halves) expect(await answer).toMatch(/^$|^HTTP\/1\.1 503 /);
  });
});
