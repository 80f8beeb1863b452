import { expect } from "vitest";
import type { TenantClient } from "../support/client.ts";
import { runFile, type TestService, tokenHeaders } from "../support/service.ts";

/** The dump of a tenant, which must be complete; `query` has its options. */
export async function dumpOf(client: TenantClient, query = ""): Promise<string> {
  const response = await fetch(`${client.address}/dump.json${query}`, { headers: tokenHeaders(client) });
  const text = await response.text();
  expect(response.status, text).toBe(200);
  JSON.parse(text);
  return text;
}

/** Runs a file and expects every operation to succeed. */
export async function run(client: TenantClient, file: unknown): Promise<void> {
  const task = await runFile(client, file);
  const failed = task.log
    .filter(({ status }) => status !== "success")
    .map(({ index, message, errors }) => ({ index, message, errors }));
  expect({
    status: task.status,
    info: task.info,
    issues: task.issues.filter((i) => i.severity === "error"),
    failed,
  }).toEqual({
    status: "complete",
    info: null,
    issues: [],
    failed: [],
  });
}

export async function restored(
  service: TestService,
  identifier: string,
  dump: string,
): Promise<TenantClient> {
  const client = await service.tenant(identifier);
  await run(client, dump);
  return client;
}
