import type { Database } from "../../../packages/service/src/storage/database.ts";
import { type Access, createTenant, type TenantClient, tenantClient } from "../../support/client.ts";
import { type Random, seeded } from "../../support/random.ts";
import { type Answer, type Call, callOf, mutationOf, type Operation, send } from "./calls.ts";
import { beginnings, choose, type Tree } from "./choices.ts";
import { settingsMissing, storedOf, succeededIn, violations } from "./invariants.ts";
import { type Effect, Model } from "./model.ts";

export interface Writing {
  /** The services of one database: writers go to any of them. */
  services: readonly { url: string; operatorToken: string }[];
  seed: number;
  /** Changes that each writer makes in sequence; a task and a short-lived tenant count as one each. */
  changes: number;
  /** Called with progress from time to time. */
  onProgress?(text: string): void;
}

/** The results to examine once the services have stopped. */
export interface Written {
  /** Answers that must never occur. */
  defects: readonly string[];
  tenants: readonly Shop[];
}

interface Shop extends Tree {
  access: Access;
  identifier: string;
  model: Model;
  tasks: TaskRun[];
}

interface TaskRun {
  id: string;
  effects: readonly (Effect | undefined)[];
  sentAt: number;
  endedAt: number;
}

/** Tenants, and writers on each; with the same seed a writer makes the same choices. */
const [tenants, writersEach] = [2, 4];
/** Maximum operations of a task, and the shares of changes that start a task or a short-lived tenant. */
const [taskSize, taskShare, shortLivedShare] = [60, 0.04, 0.02];
/** The share of tasks that follow a plan of their file. */
const plannedShare = 0.3;

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Lets writers and tasks randomly change the same data concurrently. */
export async function write(options: Writing): Promise<Written> {
  const defects: string[] = [];
  const shops = await Promise.all(Array.from({ length: tenants }, (_, n) => openShop(options, n)));
  let made = 0;
  const writer = async (shop: Shop, n: number, index: number) => {
    const random = seeded(options.seed * 7_919 + index);
    for (let i = 0; i < options.changes; i++) {
      const service = random.pick(options.services);
      const unique = `${n}-${i}`;
      const step = { options, service, shop, random, unique, index };
      const found = await next(step).catch((error) => [`${error}`]);
      defects.push(...found);
      if (++made % 500 === 0) options.onProgress?.(`${made} changes, ${defects.length} defects`);
    }
  };
  await Promise.all(
    shops.flatMap((shop, s) =>
      Array.from({ length: writersEach }, (_, n) => writer(shop, n, s * writersEach + n)),
    ),
  );
  return { defects, tenants: shops };
}

/** Finds faults in the stored data: contradictions to acknowledged changes, and data that must not be stored. */
export async function examine(database: Database, { tenants }: Written): Promise<string[]> {
  const wrong = await violations(database);
  for (const { access, identifier, model, tasks } of tenants) {
    for (const { id, effects, sentAt, endedAt } of tasks)
      for (const index of await succeededIn(database, access.tenant.id, id)) {
        const effect = effects[index];
        if (effect !== undefined) model.note(effect, sentAt, endedAt);
      }
    const found = model.contradictions(await storedOf(database, access.tenant.id));
    found.push(...(await settingsMissing(database, access.tenant.id)));
    if (model.acknowledged === 0) found.push("nothing was acknowledged");
    wrong.push(...found.map((what) => `${identifier}: ${what}`));
  }
  return wrong;
}

async function openShop({ services: [service], seed }: Writing, n: number): Promise<Shop> {
  if (service === undefined) throw new Error("there is no service to write to");
  const identifier = `writers-${seed}-${n}`;
  const access = await createTenant(service.url, service.operatorToken, identifier);
  const client = tenantClient(service.url, identifier, access);
  const root = access.tenant.rootItemId;
  const begin = async (call: Call) => {
    const answer = await send(client.address, headersOf(access), call);
    if (answer.errorName || answer.defect) throw new Error(JSON.stringify([answer, call.variables]));
    return answer.id as string;
  };
  for (const operation of beginnings(root)) await begin(mutationOf(operation));
  const topics: string[] = [];
  for (let i = 0; i < 9; i++) topics.push(await begin(topic(i)));
  const tree = { root, topics: topics.slice(0, 5), moved: topics.slice(5) };
  return { ...tree, access, identifier, model: new Model(), tasks: [] };
}

const topic = (n: number) => callOf("createTopic", { language: "en", input: { name: `Topic ${n}` } });

const headersOf = ({ accessTokenId, accessTokenSecret }: Access) => ({
  "x-service-access-token-id": accessTokenId,
  "x-service-access-token-secret": accessTokenSecret,
});

interface Step {
  options: Writing;
  service: Writing["services"][number];
  shop: Shop;
  random: Random;
  unique: string;
  index: number;
}

/** Makes the next change; answers the defects of it. */
async function next(step: Step): Promise<string[]> {
  const { service, shop, random, unique } = step;
  if (random.chance(shortLivedShare)) return shortLived(step);
  if (random.chance(taskShare)) return runTask(step);
  const choice = choose(random, shop, unique);
  const call = "call" in choice ? choice.call : mutationOf(choice.operation);
  const client = tenantClient(service.url, shop.identifier, shop.access);
  const sentAt = performance.now();
  const answer = await send(client.address, headersOf(shop.access), call);
  const failed = answer.errorName !== undefined || answer.defect !== undefined;
  if (!failed && choice.effect !== undefined) shop.model.note(choice.effect, sentAt, performance.now());
  return defectOf(answer);
}

const defectOf = ({ defect }: Answer) => (defect === undefined ? [] : [defect]);

/** Runs a file of changes, at times by a plan, concurrently with the other writers. */
async function runTask({ service, shop, random, unique }: Step): Promise<string[]> {
  const choices = Array.from({ length: 1 + random.below(taskSize) }, (_, n) =>
    choose(random, shop, `${unique}-${n}`),
  ).filter((choice) => "operation" in choice);
  const client = tenantClient(service.url, shop.identifier, shop.access);
  const key = await uploadFile(
    client,
    choices.map(({ operation }) => operation),
  );
  let input: TaskInput = { key };
  if (random.chance(plannedShare)) {
    const plan = await startTask(client, { key, kind: "plan" });
    const [state, ...defects] = await ended(client, plan);
    if (state !== "complete" || defects.length > 0) return [`plan ${plan} ended as ${state}`, ...defects];
    input = { plan };
  }
  const sentAt = performance.now();
  const id = await startTask(client, input);
  const [task, ...defects] = await ended(client, id);
  const effects = choices.map(({ effect }) => effect);
  shop.tasks.push({ id, effects, sentAt, endedAt: performance.now() });
  if (task !== "complete") defects.push(`task ${id} ended as ${task}`);
  return defects;
}

/** The source of a task's operations: an uploaded file, or a plan that was made of one. */
type TaskInput = { key: string; kind?: "plan" } | { plan: string };

const uploadFile = (client: TenantClient, operations: readonly Operation[]): Promise<string> =>
  client.upload(new Blob([JSON.stringify({ version: "0.0.1", operations })]));

async function startTask(client: TenantClient, input: TaskInput): Promise<string> {
  const { task } = await client.graphql<{ task: { id: string; message?: string } }>(
    `mutation ($input: CreateMassOperationBulkTaskInput!) { task: createMassOperationBulkTask(input: $input) {
       ... on BulkTaskMassOperation { id } ... on BasicError { message } } }`,
    { input: { ...input, autoStart: true } },
  );
  if (task.message !== undefined) throw new Error(task.message);
  return task.id;
}

/** Waits for the end of a task; answers its last state, then defects that its log has. */
async function ended(client: TenantClient, id: string): Promise<string[]> {
  for (const giveUpAt = Date.now() + 120_000; Date.now() < giveUpAt; await pause(30)) {
    const { bulkTask, operationLogs } = await client.graphql<{
      bulkTask: { status: string; info: { error: string } | null };
      operationLogs: { edges: { node: { intent: string; message: string; statusCode: number } }[] };
    }>(
      `query ($id: ID!) { bulkTask(id: $id) { ... on BulkTaskMassOperation { status info { error } } ... on BasicError { error } }
         operationLogs(filter: {operationId: $id, status: failure}, first: 100) {
           edges { node { intent message statusCode } } } }`,
      { id },
    );
    if (bulkTask.status !== "complete" && bulkTask.status !== "error") continue;
    const failures = operationLogs.edges
      .map(({ node }) => node)
      .filter(({ statusCode }) => statusCode >= 500);
    return [
      bulkTask.info?.error ?? bulkTask.status,
      ...failures.map(({ intent, message }) => `${intent}: ${message}`),
    ];
  }
  return ["stuck"];
}

/** A tenant that is deleted while a task of it runs, and others write. */
async function shortLived({ options, service, random, unique, index }: Step): Promise<string[]> {
  const identifier = `short-${options.seed}-${index}-${unique}`;
  const access = await createTenant(service.url, service.operatorToken, identifier);
  const client = tenantClient(service.url, identifier, access);
  const customer = (n: number): Operation => ({
    intent: "customer/upsert",
    identifier: `c-${n}`,
    firstName: "C",
  });
  const customers = Array.from({ length: 1 + random.below(2_000) }, (_, n) => customer(n));
  await startTask(client, { key: await uploadFile(client, customers) });
  const patience = random.below(100);
  const answers = Array.from({ length: 6 }, async (_, n) => {
    await pause(random.below(60));
    const { url } = random.pick(options.services);
    return send(`${url}/@${identifier}`, headersOf(access), mutationOf(customer(n)));
  });
  await pause(patience);
  const deletion = await send(
    `${service.url}/operator`,
    { authorization: `Bearer ${service.operatorToken}` },
    {
      query: `mutation ($identifier: String!) { done: deleteTenant(identifier: $identifier) {
        ... on DeletedTenant { __typename } ... on BasicError { errorName message } } }`,
      variables: { identifier },
    },
  );
  const refused = deletion.errorName === undefined ? [] : [`deleteTenant: ${deletion.errorName}`];
  return [...refused, ...[deletion, ...(await Promise.all(answers))].flatMap(defectOf)];
}
