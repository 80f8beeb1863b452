import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { main } from "lading/main";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { openService, serviceEngines, type TestService } from "../support/service.ts";

describe.each(serviceEngines)("the commands, against a service on %s,", (engine) => {
  let service: TestService;
  let folder: string;

  beforeAll(async () => {
    service = await openService(engine);
    folder = await mkdtemp(join(tmpdir(), "lading-commands-"));
  });

  afterAll(async () => {
    await service.close();
    await rm(folder, { recursive: true });
  });

  beforeEach(() => {
    vi.stubEnv("LADING_URL", service.url);
    vi.stubEnv("LADING_OPERATOR_TOKEN", service.operatorToken);
    vi.stubEnv("LADING_CREDENTIALS", join(folder, "credentials.json"));
  });

  afterEach(() => {
    vi.unstubAllEnvs();
  });

  /** Runs a command in this process; returns the JSON that it prints. */
  async function lading(...args: string[]) {
    const text = { stdout: "", stderr: "" };
    const sink = (name: keyof typeof text) => ({ write: (chunk: string) => (text[name] += chunk) });
    const io = { stdout: sink("stdout"), stderr: sink("stderr"), stdin: {} };
    const code = await main([...args, "--json", "--no-interactive"], {
      ...io,
      interrupted: new AbortController().signal,
    });
    return { code, ...text, json: text.stdout === "" ? undefined : JSON.parse(text.stdout) };
  }

  async function file(name: string, content: unknown): Promise<string> {
    const path = join(folder, name);
    await writeFile(path, JSON.stringify(content));
    return path;
  }

  const operations = [
    { intent: "customer/group/create", identifier: "retail" },
    { intent: "customer/group/create", identifier: "retail" },
  ];

  test("tenants are created, listed, shown and deleted", async () => {
    expect(await lading("tenant", "create", "gone")).toMatchObject({ code: 0, json: { tenant: "gone" } });
    const { json: tenants } = await lading("tenant", "list");
    expect(tenants).toContainEqual(expect.objectContaining({ identifier: "gone" }));
    const { json: tenant } = await lading("tenant", "show", "gone");
    expect(tenant).toMatchObject({ identifier: "gone", accessTokens: [{ role: "admin" }] });
    expect(await lading("tenant", "delete", "gone", "--yes")).toMatchObject({ code: 0 });
    expect(await lading("tenant", "show", "gone")).toMatchObject({ code: 1 });
  });

  test("tokens are created, used, and useless once revoked", async () => {
    await lading("tenant", "create", "keys");
    const created = await lading(
      "token",
      "create",
      "keys",
      "--name",
      "ci",
      "--role",
      "reader",
      "--expires",
      "1h",
    );
    const { id, secret } = created.json;
    const token = ["--token-id", id, "--token-secret", secret];
    expect(await lading("login", "keys", ...token)).toMatchObject({
      code: 0,
      json: { accessToken: { name: "ci", role: "reader" } },
    });
    const whoami = await lading("whoami", "--tenant", "keys");
    expect(whoami.json.tokens).toMatchObject([{ tenant: "keys", role: "reader" }]);
    expect(await lading("doctor")).toMatchObject({ code: 0 });
    const { json: tokens } = await lading("token", "list", "keys");
    expect(tokens).toMatchObject([{ name: "first token" }, { id, name: "ci" }]);
    expect(await lading("token", "revoke", "keys", id)).toMatchObject({ code: 0 });
    expect(await lading("login", "keys", ...token)).toMatchObject({ code: 1 });
  });

  test("a file is run; its task can be found with its log, but no longer cancelled", async () => {
    await lading("tenant", "create", "work");
    await lading("tenant", "create", "other");
    const path = await file("groups.json", { version: "1.0.0", operations });
    const run = await lading("mass-operation", "run", "work", path);
    expect(run).toMatchObject({ code: 4, json: { problems: [{ index: 1 }] } });
    expect(run.json.problems[0].place).toMatch(/groups\.json:1:\d+ \/operations\/1/);
    const { id } = run.json.task;
    const status = await lading("mass-operation", "status", id);
    expect(status.json).toMatchObject({ tenant: "work", task: { status: "complete" } });
    const { json: log } = await lading("mass-operation", "logs", id, "--status", "failure", "--follow");
    expect(log).toMatchObject([{ index: 1, statusCode: 409, input: operations[1] }]);
    expect(await lading("mass-operation", "cancel", id)).toMatchObject({ code: 1 });
  });

  test("more failures than allowed end a task", async () => {
    await lading("tenant", "create", "strict");
    const path = await file("groups.json", { version: "1.0.0", operations });
    const { code, json } = await lading("mass-operation", "run", "strict", path, "--max-failures", "0");
    expect(code).toBe(3);
    expect(json.task).toMatchObject({ status: "error", progress: { succeeded: 1, failed: 1 } });
  });

  test("every mutation can be called, with values of the tenant and earlier results", async () => {
    await lading("tenant", "create", "direct");
    const createFolder = `mutation ($input: CreateFolderInput!) { createFolder(language: "en", input: $input) {
      ... on Folder { id } ... on BasicError { error errorName } } }`;
    const createShape = `mutation ($input: CreateShapeInput!) { createShape(input: $input) {
      ... on Shape { identifier } ... on BasicError { error errorName } } }`;
    const folderIn = (parentId: string) => ({
      input: { name: "F", shapeIdentifier: "$shapes[0].createShape.identifier", tree: { parentId } },
    });
    const path = await file("mutations.json", {
      shapes: {
        mutation: createShape,
        target: "core",
        sets: [{ input: { identifier: "shelf", name: "S", type: "folder" } }],
      },
      top: { mutation: createFolder, sets: [folderIn("$root.TENANT_ROOT_ID")] },
      inside: { mutation: createFolder, sets: [folderIn("$top[0].createFolder.id")] },
    });
    const first = await lading("mass-operation", "execute-mutations", "direct", path);
    expect(first).toMatchObject({ code: 0, json: { succeeded: 3, failed: 0 } });
    const second = await lading("mass-operation", "execute-mutations", "direct", path);
    expect(second).toMatchObject({ code: 4, json: { succeeded: 0, failed: 1, notSent: 2 } });
  });

  test("a content model is dumped, and replaces a file only with --force", async () => {
    await lading("tenant", "create", "model");
    const shape = { intent: "shape/create", identifier: "shelf", name: "Shelf", type: "folder" };
    await lading(
      "mass-operation",
      "run",
      "model",
      await file("s.json", { version: "1.0.0", operations: [shape] }),
    );
    const path = join(folder, "model.json");
    const dump = ["mass-operation", "dump-content-model", "model", path];
    expect(await lading(...dump)).toMatchObject({ code: 0, json: { shapes: 1, pieces: 0, operations: 1 } });
    expect(JSON.parse(await readFile(path, "utf8")).operations).toEqual([
      { ...shape, intent: "shape/upsert", components: [] },
    ]);
    expect(await lading(...dump)).toMatchObject({ code: 1, stderr: expect.stringContaining("--force") });
    expect(await lading(...dump, "--force")).toMatchObject({ code: 0 });
  });

  test("a tenant is dumped, and replaces a file only with --force", async () => {
    await lading("tenant", "create", "whole");
    const path = join(folder, "whole.json");
    const dump = ["tenant", "dump", "whole", path];
    expect(await lading(...dump)).toMatchObject({ code: 0, json: { operations: 4, omissions: [] } });
    const { operations } = JSON.parse(await readFile(path, "utf8"));
    expect(operations.map(({ intent }: { intent: string }) => intent)).toEqual([
      ...["language/upsert", "vatType/upsert", "priceVariant/upsert", "stockLocation/upsert"],
    ]);
    expect(await lading("mass-operation", "run", "whole", path)).toMatchObject({ code: 0 });
    expect(await lading(...dump)).toMatchObject({ code: 1, stderr: expect.stringContaining("--force") });

    const customer = { intent: "customer/upsert", identifier: "ada" };
    await writeFile(path, JSON.stringify({ version: "1.0.0", operations: [customer] }));
    await lading("mass-operation", "run", "whole", path);
    await lading(...dump, "--force", "--anonymise", "--only", "customers");
    expect(JSON.parse(await readFile(path, "utf8")).operations).toMatchObject([
      { intent: "customer/upsert", identifier: expect.stringMatching(/^customer-/) },
    ]);
  });

  test("comparing two tenants writes a file that makes the first like the second", async () => {
    const group = (identifier: string) => ({ intent: "customer/group/upsert", identifier, name: identifier });
    for (const [tenant, ...groups] of [
      ["left", "a", "b"],
      ["right", "b", "c"],
    ] as const) {
      await lading("tenant", "create", tenant);
      const operations = groups.map(group);
      const written = await file(`${tenant}.json`, { version: "1.0.0", operations });
      expect(await lading("mass-operation", "run", tenant, written)).toMatchObject({ code: 0 });
    }
    const path = join(folder, "difference.json");
    const diff = ["tenant", "diff", "left", "right"];
    const missing = await lading("tenant", "diff", "left", "nobody", path);
    expect(missing).toMatchObject({ code: 1, stderr: expect.stringContaining("nobody") });
    await expect(readFile(path)).rejects.toThrow("ENOENT");
    expect(await lading(...diff, "--exit-code")).toMatchObject({
      code: 5,
      json: { operations: 1, file: null },
    });
    expect(await lading(...diff, path, "--delete")).toMatchObject({
      code: 0,
      json: { operations: 2, file: path },
    });
    const { operations } = JSON.parse(await readFile(path, "utf8"));
    expect(operations).toEqual([
      { identifier: "c", intent: "customer/group/upsert", name: "c", parents: [] },
      { identifier: "a", intent: "customer/group/delete" },
    ]);
    expect(await lading("mass-operation", "run", "left", path)).toMatchObject({ code: 0 });
    expect(await lading(...diff, "--delete", "--exit-code")).toMatchObject({
      code: 0,
      json: { operations: 0 },
    });
    expect(await lading("tenant", "diff", "left", "left")).toMatchObject({
      code: 0,
      json: { operations: 0 },
    });
    expect(await lading(...diff, path)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining("--force"),
    });
  });
});
