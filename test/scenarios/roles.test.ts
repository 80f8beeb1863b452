/** @module-tag release */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { trace } from "@opentelemetry/api";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RunningService, startService } from "../../packages/service/src/index.ts";
import { createTenant, type TenantClient, tenantClient } from "../support/client.ts";
import { type FreshDatabase, freshDatabase } from "../support/database.ts";
import { eventually } from "../support/runner.ts";
import { finished, startFile } from "../support/service.ts";

const file = {
  version: "1.0.0",
  operations: [
    { intent: "customer/upsert", identifier: "ada", firstName: "Ada" },
    { intent: "customer/update", identifier: "nobody", firstName: "x" },
  ],
};

describe("the roles of a service", () => {
  let dataDir: string;
  let database: FreshDatabase;
  let client: TenantClient;
  const services: RunningService[] = [];
  const exporter = new InMemorySpanExporter();

  const start = async (role: "api" | "runner") => {
    const options = { port: 0, dataDir, databaseUrl: database.url, logLevel: "silent", role };
    const service = await startService(options);
    services.push(service);
    return service;
  };
  const text = async (url: string) => {
    const response = await fetch(url, { headers: { connection: "close" } });
    return `${response.status} ${await response.text()}`;
  };

  beforeAll(async () => {
    trace.setGlobalTracerProvider(
      new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }),
    );
    dataDir = await mkdtemp(join(tmpdir(), "lading-roles-"));
    database = await freshDatabase();
    const api = await start("api");
    client = tenantClient(api.url, "shop", await createTenant(api.url, api.operatorToken, "shop"));
  });
  afterAll(async () => {
    await Promise.all(services.map((service) => service.stop()));
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
    trace.disable();
  });

  test("roles other than all need a PostgreSQL server, since the embedded database belongs to one process", async () => {
    for (const role of ["api", "runner"] as const)
      await expect(startService({ port: 0, dataDir, role })).rejects.toThrow("needs a database URL");
    await expect(startService({ role: "both" as never })).rejects.toThrow("all, api, runner");
    await expect(startService({ slots: 0 })).rejects.toThrow(
      "slots is 0; it must be a whole number from 1 to 1000",
    );
    await expect(startService({ lease: 0 })).rejects.toThrow(
      "lease is 0; it must be a whole number from 1000 to 86400000",
    );
  });

  test("a task accepted by an API process waits for a runner, which serves no API", async () => {
    const id = await startFile(client, file);
    expect(await text(`${services[0]?.url}/metrics`)).toContain('lading_tasks{status="started"} 1');
    const runner = await start("runner");
    expect(await finished(client, id)).toMatchObject({
      status: "complete",
      progress: { succeeded: 1, failed: 1 },
    });
    expect(await text(`${runner.url}/health/ready`)).toBe('200 {"status":"ready"}');
    expect((await fetch(`${runner.url}/@shop`, { method: "POST" })).status).toBe(404);
    expect((await fetch(`${runner.url}/uploads`, { method: "POST" })).status).toBe(404);
    const metrics = await text(`${runner.url}/metrics`);
    expect(metrics).toContain('lading_operations_total{intent="customer/upsert",status="success"} 1');
    expect(metrics).toContain('lading_operations_total{intent="customer/update",status="failure"} 1');
    expect(metrics).toContain('lading_tasks{status="complete"} 1');
    expect(metrics).toContain("lading_batch_duration_seconds_count 1");
  });

  test("a runner traces each task and each of its batches, with the ids of the task and the tenant", async () => {
    const id = await finished(client, await startFile(client, file));
    const spans = await eventually(
      async () => exporter.getFinishedSpans().filter((span) => span.attributes["lading.task"] === id.id),
      (found) => found.length >= 3,
    );
    const named = (name: string) => spans.find((span) => span.name === name);
    expect(named("validate task")?.attributes["lading.tenant"]).toBe(client.access.tenant.id);
    expect(named("batch")?.parentSpanContext?.spanId).toBe(named("execute task")?.spanContext().spanId);
  });

  test("a stopped runner releases its task, and another one resumes it", async () => {
    const operations = Array.from({ length: 20_000 }, (_, i) => ({
      intent: "customer/group/upsert",
      identifier: `g${i}`,
      name: "n",
    }));
    const id = await startFile(client, { version: "1.0.0", operations });
    const other = await start("runner");
    await eventually(
      async () => (await client.graphql<Progress>(progressQuery, { id })).bulkTask.progress.processed,
      (processed) => processed > 0,
    );
    await services[1]?.stop();
    const task = await finished(client, id);
    expect(task).toMatchObject({ status: "complete", progress: { succeeded: 20_000 } });
    expect(await text(`${other.url}/health/live`)).toContain("live");
  });
});

interface Progress {
  bulkTask: { progress: { processed: number } };
}

const progressQuery = `query ($id: ID!) { bulkTask(id: $id) { ... on BulkTaskMassOperation { progress { processed } }
  ... on BasicError { error } } }`;
