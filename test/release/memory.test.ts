import { openAsBlob } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
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

/** A file of small operations, each with a name; a quarter of them refer to the one 9,000 before. */
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

/** Runs such a file; answers the peak of the service's memory in MiB. */
async function run({ url, operatorToken, peakBytes }: ServiceProcess, operations: number): Promise<number> {
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
  expect(await finished(client, task.id)).toMatchObject({ progress: { succeeded: operations } });
  const peak = Math.round((await peakBytes()) / mebibyte);
  console.info(`peak ${peak} MiB`);
  return peak;
}

const engines = [
  // Its names are remembered while it is checked.
  {
    engine: "PostgreSQL",
    operations: Number(process.env.MEM_PG ?? 150_000),
    bound: 600,
    open: freshDatabase,
  },
  // The engine creates its database with a second program beside it; from then on it holds some 760 MiB.
  { engine: "PGlite", operations: 20_000, bound: 1_300, open: async () => undefined },
];

test.each(engines)(
  "$operations named operations on $engine are executed within $bound MiB",
  async ({ operations, bound, open }) => {
    const fresh = await open();
    const service = await startServiceProcess(folder, fresh?.url, fresh ? {} : { LADING_ENGINE: "pglite" });
    try {
      expect(await run(service, operations)).toBeLessThan(bound);
    } finally {
      await service.stop();
      await fresh?.drop();
    }
  },
  900_000,
);
