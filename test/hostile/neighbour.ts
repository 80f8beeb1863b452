import { setTimeout as delay } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { type Access, tenantClient } from "../support/client.ts";

/**
 * The well-behaved tenant, in its own thread so that it measures the service and not the attacker: sends one query
 * after the other, and runs one task of 100 operations after the other, until a message stops it. Tells its parent how
 * long each took, in milliseconds, including those in progress when it is stopped.
 */
export interface Sample {
  what: "query" | "task";
  ms: number;
  /** Why it failed; null when it did not. */
  failure: string | null;
}

export interface NeighbourOptions {
  url: string;
  identifier: string;
  access: Access;
}

/** The pause between two queries, in milliseconds, which keeps the neighbour within the limit of requests. */
const pause = 20;

const query =
  "{ customers(first: 10) { ... on CustomerConnection { edges { node { identifier firstName } } } ... on BasicError { error } } }";
const create = `mutation ($key: String!) { created: createMassOperationBulkTask(input: {key: $key, autoStart: true}) {
  ... on BulkTaskMassOperation { id } ... on BasicError { error } } }`;
const status = `query ($id: ID!) { bulkTask(id: $id) { ... on BulkTaskMassOperation { status } ... on BasicError { error } } }`;

const operations = (round: number) =>
  Array.from({ length: 100 }, (_, i) => ({
    intent: "customer/upsert",
    identifier: `c-${i}`,
    firstName: `Round ${round}`,
  }));

if (parentPort !== null) {
  const port = parentPort;
  const { url, identifier, access } = workerData as NeighbourOptions;
  const client = tenantClient(url, identifier, access);
  let stopped = false;
  port.once("message", () => {
    stopped = true;
  });
  const repeat = async (what: Sample["what"], act: (round: number) => Promise<unknown>) => {
    for (let round = 0; !stopped; round++) {
      const began = performance.now();
      const failure = await act(round).then(
        () => null,
        (error: Error) => String(error.cause ?? error.message),
      );
      port.postMessage({ what, ms: performance.now() - began, failure } satisfies Sample);
      await delay(pause);
    }
  };
  await Promise.all([repeat("query", () => client.graphql(query)), repeat("task", task)]);
  port.close();

  /** Uploads, creates, starts and awaits. */
  async function task(round: number): Promise<void> {
    const key = await client.upload(
      new Blob([JSON.stringify({ version: "1.0.0", operations: operations(round) })]),
    );
    const { created } = await client.graphql<{ created: { id: string } }>(create, { key });
    for (;;) {
      const { bulkTask } = await client.graphql<{ bulkTask: { status: string } }>(status, { id: created.id });
      if (bulkTask.status === "complete") return;
      if (bulkTask.status === "error") throw new Error("the task ended in error");
      await delay(50);
    }
  }
}
