import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { checkOperationFile } from "@lading/schema";
import fc from "fast-check";
import { main } from "lading/main";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { TenantClient } from "../support/client.ts";
import { runs } from "../support/extent.ts";
import { contentModels, type WrittenModel } from "../support/generated/content-models.ts";
import { openService, runFile, serviceEngines, type TestService } from "../support/service.ts";

let service: TestService;
let folder: string;
let tenants = 0;

beforeAll(async () => {
  service = await openService(serviceEngines[0]);
  folder = await mkdtemp(join(tmpdir(), "lading-model-"));
});

afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

interface NewTenant extends TenantClient {
  identifier: string;
}

async function newTenant(): Promise<NewTenant> {
  const identifier = `model-${++tenants}`;
  return { ...(await service.tenant(identifier)), identifier };
}

/** Writes a model as an API client does, without templates. */
async function write({ graphql }: TenantClient, { pieces, shapes }: WrittenModel): Promise<void> {
  for (const [field, type, inputs] of [
    ["createPiece", "CreatePieceInput", pieces],
    ["createShape", "CreateShapeInput", shapes],
  ] as const) {
    for (const input of inputs) {
      const text = `mutation ($input: ${type}!) { ${field}(input: $input) { ... on BasicError { error } ... on ${type.slice(6, 11)} { identifier } } }`;
      const answer = await graphql<Record<string, { error?: string }>>(text, { input });
      expect(answer[field]?.error).toBeUndefined();
    }
  }
}

async function dump({ identifier, access }: NewTenant, ...flags: string[]): Promise<string> {
  const file = join(folder, "dump.json");
  let stderr = "";
  const ignore = { write: () => true };
  const args = ["mass-operation", "dump-content-model", identifier, file, "--force", "--url", service.url];
  const token = ["--token-id", access.accessTokenId, "--token-secret", access.accessTokenSecret];
  const code = await main([...args, ...token, ...flags], {
    stdout: ignore,
    stderr: { write: (text) => (stderr += text) },
    interrupted: new AbortController().signal,
  });
  expect(stderr).toBe("");
  expect(code).toBe(0);
  return readFile(file, "utf8");
}

async function* chunks(text: string) {
  yield Buffer.from(text);
}

test("a dump validates, changes nothing in its tenant, and recreates the model in an empty one", {
  timeout: 300_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(contentModels, async (model) => {
      const [original, copy] = [await newTenant(), await newTenant()];
      await write(original, model);

      const whole = await dump(original);
      expect(await checkOperationFile(chunks(whole))).toMatchObject({ errorCount: 0, warningCount: 0 });
      const again = await runFile(original, whole);
      for (const { message } of again.log) expect(message).toMatch(/^unchanged: (shape|piece) "/);
      expect(await dump(original)).toBe(whole);

      const portable = await dump(original, "--no-item-ids");
      const { progress } = await runFile(copy, portable);
      expect(progress).toMatchObject({ failed: 0, partial: 0 });
      expect(await dump(copy, "--no-item-ids")).toBe(portable);
    }),
    { numRuns: runs(10), endOnFailure: true },
  );
});
