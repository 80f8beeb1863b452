import { setTimeout as delay } from "node:timers/promises";
import type { TenantClient } from "../support/client.ts";
import type { Attacker } from "./attack.ts";

/** The interval between two looks at a task, in milliseconds. */
const lookInterval = 250;

/** Characters of an answer in which it is looked for why it was refused. */
const shown = 100;

interface Look {
  bulkTask: {
    status: string;
    info: { errorName: string } | null;
    progress: { processed: number; failed: number };
  };
}

export function attackerOf(url: string, client: TenantClient, over: AbortSignal): Attacker {
  const startRaw = async (file: Blob) => {
    const key = await client.upload(file);
    const { task } = await client.graphql<{ task: { id?: string; error?: string } }>(
      `mutation ($key: String!) { task: createMassOperationBulkTask(input: {key: $key, autoStart: true}) {
         ... on BulkTaskMassOperation { id } ... on BasicError { error } } }`,
      { key },
    );
    if (task.id === undefined) throw new Error(task.error);
    return task.id;
  };
  const ended = async (id: string): Promise<string> => {
    for (;;) {
      const { bulkTask } = await client.graphql<Look>(
        `query ($id: ID!) { bulkTask(id: $id) { ... on BulkTaskMassOperation {
           status info { errorName } progress { processed failed } } ... on BasicError { error } } }`,
        { id },
      );
      const { status, info, progress } = bulkTask;
      if (status === "error") return info?.errorName ?? status;
      const failed = progress.failed > 0 ? ` (${progress.failed} of ${progress.processed} failed)` : "";
      if (status === "complete") return `${status}${failed}`;
      if (over.aborted) return `still ${status}${failed}`;
      await delay(lookInterval);
    }
  };
  const post = async (body: string) => {
    const response = await fetch(client.address, {
      method: "POST",
      headers: {
        ...{ "content-type": "application/json", connection: "close" },
        "x-service-access-token-id": client.access.accessTokenId,
        "x-service-access-token-secret": client.access.accessTokenSecret,
      },
      body,
      signal: over,
    });
    let [bytes, begin] = [0, ""];
    for await (const chunk of response.body ?? []) {
      if (bytes === 0) begin = Buffer.from(chunk).toString("utf8").slice(0, shown);
      bytes += chunk.length;
    }
    const said = /"message":"([^"]*)/.exec(begin)?.[1];
    return { status: response.status, bytes, message: said ?? (response.ok ? "" : begin) };
  };
  const start = (operations: Iterable<object>) => startRaw(fileOf(operations));
  return { url, client, over, start, startRaw, ended, post };
}

/** A file of operations, without all of it as one string. */
function fileOf(operations: Iterable<object>): Blob {
  const parts = ['{"version":"1.0.0","operations":['];
  let separator = "";
  for (const operation of operations) {
    parts.push(separator, JSON.stringify(operation));
    separator = ",\n";
  }
  return new Blob([...parts, "]}"]);
}
