import { mkdtemp, rm } from "node:fs/promises";
import { Session } from "node:inspector/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { startService } from "../../packages/service/src/index.ts";
import { createTenant, type TenantClient, tenantClient } from "../../test/support/client.ts";
import { finished, pendingFile, runFile, startPending } from "../../test/support/service.ts";

/** The calls of each function of the packages: file (`service/src/app.ts`) → function → count. */
export type Counts = Map<string, Map<string, number>>;

/** So many that what runs for each batch, chunk or poll does not count as run for each operation. */
const many = 401;

/**
 * Runs a task of one `product/upsert` and one of many, on a service with PGlite in this process. Returns what ran in
 * the first, and what ran at least once for each operation of the second.
 */
export async function runUnderCoverage(): Promise<{ ran: Counts; eachTime: Counts }> {
  const dataDir = await mkdtemp(join(tmpdir(), "lading-walk-"));
  const service = await startService({
    port: 0,
    dataDir,
    engine: "pglite",
    logLevel: "silent",
    rateLimit: 0,
  });
  const session = new Session();
  session.connect();
  try {
    const access = await createTenant(service.url, service.operatorToken, "walk");
    const client = tenantClient(service.url, "walk", access);
    await runFile(client, { version: "1.0.0", operations: [shape, product(0)] });
    await session.post("Profiler.enable");
    await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
    await countsOf(session, client, 1, 1); // the first task under coverage compiles what the next ones find compiled
    const ran = await countsOf(session, client, 2, 1);
    const ofMany = await countsOf(session, client, 3, many);
    return { ran, eachTime: forEachOperation(ofMany, ran) };
  } finally {
    session.disconnect();
    await service.stop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

const shape = { intent: "shape/upsert", identifier: "product", name: "Product", type: "product" };

const product = (number: number) => ({
  intent: "product/upsert",
  resourceIdentifier: `product-${number}`,
  name: `Product ${number}`,
  language: "en",
  shapeIdentifier: "product",
  tree: { parentId: "{{ defaults.rootItemId }}" },
  variants: [{ sku: `sku-${number}`, name: "Variant", isDefault: true }],
});

async function countsOf(
  session: Session,
  client: TenantClient,
  from: number,
  count: number,
): Promise<Counts> {
  const operations = Array.from({ length: count }, (_, i) => product(from + i));
  const id = await pendingFile(client, { version: "1.0.0", operations });
  await session.post("Profiler.takePreciseCoverage"); // starts the counts anew
  await startPending(client, id);
  await ended(client, id); // what reads the log afterwards is not a part of the walk
  const { result } = await session.post("Profiler.takePreciseCoverage");
  const { log } = await finished(client, id);
  const failed = log.find(({ status }) => status !== "success");
  if (failed) throw new Error(`an operation of the walk failed: ${failed.message}`);
  const files = result.flatMap(({ url, functions }) => {
    const path = /\/packages\/(\w+\/src\/.*)/.exec(url)?.[1];
    const ran = functions
      .filter(({ functionName, ranges }) => functionName !== "" && ranges[0]!.count > 0)
      .map(({ functionName, ranges }) => [functionName, ranges[0]!.count] as const);
    return path === undefined || ran.length === 0 ? [] : [[path, new Map(ran)] as const];
  });
  return new Map(files);
}

/**
 * The functions that ran at least once for each of many operations. What the task of one operation runs `n` times may
 * be run `n` times for each batch, and a slow machine makes small batches: only one of the `n` counts in each of them.
 */
function forEachOperation(counts: Counts, ofOne: Counts): Counts {
  const batches = counts.get("service/src/runner/execute/run-batch.ts")?.get("executeIn") ?? 0;
  if (batches === 0) throw new Error("no batch was counted");
  const files = [...counts].map(([path, functions]) => {
    const each = [...functions].filter(([name, count]) => {
      const once = ofOne.get(path)?.get(name) ?? 0;
      return count - batches * Math.max(0, once - 1) >= many - 1;
    });
    return [path, new Map(each)] as const;
  });
  return new Map(files.filter(([, functions]) => functions.size > 0));
}

/** Waits for the end of a task, and asks for no more than its status: queries count as well. */
async function ended(client: TenantClient, id: string): Promise<void> {
  for (let status = ""; status !== "complete" && status !== "error"; ) {
    await setTimeout(100);
    const query = `query ($id: ID!) { bulkTask(id: $id) {
      ... on BulkTaskMassOperation { status } ... on BasicError { error errorName } } }`;
    const { bulkTask } = await client.graphql<{ bulkTask: { status: string } }>(query, { id });
    status = bulkTask.status;
  }
}
