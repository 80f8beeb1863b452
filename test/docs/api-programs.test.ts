/** @module-tag release */

import { spawn, spawnSync } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openService, type TestService } from "../support/service.ts";
import { blocks, page } from "./pages.ts";

const file = "docs/api.md";

let service: TestService;
let environment: Record<string, string>;
let folder: string;

beforeAll(async () => {
  service = await openService("pglite");
  const { access } = await service.tenant("acme");
  folder = await mkdtemp(join(tmpdir(), "lading-programs-"));
  environment = {
    ...{ LADING_URL: service.url, TENANT: "acme", LADING_OPERATOR_TOKEN: service.operatorToken },
    LADING_ACCESS_TOKEN_ID: access.accessTokenId,
    LADING_ACCESS_TOKEN_SECRET: access.accessTokenSecret,
  };
});
afterAll(async () => {
  await service.close();
  await rm(folder, { recursive: true });
});

const has = (program: string) => spawnSync("sh", ["-c", `command -v ${program}`]).status === 0;

/** Splits a shell command into words, with quotes, escaped line ends and variables resolved as a shell does. */
function words(command: string): string[] {
  const parts = command.replaceAll("\\\n", " ").match(/'[^']*'|"[^"]*"|[^\s'"]+/g) ?? [];
  return parts.map((part) => {
    if (part.startsWith("'")) return part.slice(1, -1);
    return part.replaceAll('"', "").replace(/\$(\w+)/g, (_, name) => environment[name] ?? `no ${name}`);
  });
}

/** Sends what curl would send: not every system has it. */
async function curl(command: string): Promise<unknown> {
  const [name, ...rest] = words(command);
  expect(name).toBe("curl");
  const headers: Record<string, string> = { connection: "close" };
  const request: { url?: string; method?: string; body?: string } = {};
  for (let i = 0; i < rest.length; i++) {
    const word = rest[i] as string;
    if (word === "-X") request.method = rest[++i];
    else if (word === "-d") request.body = rest[++i];
    else if (word === "-H") {
      const [, header = "", value = ""] = /^([^:]+): (.*)$/.exec(rest[++i] as string) ?? [];
      headers[header] = value;
    } else request.url = word;
  }
  const { url = "", method = "GET", body = null } = request;
  const response = await fetch(url, { method, headers, body });
  expect(response.status).toBe(200);
  return response.json();
}

describe(file, () => {
  test("docs/api.md: the curl commands are answered", async () => {
    const [core, operator, ...others] = blocks(page(file), "sh curl");
    expect(others).toEqual([]);
    expect(await curl(core as string)).toEqual({
      data: { tenant: { identifier: "acme", languages: [{ code: "en" }] } },
    });
    expect(await curl(operator as string)).toEqual({ data: { tenants: { totalCount: 1 } } });
  });

  test.skipIf(!has("curl") || !has("jq"))(
    "docs/api.md: the commands of an upload print its status and its key (with curl and jq)",
    async () => {
      const [upload = "", ...others] = blocks(page(file), "sh upload");
      expect(others).toEqual([]);
      await writeFile(join(folder, "operations.json"), '{"version": "1.0.0", "operations": []}');
      const shell = spawn("sh", ["-ec", upload], { cwd: folder, env: { ...process.env, ...environment } });
      expect(await text(shell.stdout)).toMatch(/^201\n\S+operations\.json\n$/);
    },
  );

  test("docs/api.md: the program runs a file and prints what became of its operations", async () => {
    const [program, ...others] = blocks(page(file), "ts program");
    expect(others).toEqual([]);
    const [path, operations] = [join(folder, "run.ts"), join(folder, "operations.json")];
    await writeFile(path, program as string);
    const shape = { intent: "shape/create", identifier: "shelf", type: "folder", name: "Shelf" };
    await writeFile(operations, JSON.stringify({ version: "1.0.0", operations: [shape, shape] }));
    const child = spawn(process.execPath, [path, operations], { env: { ...process.env, ...environment } });
    const [output, problems] = await Promise.all([text(child.stdout), text(child.stderr)]);
    expect(output, problems).toMatch(
      /^complete\n0 shape\/create success created shape "shelf"\n1 shape\/create failure .*shelf.*\n$/,
    );
  });
});
