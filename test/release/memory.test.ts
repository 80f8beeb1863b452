import { openAsBlob } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createTenant, tenantClient } from "../support/client.ts";
import { freshDatabase } from "../support/database.ts";
import { finished } from "../support/service.ts";
import { type ServiceProcess, startServiceProcess } from "../support/service-process.ts";

const mebibyte = 1024 ** 2;
let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "lading-memory-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

/** A file of small named operations; a quarter of them refer to the one 9,000 before. */
async function writeSmall(path: string, operations: number): Promise<void> {
  const texts = Array.from({ length: operations }, (_, n) => {
    const refers = n % 4 === 3 && n > 9_000;
    return JSON.stringify({
      ...{ intent: "customer/upsert", _ref: `customer${n}`, identifier: `customer-number-${n}` },
      ...{ type: "individual", firstName: "Ada", companyName: "a company with a name that is rather long" },
      lastName: refers ? `of {{ customer${n - 9_000}.identifier }}` : "of nobody in particular",
    });
  });
  await writeFile(path, `{"version":"1.0.0","operations":[\n${texts.join(",\n")}\n]}\n`);
}

/** Starts a file; returns the tenant's client and the task's id. */
async function started({ url, operatorToken }: ServiceProcess, operations: number) {
  const client = tenantClient(url, "shop", await createTenant(url, operatorToken, "shop"));
  const path = join(folder, "small.json");
  await writeSmall(path, operations);
  const key = await client.upload(await openAsBlob(path));
  const { createMassOperationBulkTask: task } = await client.graphql<{
    createMassOperationBulkTask: { id: string };
  }>(
    `mutation ($key: String!) { createMassOperationBulkTask(input: {key: $key, autoStart: true}) {
       ... on BulkTaskMassOperation { id } ... on BasicError { message } } }`,
    { key },
  );
  return { client, id: task.id };
}

interface Sample {
  processed: number;
  bytes: number;
}

/** Least memory in use while operations `from` to `to` were processed; the rest was transient. */
const least = (samples: readonly Sample[], from: number, to: number) =>
  samples
    .filter(({ processed }) => processed >= from && processed < to)
    .reduce((one, other) => (one.bytes < other.bytes ? one : other));

/** Maximum bytes kept per operation, whose text alone has 230. */
const mostKept = 100;

test("a service on PostgreSQL keeps no memory of executed operations", async () => {
  const [fresh, operations] = [await freshDatabase(), 40_000];
  const service = await startServiceProcess(folder, fresh.url);
  try {
    const { client, id } = await started(service, operations);
    const samples: Sample[] = [];
    for (;;) {
      const { bulkTask } = await client.graphql<{ bulkTask: { status: string; progress: Sample } }>(
        `query ($id: ID!) { bulkTask(id: $id) { ... on BulkTaskMassOperation { status progress { processed } }
           ... on BasicError { message } } }`,
        { id },
      );
      if (bulkTask.status === "error") throw new Error("the task ended in error");
      if (bulkTask.status === "complete") break;
      const { processed } = bulkTask.progress;
      // Collecting garbage takes time: 40 times are enough.
      if (processed >= (samples.at(-1)?.processed ?? 0) + 1_000)
        samples.push({ processed, bytes: await service.heapBytes() });
      else await delay(20);
    }
    const [early, late] = [least(samples, 5_000, 15_000), least(samples, 25_000, operations)];
    const kept = (late.bytes - early.bytes) / (late.processed - early.processed);
    console.info(
      `${samples.length} samples, ${early.bytes} and ${late.bytes} bytes: ${kept.toFixed(1)} of each`,
    );
    expect(kept).toBeLessThan(mostKept);
  } finally {
    await service.stop();
    await fresh.drop();
  }
});

/** In MiB. The engine creates its database with a second program; after that it takes some 760. */
const mostOnPglite = 1_300;

test(`10,000 operations on PGlite are executed within ${mostOnPglite} MiB`, async () => {
  const service = await startServiceProcess(folder, undefined, { LADING_ENGINE: "pglite" });
  try {
    const { client, id } = await started(service, 10_000);
    expect(await finished(client, id)).toMatchObject({ progress: { succeeded: 10_000 } });
    expect((await service.peakBytes()) / mebibyte).toBeLessThan(mostOnPglite);
  } finally {
    await service.stop();
  }
});
