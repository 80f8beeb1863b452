import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { createTenant } from "../../../test/support/client.ts";
import { png } from "../../../test/support/images/samples.ts";
import { openService, serviceEngines, type TestService } from "../../../test/support/service.ts";
import { type Group, tree } from "../src/commands/tree.ts";
import { agent } from "./support/agent.ts";
import { cleanEnvironment, lading, writeInto } from "./support/lading.ts";

/** Texts that a terminal obeys: escape sequences of both forms, a title, directions of text, and ends of lines. */
const hostile = "\u001b[35m\u009b2J\u001b]0;t\u0007\u202e\u2067\u200f\u061c\u2028\u0085\r\nFORGED";
/** The same within a string of JSON, in which only C0 must be escaped. */
const hostileInJson = JSON.stringify(hostile).slice(1, -1);

/** Fields that the CLI cannot work without. */
const exact = /^(status|kind|action|change|role|severity|url|__typename)$/;

/** The answer of the proxy in front of the service, instead of the service's. */
let refusal: { type: string; body: string; status?: number } | undefined;
let service: TestService;
const proxy = createServer((request, response) => void forward(request, response));

beforeAll(async () => {
  service = await openService(serviceEngines[0]);
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
});

afterAll(async () => {
  proxy.close();
  proxy.closeAllConnections();
  await service.close();
});

let folder: string;

beforeEach(async () => {
  folder = await cleanEnvironment();
  vi.stubEnv("LADING_URL", `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`);
  vi.stubEnv("LADING_OPERATOR_TOKEN", service.operatorToken);
});

/** Makes a tenant, whose token the commands use: what they keep of the answer to `tenant create` is hostile. */
async function useTenant(identifier: string): Promise<void> {
  const access = await createTenant(service.url, service.operatorToken, identifier);
  vi.stubEnv("LADING_ACCESS_TOKEN_ID", access.accessTokenId);
  vi.stubEnv("LADING_ACCESS_TOKEN_SECRET", access.accessTokenSecret);
}

/** Forwards a request, and appends the hostile text to every text of the answer. */
async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const sent = (await buffer(request)).toString();
  if (refusal !== undefined) {
    response.writeHead(refusal.status ?? 400, { "content-type": refusal.type });
    return void response.end(refusal.body);
  }
  const path = decodeURIComponent(request.url ?? "").replaceAll(hostile, "");
  const { host: _, "content-length": __, connection: ___, ...headers } = request.headers;
  const answer = await fetch(service.url + encodeURI(path), {
    method: request.method ?? "GET",
    headers: headers as Record<string, string>,
    ...(request.method === "POST" && { body: sent.replaceAll(hostileInJson, "") }),
  });
  const text = await answer.text();
  response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "" });
  response.end(sent.includes("RequestUpload") ? text : poisoned(text));
}

const poisoned = (text: string) =>
  text.replaceAll(/"(\w+)":\s?"((?:[^"\\]|\\.)*)"/g, (member, key, value) =>
    exact.test(key) ? member : `"${key}":"${value}${hostileInJson}"`,
  );

const leavesOf = ({ commands }: Group, words: readonly string[] = []): string[] =>
  Object.entries(commands).flatMap(([name, branch]) =>
    typeof branch === "function" ? [[...words, name].join(" ")] : leavesOf(branch, [...words, name]),
  );

/** Commands that print nothing of a service's answers or of a file. */
const local = ["serve", "migrate", "move-data", "tenant move", "completion", "mass-operation init"];

const group = (identifier: string, more: object = {}) => ({
  ...{ intent: "customer/group/create", identifier, name: identifier, _ref: `r${hostile}`, ...more },
});

/** Runs the commands in order, each as text and as JSON; the words `FILE`, `MAP`, `TABLE` … stand for files. */
async function everyCommand(run: (words: string[]) => Promise<string>): Promise<string[]> {
  const written = (name: string, content: unknown) => writeInto(folder, `${name}${hostile}.json`, content);
  const ann = { intent: "customer/create", identifier: "ann", firstName: "Ann" };
  const picture = { intent: "image/register", key: '{{ upload "./a.png" }}' };
  await writeFile(join(folder, "a.png"), png(1, 1));
  const operations = [group("a"), group("a"), group("b", { [`x${hostile}`]: 1 }), ann, picture];
  const file = await written("shop", { version: "1.0.0", operations });
  const bad = await written("bad", { version: "1.0.0", operations: [{ intent: `no${hostile}` }] });
  const map = await written("map", { operations: [{ intent: "customer/upsert", identifier: "[[id]]" }] });
  const table = await writeInto(folder, `t${hostile}.csv`, `id,name${hostile}\nx${hostile},,\n`);
  const mutation =
    'mutation { createCustomer(input: {identifier: ""}) { ... on BasicError { error errorName } } }';
  const mutations = await written("mutations", { [`m${hostile}`]: { mutation, sets: [{}] } });
  const out = () => join(folder, `${Math.random()}.json`);
  const token = await created(await run(["token", "create", "evil", "--name", `ci${hostile}`]));
  const task = await created(await run(["mass-operation", "run", "evil", file]));
  const steps = [
    ...[
      ["tenant", "list"],
      ["tenant", "show", "evil"],
      ["tenant", "show", "nobody"],
    ],
    ["tenant", "settings", "add", "evil", "market", "m", "--name", `M${hostile}`],
    ["tenant", "settings", "show", "evil"],
    ["tenant", "settings", "remove", "evil", "market", "m"],
    ["tenant", "webhook", "set", "evil", `http://127.0.0.1:1/${encodeURIComponent(hostile)}`],
    ...["show", "rotate", "deliveries", "remove"].map((name) => ["tenant", "webhook", name, "evil"]),
    ...[
      ["token", "list", "evil"],
      ["whoami", "--tenant", "evil"],
      ["doctor"],
      ["console", "evil", "--no-open"],
    ],
    ["login", "evil", "--token-id", token, "--token-secret", `wrong${hostile}`],
    ...[file, bad].flatMap((each) => [
      ["mass-operation", "validate", each],
      ["mass-operation", "validate", each, "--all"],
    ]),
    ["mass-operation", "add-operation", file, "--intent", `no${hostile}`],
    ["mass-operation", "plan", "evil", file],
    ["mass-operation", "list", "evil"],
    ...[
      ["--columns", "help"],
      ["--format", "ndjson"],
      [out(), "--format", "csv"],
      ["--where", hostile],
    ].map((more) => ["export", "evil", "customers", ...more]),
    ...[[], ["--status"], ["--plan"], ["--plan", "--markdown"]].map((more) => [
      "apply",
      "evil",
      folder,
      ...more,
    ]),
    ...["status", "logs", "failures", "hold", "resume", "cancel", "retry"].map((name) => [
      ...["mass-operation", name, task, "--tenant", "evil"],
    ]),
    ["mass-operation", "run", "evil", file, "--at", new Date(Date.now() + 3_600_000).toISOString()],
    ["mass-operation", "list", "evil", "--status", "pending"],
    ...[[], ["--at", "none"]].map((more) => ["mass-operation", "start", task, "--tenant", "evil", ...more]),
    ["mass-operation", "logs", `${task}${hostile}`, "--tenant", "evil"],
    ["mass-operation", "undo", task, "--tenant", "evil", "--plan"],
    ["mass-operation", "undo", task, "--tenant", "evil", "--yes"],
    ["mass-operation", "dump-content-model", "evil", out()],
    ["mass-operation", "execute-mutations", "evil", mutations],
    ["task", "show", task, "--tenant", "evil"],
    ["task", "prune", "evil", "--older-than", "0"],
    ["tenant", "dump", "evil"],
    ["tenant", "dump", "evil", out()],
    ["tenant", "dump", "evil", out(), "--images", join(folder, "images")],
    ["image", "upload", "evil", folder, "--map", out()],
    ["tenant", "diff", "evil", "evil", "-"],
    ["convert", table, "--map", map],
    ["group", "map", `g${hostile}`, "--tenant", "evil", "--role", "reader"],
    ["group", "list"],
    ["group", "unmap", `g${hostile}`, "--tenant", "evil"],
    ["token", "revoke", "evil", token],
    ["tenant", "delete", "evil", "--yes"],
  ];
  for (const step of steps) await run(step);
  return steps.map((words) => words.join(" "));
}

const created = async (output: string): Promise<string> =>
  /(?:task|token|id)[": ]+([0-9a-f]{24})/i.exec(output)?.[1] ?? expect.fail(output);

/** The CLI's own sequences: colours, and what clears the line of progress. */
const own = [...[1, 2, 22, 31, 32, 33, 39].map((style) => `\u001b[${style}m`), "\r\u001b[2K"];

/** Runs a command on a terminal, and fails if anything of the hostile text can be obeyed. */
async function obeyed(words: string[], ...more: string[]): Promise<string> {
  const io = { stdout: { isTTY: true, columns: 80 }, stderr: { isTTY: true } } as never;
  const { stdout, stderr } = await lading([...words, ...more], io);
  const text = own.reduce((rest, sequence) => rest.replaceAll(sequence, ""), stdout + stderr);
  expect(text, words.join(" ")).not.toMatch(/[^\P{Cc}\n\t]|[\p{Zl}\p{Zp}\p{Bidi_Control}]|^ *FORGED/mu);
  return text;
}

/** Calls each tool of `lading mcp`, and fails if the terminal that it may write to would obey anything. */
async function obeyedAgent(): Promise<void> {
  await useTenant("evil-agent");
  const { client, call, written } = await agent("evil-agent", "--allow-run");
  const operations = [group("m")];
  const planned = await call("plan", { operations });
  const task = /[0-9a-f]{24}/.exec(planned.says)?.[0] ?? expect.fail(planned.text);
  const inputs: Record<string, object> = {
    find: { text: "a" },
    validate: { operations: [...operations, { intent: `no${hostile}` }] },
    plan: { operations: [{ intent: `no${hostile}` }] },
    failures: { task },
    run_by_plan: { plan: task },
  };
  for (const { name } of (await client.listTools()).tools) {
    const { text, data } = await call(name, { ...inputs[name] });
    expect(text.replace(JSON.stringify(data), ""), name).not.toContain("FORGED");
  }
  for (const output of [written.stdout, written.stderr])
    expect(output).not.toMatch(/[^\P{Cc}\n\t]|[\p{Zl}\p{Zp}\p{Bidi_Control}]|^ *FORGED/mu);
}

test("no text of a service, a file or an argument controls the terminal, whatever the command", {
  tags: "release",
  timeout: 120_000,
}, async () => {
  await useTenant("evil");
  const done = await everyCommand(async (words) => {
    const text = await obeyed(words);
    await obeyed(words, "--json");
    return text;
  });
  await obeyed(["tenant", "create", "Evil", "--name", `Evil${hostile}`]);
  await obeyed(["tenant", "create", "evil-2", "--name", `Evil${hostile}`]);
  await obeyedAgent();
  const run = ["tenant create", "token create", "mass-operation run", "mcp", ...local];
  const left = leavesOf(tree).filter((leaf) => ![...done, ...run].some((line) => line.startsWith(leaf)));
  expect(left).toEqual([]);
});

test("JSON keeps each character of a service's texts, escaped", async () => {
  await useTenant("kept");
  const { stdout } = await lading(["tenant", "show", "kept", "--json"]);
  expect(JSON.parse(stdout)).toMatchObject({ identifier: `kept${hostile}`, name: `kept${hostile}` });
});

test.each([
  {
    type: "application/json",
    body: `{"message":"${hostileInJson}","errors":[{"message":"${hostileInJson}"}]}`,
  },
  { type: "text/html\u009b2J", body: hostile },
])("a refusal of the type $type controls no terminal", async (given) => {
  await useTenant(`refused-${given.type.length}`);
  refusal = given;
  try {
    for (const words of [
      "tenant list",
      "whoami --tenant refused",
      "doctor",
      "tenant dump refused",
      "console refused",
    ])
      await obeyed(words.split(" "));
  } finally {
    refusal = undefined;
  }
});

const asked = [
  ...["tenant list", "tenant show odd", "token list odd", "whoami --tenant odd", "mass-operation list odd"],
  ...[`mass-operation logs ${"0".repeat(24)} --tenant odd`, "tenant webhook show odd", "doctor"],
].map((words) => words.split(" "));

function answerAll(body: string): void {
  refusal = { type: "application/json", body, status: 200 };
  onTestFinished(() => {
    refusal = undefined;
  });
}

test.each([
  `{"data":{"tenant":"${hostileInJson}","tenants":"","bulkTasks":[],"operationLogs":1,"webhook":null}}`,
  '{"data":{}}',
  `{"data":"${hostileInJson}"}`,
  `{"errors":{"message":"${hostileInJson}"}}`,
  '{"errors":[null]}',
  '{"message":{}}',
])("the answer %j is refused as not from a Lading service", async (body) => {
  vi.stubEnv("LADING_ACCESS_TOKEN_ID", "0".repeat(24));
  vi.stubEnv("LADING_ACCESS_TOKEN_SECRET", "0".repeat(64));
  answerAll(body);
  for (const words of asked) {
    const text = await obeyed(words);
    expect(text, words.join(" ")).toMatch(/ http:\S+ gave an answer that is not from a Lading service /);
    expect(text, words.join(" ")).not.toMatch(/^ +at /m);
  }
});

test("an answer with a nested error controls no terminal, and the error's stack is kept", async () => {
  answerAll(`{"data":{"tenant":{"id":"${hostileInJson}","accessTokens":"${hostileInJson}"}}}`);
  const text = await obeyed(["tenant", "show", "odd"]);
  expect(text).toMatch(
    /error: this is a bug in lading, or the answer is not from a Lading service\nTypeError/,
  );
  expect(text).toMatch(/^ +at \S+.+\.ts:\d+/m);
});

test("a dump whose end is not JSON is refused, and controls no terminal", async () => {
  vi.stubEnv("LADING_ACCESS_TOKEN_ID", "0".repeat(24));
  vi.stubEnv("LADING_ACCESS_TOKEN_SECRET", "0".repeat(64));
  answerAll(`{"operations":[\n],"report":${hostile.replace("\n", "")}}\n`);
  const text = await obeyed(["tenant", "dump", "odd"]);
  expect(text).toContain("error: its end is not that of a dump: is it from a Lading service?");
});
