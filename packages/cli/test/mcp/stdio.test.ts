import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { setTimeout } from "node:timers/promises";
import { beforeEach, expect, test } from "vitest";
import { bin } from "../../../../test/support/lading.ts";
import { agent, startMcp } from "../support/agent.ts";
import { cleanEnvironment, lading } from "../support/lading.ts";
import { token } from "../support/runs.ts";
import { data, scriptedService, unusedUrl } from "../support/scripted-service.ts";
import { scriptedTask, whoAmI } from "../support/scripted-task.ts";

beforeEach(async () => void (await cleanEnvironment()));

const isJson = (line: string) => JSON.parse(line).jsonrpc === "2.0";
const linesOf = (output: string) => output.split("\n").slice(0, -1);

test("without a token it does not start, and says on standard error how to get one", async () => {
  const { url } = await scriptedService({});
  const { code, stdout, stderr } = await lading(["mcp", "acme", "--url", url]);
  expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
  expect(stderr).toContain("no access token for tenant acme");
});

test("lines that are not messages of the protocol are left out, and the session continues", async () => {
  const { client, written } = await agent("acme", ...token);
  for (const garbage of [
    "hello\n",
    "{}\n",
    "[1,2]\n",
    '{"jsonrpc":"2.0","id":{}}\n',
    "\u0000\u001b[2J\n",
    "{".repeat(10_000),
    "\n",
  ])
    written.stdin.write(garbage);
  await client.ping();
  expect(written.stderr).toContain("a message was not understood");
  expect(written.stderr).not.toContain("\u001b");
  expect(linesOf(written.stdout).every(isJson)).toBe(true);
});

test("unknown tools, arguments, methods and resources are errors, and the session continues", async () => {
  const { client, call } = await agent("acme", ...token);
  for (const name of ["nothing", "constructor", "__proto__", "run_by_plan"])
    await expect(call(name), name).rejects.toThrow(/not found|disabled/);
  expect((await call("intent", { nme: "product/upsert" })).text).toContain('Unrecognized key: "nme"');
  const { text } = await call("intent", Object.fromEntries([..."\u202e\u{e0041}abc"].map((key) => [key, 1])));
  expect(text).toContain('Unrecognized keys: "\\u202e", "\\ue0041", "a", …');
  expect((await call("intent", { ["x".repeat(5_000)]: 1 })).text.length).toBeLessThan(500);
  expect((await call("task", { task: "' OR 1=1" })).isError).toBe(true);
  await expect(client.readResource({ uri: "lading://docs/../../package.json" })).rejects.toThrow();
  await expect(client.readResource({ uri: "file:///etc/passwd" })).rejects.toThrow();
  expect((await call("intent", { name: "product/upsert" })).isError).toBe(false);
});

test("a message that is too long ends the session before it is parsed, with code 1", async () => {
  const { written, ended } = await agent("acme", ...token);
  written.stdin.write("x".repeat(4 * 1024 * 1024 + 1));
  expect(await ended).toBe(1);
  expect(written.stderr).toContain("error: a message has more than 4,194,304 bytes, the limit");
});

test("an answer that is not from a Lading service is an error of the call", async () => {
  const { url } = await scriptedService({
    ReadContentModel: () => ({ body: { data: { shapes: 1, pieces: null } } }),
  });
  const { call } = await agent("acme", ...token, "--url", url);
  const { isError, data } = await call("describe_content_model");
  expect({ isError, data }).toMatchObject({
    isError: true,
    data: { error: expect.stringMatching(/not from a Lading service/) },
  });
});

test("it ends when standard input closes, also in the middle of a call", async () => {
  const silent = createServer().listen(0, "127.0.0.1");
  const asked = once(silent, "request");
  await once(silent, "listening");
  const { port } = silent.address() as AddressInfo;
  const { client, written, ended } = await agent("acme", ...token, "--url", `http://127.0.0.1:${port}`);
  const call = client.callTool({ name: "describe_content_model", arguments: {} }).catch(() => {});
  const [, response] = await asked;
  const broken = once(response, "close");
  written.stdin.end();
  expect(await ended).toBe(0);
  await broken;
  await client.close();
  await call;
  silent.close();
});

test("a call that its client cancels, or leaves, is not reported as a bug", async () => {
  const asked = Promise.withResolvers<void>();
  const task = { id: "a".repeat(24), status: "running", heldAt: null };
  const { url } = await scriptedService({
    WhoAmI: () => ({ body: { data: { tenant: {}, accessToken: { role: "admin" } } } }),
    CreateTask: () => ({ body: { data: { createMassOperationBulkTask: task } } }),
    FindTask: () => {
      asked.resolve();
      return { body: { data: { bulkTask: task } } };
    },
  });
  const { client, written } = await agent("acme", ...token, "--url", url, "--allow-run");
  const cancel = new AbortController();
  const params = { name: "run_by_plan", arguments: { plan: "b".repeat(24) } };
  const call = client.callTool(params, { signal: cancel.signal });
  await asked.promise;
  await setTimeout(100); // the answer has come then, and the call waits for its next look at the task
  cancel.abort();
  await expect(call).rejects.toThrow();
  for (let pings = 0; pings < 5; pings++) await client.ping();
  expect(written.stderr).toBe("");
});

test("calls are bounded: those beyond the limit are refused immediately, and later ones are answered", async () => {
  const silent = createServer().listen(0, "127.0.0.1");
  await once(silent, "listening");
  let requests = 0;
  silent.on("request", () => void requests++);
  const { port } = silent.address() as AddressInfo;
  const { client, call } = await agent("acme", ...token, "--url", `http://127.0.0.1:${port}`);
  const cancel = new AbortController();
  const waiting = Array.from({ length: 32 }, () =>
    client
      .callTool({ name: "describe_content_model", arguments: {} }, { signal: cancel.signal })
      .catch(() => {}),
  );
  const more = await Promise.all(Array.from({ length: 300 }, () => call("describe_content_model")));
  for (const { data } of more)
    expect(data.error).toBe("more than 32 concurrent calls: wait for answers, and call again");
  expect(requests).toBeLessThanOrEqual(32);
  cancel.abort();
  await Promise.all(waiting);
  await expect.poll(async () => (await call("intent")).isError).toBe(false);
  silent.closeAllConnections();
  silent.close();
});

test("a service that goes away while a plan is awaited leaves the id of the plan in the error", async () => {
  const id = "a".repeat(24);
  const { url } = await scriptedService({
    CreateTask: () => ({ body: { data: { createMassOperationBulkTask: { id, status: "pending" } } } }),
    WhoAmI: () => ({
      body: { data: { tenant: {}, accessToken: { role: "admin" } } },
    }),
    FindTask: () => ({ status: 401, body: { message: "revoked" } }),
  });
  const { call } = await agent("acme", ...token, "--url", url, "--allow-run");
  const { isError, data } = await call("run_by_plan", { plan: "b".repeat(24) });
  expect(isError).toBe(true);
  expect(data.error).toMatch(new RegExp(`^task ${id} was created, .*refused the token`));
});

test.each([
  ["without an operation is followed by another", 0, "c"],
  ["after operations is answered", 1, "a"],
])("a run of a plan that ended in error %s, at each call", async (_what, processed, answered) => {
  const tasks = new Map<unknown, string>();
  const { url } = await scriptedService({
    WhoAmI: () => whoAmI("admin"),
    CreateTask({ idempotencyKey }) {
      const id = tasks.get(idempotencyKey) ?? "abc".charAt(tasks.size).repeat(24);
      tasks.set(idempotencyKey, id);
      return data({ createMassOperationBulkTask: { id, status: id.startsWith("c") ? "pending" : "error" } });
    },
    FindTask({ id }) {
      const isNew = String(id).startsWith("c");
      const state = isNew
        ? { status: "complete" as const }
        : { status: "error" as const, progress: { processed } };
      return data({ bulkTask: scriptedTask({ id: String(id), ...state }) });
    },
  });
  const { call } = await agent("acme", ...token, "--url", url, "--allow-run");
  for (let calls = 0; calls < 2; calls++)
    expect((await call("run_by_plan", { plan: "d".repeat(24) })).says).toContain(
      `Task ${answered.repeat(24)}, run`,
    );
});

test("resources are the JSON Schema and the pages about files", async () => {
  const { client } = await agent("acme", ...token);
  const { resources } = await client.listResources();
  for (const { uri, mimeType } of resources) {
    const [content] = (await client.readResource({ uri })).contents;
    const body = content !== undefined && "text" in content ? content.text : "";
    if (mimeType === "application/json") expect(JSON.parse(body)).toHaveProperty("definitions");
    else expect(body, uri).toMatch(/^# /);
  }
});

test("the command as a process writes only messages to standard output, and ends with its standard input", async () => {
  const child = spawn(process.execPath, [bin, "mcp", "acme", ...token, "--url", await unusedUrl()]);
  const output = Promise.all([text(child.stdout), text(child.stderr), once(child, "close")]);
  const initialize = {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "test", version: "1" },
  };
  child.stdin.write(
    `${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: initialize })}\n`,
  );
  await once(child.stdout, "readable");
  child.stdin.end();
  const [stdout, stderr, [code]] = await output;
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect(linesOf(stdout).map((line) => JSON.parse(line))).toMatchObject([
    { result: { serverInfo: { name: "lading" } } },
  ]);
});

test("Ctrl-C ends it with code 130", async () => {
  const interrupt = new AbortController();
  const { ended } = startMcp(["acme", ...token], interrupt.signal);
  interrupt.abort(new DOMException("SIGINT", "AbortError"));
  expect(await ended).toBe(130);
});
