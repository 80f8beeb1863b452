import { type Access, createTenant, type TenantClient, tenantClient } from "../support/client.ts";
import type { Fleet } from "./fleet.ts";

/** Time without an answer, or without progress of a task, that counts as stuck, in milliseconds. */
const maxStillMs = 120_000;
/** The same for a plan, which waits in one process for the plans of others, and these begin again when killed. */
const maxStillPlanMs = 600_000;
/** Time between two looks at a task, in milliseconds. */
const lookInterval = 60;

/** A step in the life of a tenant; `lives.ts` has their order. */
export type Step = "plan" | "run" | "follow" | "retry" | "undo" | "dated" | "whole" | "back" | "apply";

interface Started {
  readonly kind: "run" | "plan";
  readonly key: string;
  readonly autoStart?: boolean;
  readonly onFailure?: "UNDO";
  readonly maxFailures?: number;
}

export type NamedAccess = Access & { name: string };

export interface Look {
  status: string;
  processed: number;
  reason: string | undefined;
  /** When it was requested (`performance.now()`). */
  askedAt: number;
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

const taskOrError = "{ ... on BulkTaskMassOperation { id } ... on BasicError { error } }";
const creation = `mutation ($input: CreateMassOperationBulkTaskInput!) {
  task: createMassOperationBulkTask(input: $input) ${taskOrError} }`;

async function created(
  client: TenantClient,
  mutation: string,
  variables: Record<string, unknown>,
): Promise<string> {
  const { task } = await client.graphql<{ task: { id: string; error?: string } }>(mutation, variables);
  if (task.error !== undefined) throw new Error(task.error);
  return task.id;
}

/** A client that repeats each request until it is answered. */
export class PatientClient {
  readonly #fleet: Pick<Fleet, "api">;
  readonly #over: () => boolean;

  /** `over` returns true when there is no point in trying again. */
  constructor(fleet: Pick<Fleet, "api">, over: () => boolean) {
    this.#fleet = fleet;
    this.#over = over;
  }

  async #patiently<T>(ask: (api: { url: string; operatorToken: string }) => Promise<T>): Promise<T> {
    const giveUpAt = Date.now() + maxStillMs;
    for (;;) {
      try {
        return await ask(await this.#fleet.api());
      } catch (error) {
        if (Date.now() > giveUpAt || this.#over()) throw error;
        await pause(50);
      }
    }
  }

  /** Sends once, and throws when it is not answered; whether it was executed is then unknown. */
  async once<T>(access: NamedAccess, ask: (client: TenantClient) => Promise<T>): Promise<T> {
    const { url } = await this.#fleet.api();
    return ask(tenantClient(url, access.name, access));
  }

  /** Retries until it is answered. */
  as<T>(access: NamedAccess, ask: (client: TenantClient) => Promise<T>): Promise<T> {
    return this.#patiently(({ url }) => ask(tenantClient(url, access.name, access)));
  }

  /** Creates a tenant; when the answer is lost, creates another one with another name. */
  async tenant(name: string): Promise<NamedAccess> {
    let tries = 0;
    return this.#patiently(async ({ url, operatorToken }) => {
      const identifier = `${name}-${tries++}`;
      return { ...(await createTenant(url, operatorToken, identifier)), name: identifier };
    });
  }

  /** Uploads and starts a file, once however often it has to ask; returns the task's id. */
  start(
    access: NamedAccess,
    file: object,
    { kind, key: idempotencyKey, ...more }: Started = { kind: "run", key: "the only one" },
  ): Promise<string> {
    return this.as(access, async (client) => {
      const key = await client.upload(new Blob([JSON.stringify(file)]));
      return created(client, creation, {
        input: { key, ...(kind === "plan" && { kind }), autoStart: true, idempotencyKey, ...more },
      });
    });
  }

  /** Lets a pending task start in a second, however often it has to ask. */
  schedule(access: NamedAccess, id: string): Promise<void> {
    return this.as(access, async (client) => {
      const { task } = await client.graphql<{ task: { errorName?: string } }>(
        `mutation ($id: ID!, $at: DateTime) { task: scheduleBulkTask(id: $id, startAt: $at) {
           ... on BulkTaskMassOperation { id } ... on BasicError { errorName } } }`,
        { id, at: new Date(Date.now() + 1_000).toISOString() },
      );
      // Its date came before a lost answer.
      const { errorName = "InvalidTaskStateError" } = task;
      if (errorName !== "InvalidTaskStateError") throw new Error(`task ${id} got no date: ${errorName}`);
    });
  }

  /** The id of the undo that began when a task failed. */
  undoOf(access: NamedAccess, id: string): Promise<string> {
    return this.as(access, async (client) => {
      const { task } = await client.graphql<{ task: { undoneBy: string | null } }>(
        `query ($id: ID!) { task: bulkTask(id: $id) {
           ... on BulkTaskMassOperation { undoneBy } ... on BasicError { error } } }`,
        { id },
      );
      if (task.undoneBy === null) throw new Error(`task ${id} failed, and is not undone`);
      return task.undoneBy;
    });
  }

  /** Starts the run of a file by its plan, once however often it has to ask; returns its id. */
  runByPlan(access: NamedAccess, plan: string, idempotencyKey: string): Promise<string> {
    return this.as(access, (client) =>
      created(client, creation, { input: { plan, autoStart: true, idempotencyKey } }),
    );
  }

  /** Starts a task of another by a mutation, once however often it has to ask; returns its id. */
  follow(access: NamedAccess, mutation: string, id: string, idempotencyKey: string): Promise<string> {
    return this.as(access, (client) =>
      created(
        client,
        `mutation ($id: ID!, $key: String) {
           task: ${mutation}(id: $id, autoStart: true, idempotencyKey: $key) ${taskOrError} }`,
        { id, key: idempotencyKey },
      ),
    );
  }

  async #look(access: NamedAccess, id: string): Promise<Look> {
    return this.as(access, async (client) => {
      const askedAt = performance.now();
      const { bulkTask } = await client.graphql<{
        bulkTask: { status: string; info: { error: string } | null; progress: { processed: number } };
      }>(
        `query ($id: ID!) { bulkTask(id: $id) {
           ... on BulkTaskMassOperation { status info { error } progress { processed } }
           ... on BasicError { error } } }`,
        { id },
      );
      const { status, info, progress } = bulkTask;
      return { status, processed: progress.processed, reason: info?.error, askedAt };
    });
  }

  /**
   * Watches a task until it ends; throws when it ends in error, makes no progress for too long, or goes back. A plan
   * may begin again, and a run that is all or nothing has to fail.
   */
  async untilEnded(
    access: NamedAccess,
    id: string,
    onLook: (look: Look) => void = () => {},
    step?: Step,
  ): Promise<void> {
    const maxStill = step === "plan" ? maxStillPlanMs : maxStillMs;
    let [last, since] = [-1, Date.now()];
    for (;;) {
      const look = await this.#look(access, id);
      onLook(look);
      if (look.status === "complete") return;
      if (look.status === "error" && step === "whole") return;
      if (look.status === "error") throw new Error(`task ${id} ended in error: ${look.reason}`);
      if (look.processed < last && step !== "plan")
        throw new Error(`task ${id} went back from ${last} operations to ${look.processed}`);
      if (look.processed !== last) [last, since] = [look.processed, Date.now()];
      else if (Date.now() - since > maxStill) throw new Error(`task ${id} is stuck at ${look.processed}`);
      if (this.#over()) return;
      await pause(lookInterval);
    }
  }
}
