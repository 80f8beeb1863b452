import { once } from "node:events";
import { request } from "node:http";
import { text } from "node:stream/consumers";
import { createTenant, type TenantClient, tenantClient } from "../support/client.ts";
import { seeded } from "../support/random.ts";
import { mutatedFile } from "./files.ts";
import { mutatedRequest } from "./requests.ts";
import { mutatedSessionRequest, type SessionRequest } from "./session-requests.ts";

export interface Fuzzing {
  url: string;
  operatorToken: string;
  seed: number;
  /** The number of mutated files, each run as a task, and of mutated requests to GraphQL and to the console each. */
  files: number;
  requests: number;
  /** Called with progress from time to time. */
  onProgress?(text: string): void;
}

/** A behaviour that must never occur, with what it takes to reproduce it. */
export interface Finding {
  what: string;
  input: string;
}

/** The time without an answer after which a request counts as hanging, in milliseconds. */
const patience = 60_000;

/** Number of concurrent runs, each on its own tenant. */
const width = 4;

/**
 * Sends mutated files and requests to a running service. Returns the defects that they revealed: a 500, an
 * `InternalError`, an answer that is not JSON, or no answer.
 */
export async function fuzz(options: Fuzzing): Promise<Finding[]> {
  const tenants = await Promise.all(Array.from({ length: width }, (_, i) => openTenant(options, i)));
  const findings: Finding[] = [];
  const run = async (kind: string, count: number, one: (i: number, tenant: Tenant) => Promise<Finding[]>) => {
    let next = 0;
    const lane = async (tenant: Tenant) => {
      while (next < count) {
        const i = next++;
        findings.push(...(await one(i, tenant)));
        if (i % 1_000 === 999) options.onProgress?.(`${i + 1} ${kind}, ${findings.length} findings`);
      }
    };
    await Promise.all(tenants.map(lane));
  };
  await run("files", options.files, async (i, { client }) => {
    const file = mutatedFile(seeded(options.seed * 1_000_003 + i));
    return defectsOf(Buffer.from(file).toString("utf8"), () =>
      runFile(client, file, lives[i % lives.length]!),
    );
  });
  await run("requests", options.requests, async (i, { identifier, client, ids }) => {
    const body = mutatedRequest(seeded(options.seed * 2_000_003 + i), ids);
    return defectsOf(body, () => post(`${options.url}/@${identifier}`, client, body));
  });
  await run("session requests", options.requests, async (i, { identifier, client }) => {
    const { accessTokenId, accessTokenSecret } = client.access;
    const sent = { tenant: identifier, accessTokenId, accessTokenSecret };
    const call = mutatedSessionRequest(seeded(options.seed * 3_000_017 + i), sent);
    return defectsOf(JSON.stringify(call), () => sendToConsole(options.url, call));
  });
  return findings;
}

interface Tenant {
  identifier: string;
  client: TenantClient;
  /** Ids that requests may use: some exist, some do not. */
  ids: readonly string[];
}

async function openTenant({ url, operatorToken, seed }: Fuzzing, i: number): Promise<Tenant> {
  const identifier = `fuzz-${seed}-${i}`;
  const access = await createTenant(url, operatorToken, identifier);
  const ids = [access.tenant.rootItemId, access.tenant.id, "0".repeat(24), "default", "plants", "", "none"];
  return { identifier, client: tenantClient(url, identifier, access), ids };
}

async function defectsOf(input: string, act: () => Promise<string[]>): Promise<Finding[]> {
  const defects = await act().catch((error: Error) => [`${error.name}: ${error.message}`]);
  return defects.map((what) => ({ what, input }));
}

/** Sends one request; returns defects of the response. */
async function post(url: string, { access }: TenantClient, body: string): Promise<string[]> {
  const headers = {
    ...{ "content-type": "application/json", connection: "close" },
    "x-service-access-token-id": access.accessTokenId,
    "x-service-access-token-secret": access.accessTokenSecret,
  };
  const response = await fetch(url, { method: "POST", headers, body, signal: AbortSignal.timeout(patience) });
  const answer = await response.text();
  const { data, message } = JSON.parse(answer) as { data?: unknown; message?: string };
  if (response.status >= 500 || answer.includes('"InternalError"')) return [`${response.status} ${answer}`];
  const answered = response.status === 200 ? data !== undefined : typeof message === "string";
  return answered ? [] : [`neither data nor message: ${response.status} ${answer}`];
}

/** Sends one request to the console, with its path unchanged; returns defects of the response. */
async function sendToConsole(
  url: string,
  { method, path, headers, body }: SessionRequest,
): Promise<string[]> {
  const { hostname, port } = new URL(url);
  const [response] = await once(
    request({
      hostname,
      port,
      method,
      path,
      headers,
      agent: false,
      signal: AbortSignal.timeout(patience),
    }).end(body),
    "response",
  );
  const answer = await text(response);
  // A console that is not built answers 503.
  const isDefect = response.statusCode >= 500 && !answer.startsWith("The console is not built.");
  return isDefect || answer.includes('"InternalError"') ? [`${response.statusCode} ${answer}`] : [];
}

interface TaskAnswer {
  bulkTask: { status: string; info: { errorName: string; stack: string } | null };
  operationLogs: { edges: { node: { intent: string; message: string; statusCode: number } }[] };
}

const taskQuery = `query ($id: ID!) {
  bulkTask(id: $id) { ... on BulkTaskMassOperation { status info { errorName stack } } ... on BasicError { error } }
  operationLogs(filter: {operationId: $id, status: failure}) { edges { node { intent message statusCode } } } }`;

const create = (input: string) => `createMassOperationBulkTask(input: {${input}, autoStart: true})`;

/** Makes a task of the one before, or of the key of a file. */
const steps = {
  run: (key: string) => create(`key: "${key}"`),
  plan: (key: string) => create(`key: "${key}", kind: plan`),
  follow: (id: string) => create(`plan: "${id}"`),
  retry: (id: string) => `retryBulkTask(id: "${id}", autoStart: true)`,
  undo: (id: string) => `undoBulkTask(id: "${id}", autoStart: true)`,
};

/** The tasks that a file has, one after the other, as long as none is refused. */
const lives: readonly (readonly (keyof typeof steps)[])[] = [
  ["run"],
  ["plan", "follow"],
  ["run", "retry"],
  ["run", "undo", "undo"],
];

/** Uploads a file and runs its tasks to their ends; returns defects. */
async function runFile(
  client: TenantClient,
  file: Uint8Array<ArrayBuffer>,
  life: (typeof lives)[number],
): Promise<string[]> {
  if (file.length === 0) return []; // refused when it is uploaded
  const defects: string[] = [];
  let last: string | undefined = await client.upload(new Blob([file]));
  for (const step of life) {
    const { task }: { task: { id?: string; error?: string } } = await client.graphql(
      `mutation { task: ${steps[step](last)} { ... on BulkTaskMassOperation { id } ... on BasicError { error } } }`,
      {},
    );
    if (task.error === "InternalError") defects.push(`${step}: ${JSON.stringify(task)}`);
    last = task.id;
    if (last === undefined) break;
    defects.push(...(await defectsOfTask(client, last)));
  }
  return defects;
}

/** Waits for the end of a task; returns its defects. */
async function defectsOfTask(client: TenantClient, id: string): Promise<string[]> {
  const deadline = Date.now() + patience;
  for (;;) {
    const { bulkTask, operationLogs } = await client.graphql<TaskAnswer>(taskQuery, { id });
    const ended = bulkTask.status === "complete" || bulkTask.status === "error";
    if (ended) return defectsIn(bulkTask, operationLogs);
    if (Date.now() > deadline) return [`the task is still ${bulkTask.status} after ${patience} ms`];
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

function defectsIn({ info }: TaskAnswer["bulkTask"], { edges }: TaskAnswer["operationLogs"]): string[] {
  const logged = edges
    .filter(({ node }) => node.statusCode >= 500)
    .map(({ node }) => `${node.intent}: ${node.message}`);
  const failed =
    info !== null && info.errorName !== "ValidationError" ? [`${info.errorName} ${info.stack}`] : [];
  return [...failed, ...logged];
}
