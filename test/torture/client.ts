import { type Access, createTenant, type TenantClient, tenantClient } from "../support/client.ts";
import type { Fleet } from "./fleet.ts";

/** How long nobody may answer, or a task stand still, in milliseconds, before it counts as stuck. */
const patience = 120_000;
/** Milliseconds between two looks at a task. */
const lookInterval = 60;

export type NamedAccess = Access & { name: string };

interface Look {
  status: string;
  processed: number;
  /** Why it ended in error. */
  reason: string | undefined;
  /** When it was asked for, as `performance.now()` tells it. */
  askedAt: number;
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** A client that asks again for as long as nobody answers. */
export class PatientClient {
  readonly #fleet: Fleet;
  readonly #over: () => boolean;

  /** `over` tells whether asking again is of no use any more. */
  constructor(fleet: Fleet, over: () => boolean) {
    this.#fleet = fleet;
    this.#over = over;
  }

  async #patiently<T>(ask: (api: { url: string; operatorToken: string }) => Promise<T>): Promise<T> {
    const giveUpAt = Date.now() + patience;
    for (;;) {
      try {
        return await ask(await this.#fleet.api());
      } catch (error) {
        if (Date.now() > giveUpAt || this.#over()) throw error;
        await pause(50);
      }
    }
  }

  #as<T>(access: NamedAccess, ask: (client: TenantClient) => Promise<T>): Promise<T> {
    return this.#patiently(({ url }) => ask(tenantClient(url, access.name, access)));
  }

  /** Creates a tenant; one whose answer was lost is left alone, and another name is taken. */
  async tenant(name: string): Promise<NamedAccess> {
    let tries = 0;
    return this.#patiently(async ({ url, operatorToken }) => {
      const given = `${name}-${tries++}`;
      return { ...(await createTenant(url, operatorToken, given)), name: given };
    });
  }

  /** Uploads and starts a file, once however often it has to ask; answers the task's id. */
  start(access: NamedAccess, file: object): Promise<string> {
    return this.#as(access, async (client) => {
      const storageKey = await client.upload(new Blob([JSON.stringify(file)]));
      const { task } = await client.graphql<{ task: { id: string; error?: string } }>(
        `mutation ($input: CreateMassOperationBulkTaskInput!) {
           task: createMassOperationBulkTask(input: $input) {
             ... on BulkTaskMassOperation { id } ... on BasicError { error } } }`,
        { input: { key: storageKey, autoStart: true, idempotencyKey: "the only one" } },
      );
      if (task.error !== undefined) throw new Error(task.error);
      return task.id;
    });
  }

  async #look(access: NamedAccess, id: string): Promise<Look> {
    return this.#as(access, async (client) => {
      const askedAt = performance.now();
      const { bulkTask } = await client.graphql<{
        bulkTask: { status: string; info: { error: string } | null; progress: { processed: number } };
      }>(
        `query ($id: ID!) { bulkTask(id: $id) {
           ... on BulkTaskMassOperation { status info { error } progress { processed } } ... on BasicError { error } } }`,
        { id },
      );
      const { status, info, progress } = bulkTask;
      return { status, processed: progress.processed, reason: info?.error, askedAt };
    });
  }

  /** Watches a task to its end; throws when it ends in error, or stands still for too long. */
  async untilEnded(access: NamedAccess, id: string, onLook: (look: Look) => void = () => {}): Promise<void> {
    let [last, since] = [-1, Date.now()];
    for (;;) {
      const look = await this.#look(access, id);
      onLook(look);
      if (look.status === "complete") return;
      if (look.status === "error") throw new Error(`task ${id} ended in error: ${look.reason}`);
      if (look.processed !== last) [last, since] = [look.processed, Date.now()];
      else if (Date.now() - since > patience) throw new Error(`task ${id} is stuck at ${look.processed}`);
      if (this.#over()) return;
      await pause(lookInterval);
    }
  }
}
