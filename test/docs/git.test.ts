/** @module-tag release */

import { execFile } from "node:child_process";
import { cp, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { bin } from "../support/lading.ts";
import { opened } from "../support/opened.ts";
import { openService } from "../support/service.ts";
import { blocks, page } from "./pages.ts";

const service = opened(() => openService("pglite"));
const workflow = page("examples/git/.github/workflows/shop.yml");

test("docs/git.md shows the steps of the example's workflow", () => {
  const [steps = ""] = blocks(page("docs/git.md"), "yaml");
  expect(workflow).toContain(steps);
});

test("the steps of the example's workflow plan the next file, and apply all", async () => {
  const folder = await mkdtemp(join(tmpdir(), "lading-workflow-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await cp(new URL("../../examples/git", import.meta.url), folder, { recursive: true });
  const access = await service.createTenant({ identifier: "orchard", name: "Orchard" });
  const { jobs } = parse(workflow);
  const values: Record<string, string> = {
    "vars.LADING_URL": service.url,
    "secrets.LADING_ACCESS_TOKEN_ID": access.accessTokenId,
    "secrets.LADING_ACCESS_TOKEN_SECRET": access.accessTokenSecret,
  };
  const env = Object.entries<string>(jobs.shop.env).map(([name, value]) => [
    name,
    values[value.replace(/^\$\{\{ (.*) \}\}$/, "$1")],
  ]);
  const commands: string[] = jobs.shop.steps.flatMap(({ run = [] }) => run);
  const outputs: string[] = [];
  for (const command of commands) {
    const args = command.replace(/^npx --yes lading /, "").split(" ");
    const ran = promisify(execFile)(process.execPath, [bin, ...args], {
      cwd: folder,
      env: { ...process.env, ...Object.fromEntries(env) },
    });
    outputs.push((await ran).stdout);
  }
  expect(outputs).toEqual([
    expect.stringContaining("Plan of 2 operations: 2 would be created"),
    expect.stringContaining("2 files run; all files are applied."),
  ]);
});
