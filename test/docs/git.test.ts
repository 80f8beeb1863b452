/** @module-tag release */

import { execFile } from "node:child_process";
import { chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { promisify } from "node:util";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { bin } from "../support/lading.ts";
import { opened } from "../support/opened.ts";
import { listen } from "../support/servers/port.ts";
import { openService } from "../support/service.ts";
import { blocks, page } from "./pages.ts";

interface Step {
  id?: string;
  if?: string;
  uses?: string;
  run?: string;
  env?: Record<string, string>;
  with?: Record<string, string>;
}

const service = opened(() => openService("pglite"));
const workflow = page("examples/git/.github/workflows/shop.yml");
const { jobs } = parse(workflow);
const action = parse(page("deploy/github-action/action.yml"));

test("docs/git.md shows the steps of the example's workflow", () => {
  const [steps = ""] = blocks(page("docs/git.md"), "yaml");
  expect(workflow).toContain(steps);
});

/** GitHub's comments on pull request 7, with comments of people and bots before. */
async function gitHub() {
  const people = Array.from({ length: 130 }, (_, id) => ({
    id,
    user: { type: "User" },
    body: "<!-- lading plan",
  }));
  const comments: { id: number; user: { type: string }; body: string }[] = [...people];
  const tokens = new Set<string | undefined>();
  let refused = false;
  const server = createServer(async (request, response) => {
    tokens.add(request.headers.authorization);
    const url = new URL(request.url ?? "", "http://localhost");
    const body = await text(request);
    const answer = (status: number, value: unknown) => response.writeHead(status).end(JSON.stringify(value));
    const [, id] = /^\/repos\/acme\/shop\/issues\/comments\/(\d+)$/.exec(url.pathname) ?? [];
    if (refused) answer(403, { message: "Resource not accessible by integration" });
    else if (request.method === "PATCH" && id !== undefined)
      answer(200, Object.assign(comments.find((comment) => comment.id === Number(id))!, JSON.parse(body)));
    else if (url.pathname !== "/repos/acme/shop/issues/7/comments") answer(404, {});
    else if (request.method === "POST") {
      const comment = { id: comments.length, user: { type: "Bot" }, ...JSON.parse(body) };
      comments.push(comment);
      answer(201, comment);
    } else {
      const [size, number] = ["per_page", "page"].map((name) => Number(url.searchParams.get(name)));
      answer(200, comments.slice(size! * (number! - 1), size! * number!));
    }
  });
  const port = await listen(server);
  onTestFinished(() => void server.close());
  return {
    url: `http://127.0.0.1:${port}`,
    tokens,
    written: () => comments.slice(people.length).map(({ body }) => body),
    refuse: () => {
      refused = true;
    },
  };
}

/** A checkout of the example with the action, in which steps run as a runner runs them. */
async function checkout(tenant: string, more: Record<string, string> = {}) {
  const folder = await mkdtemp(join(tmpdir(), "lading-workflow-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await cp(new URL("../../examples/git", import.meta.url), folder, { recursive: true });
  const actions = join(folder, ".github/actions/lading");
  await cp(new URL("../../deploy/github-action", import.meta.url), actions, { recursive: true });
  // `npx --yes lading` runs the command of this repository.
  await mkdir(join(folder, "bin"));
  const npx = `#!/bin/sh\nshift 2\nexec "${process.execPath}" "${bin}" "$@"\n`;
  await writeFile(join(folder, "bin/npx"), npx);
  await chmod(join(folder, "bin/npx"), 0o755);
  const access = await service.createTenant({ identifier: tenant, name: tenant });
  const files = { GITHUB_STEP_SUMMARY: join(folder, "summary"), GITHUB_OUTPUT: join(folder, "output") };
  const env = {
    ...process.env,
    ...{ PATH: `${join(folder, "bin")}:${process.env.PATH}`, RUNNER_TEMP: folder, ...files },
    ...{ GITHUB_ACTION_PATH: actions, GITHUB_REPOSITORY: "acme/shop" },
    ...{ LADING_URL: service.url, LADING_ACCESS_TOKEN_ID: access.accessTokenId },
    ...{ LADING_ACCESS_TOKEN_SECRET: access.accessTokenSecret, ...more },
  };
  const run = async (command: string, own: Record<string, string> = {}) => {
    const options = { cwd: folder, env: { ...env, ...own } };
    const { stdout, stderr } = await promisify(execFile)("bash", ["-eo", "pipefail", "-c", command], options);
    return stdout + stderr;
  };
  /** Runs the action's steps; returns what they printed, and the exit code of the one that failed. */
  const plan = async (inputs: Record<string, string>, commit = "c0ffee") => {
    await Promise.all(Object.values(files).map((file) => writeFile(file, "")));
    const defaults = Object.entries<{ default?: string }>(action.inputs).map(([name, of]) => [
      name,
      of.default ?? "",
    ]);
    const given: Record<string, string> = {
      ...Object.fromEntries(defaults),
      ...inputs,
      token: "comment-token",
    };
    const output = async (name: string) =>
      new RegExp(`^${name}=(.*)$`, "m").exec(await readFile(files.GITHUB_OUTPUT, "utf8"))?.[1] ?? "";
    const values: Record<string, string> = {
      "github.event.pull_request.number": "7",
      "github.event.pull_request.head.sha": commit,
    };
    let printed = "";
    for (const step of action.runs.steps as Step[]) {
      if (step.if?.startsWith("steps.plan.outputs.plan") && (await output("plan")) === "") continue;
      const own: Record<string, string> = {};
      for (const [name, text] of Object.entries(step.env ?? {})) {
        const parts = text.split(/\$\{\{ (.*?) \}\}/);
        for (let at = 1; at < parts.length; at += 2) {
          const [, kind, of] = /^(inputs|steps\.plan\.outputs)\.(.*)$/.exec(parts[at]!) ?? [];
          parts[at] = kind === "inputs" ? given[of!]! : kind ? await output(of!) : values[parts[at]!]!;
        }
        own[name] = parts.join("");
      }
      try {
        printed += await run(step.run!, own);
      } catch (error) {
        const { code, stdout, stderr } = error as { code: number; stdout: string; stderr: string };
        return { code, printed: printed + stdout + stderr };
      }
    }
    return { code: 0, printed };
  };
  return { folder, run, plan, access, summary: () => readFile(files.GITHUB_STEP_SUMMARY, "utf8") };
}

let steps: Step[];
beforeAll(() => {
  steps = jobs.shop.steps;
});

test("no step has an expression in its commands", () => {
  for (const step of [...steps, ...action.runs.steps]) expect(step.run ?? "").not.toContain("${{");
});

test("a pull request gets one comment with the plan, and a push applies all", async () => {
  const { url, tokens, written } = await gitHub();
  const { folder, run, plan, access, summary } = await checkout("orchard", { GITHUB_API_URL: url });
  const { uses, with: inputs = {} } = steps.find((step) => step.uses?.startsWith("./"))!;
  expect(uses).toBe("./.github/actions/lading");
  const first = await plan(inputs);
  expect(first.code).toBe(0);
  expect(written()).toEqual([expect.stringContaining("Plan of 2 operations: 2 would be created")]);
  expect(written()[0]).toContain("Of commit c0ffee.");
  expect(await summary()).toContain("## Plan of `operations/001-model.json` for tenant `orchard`");
  expect([...tokens]).toEqual(["Bearer comment-token"]);

  const [apply = ""] = steps.flatMap((step) => step.run ?? []);
  expect(await run(apply)).toContain("2 files run; all files are applied.");

  await cp(join(folder, "003-autumn.json"), join(folder, "operations/003-autumn.json"));
  const second = await plan(inputs, "decaf");
  expect(second.code).toBe(4);
  expect(written()).toEqual([expect.stringMatching(/1 would fail.*Of commit decaf\./s)]);
  for (const { printed } of [first, second])
    for (const secret of [access.accessTokenSecret, "comment-token"]) expect(printed).not.toContain(secret);
});

test("a plan that is refused, or could not be made, is in the comment, and fails the check", async () => {
  const { url, written, refuse } = await gitHub();
  const { folder, plan } = await checkout("refused", { GITHUB_API_URL: url });
  const inputs = { tenant: "refused", refuse: "failures" };
  await rm(join(folder, "operations"), { recursive: true });
  await mkdir(join(folder, "operations"));
  const failing = { intent: "customer/update", identifier: "nobody", firstName: "x" };
  const write = (content: unknown) => writeFile(join(folder, "operations/1.json"), JSON.stringify(content));
  await write({ version: "1.0.0", operations: [failing] });
  expect((await plan(inputs)).code).toBe(7);
  expect(written()).toEqual([expect.stringContaining("**Refused: the plan has failures (1).**")]);
  await write({ version: "1.0.0", operations: [{ intent: "customer/crate" }] });
  expect((await plan(inputs)).code).toBe(2);
  expect(written()).toEqual([expect.stringContaining("The file is invalid: 1 error, 0 warnings.")]);
  const broken = await plan({ tenant: "refused", folder: "$(touch injected); echo" });
  expect(broken.code).toBe(1);
  expect(broken.printed).toContain("there is no folder $(touch injected); echo");
  expect(written().at(-1)).toContain("There is no plan: `lading` ended with exit code 1.");
  await expect(readFile(join(folder, "injected"))).rejects.toThrow("ENOENT");
  refuse();
  const without = await plan(inputs);
  expect(without.code).toBe(1);
  expect(without.printed).toContain("The job needs the permission `pull-requests: write`.");
});

test("a pull request from a fork, which has no secrets, is not planned", async () => {
  const { plan, summary } = await checkout("forked", { LADING_ACCESS_TOKEN_SECRET: "" });
  expect(await plan({ tenant: "forked" })).toEqual({ code: 0, printed: "" });
  expect(await summary()).toContain("Pull requests from forks get no secrets.");
});
