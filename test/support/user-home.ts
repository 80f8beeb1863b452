import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chmod, cp, mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect } from "vitest";
import manifest from "../../packages/cli/package.json" with { type: "json" };
import { askBroker } from "./broker.ts";

const { platform, arch } = process;

/** True when npm reaches its registry, and where it must: in CI a release is not published without these tests. */
export const hasRegistry =
  Boolean(process.env.CI) ||
  spawnSync("npm", ["ping", "--fetch-retries=0", "--fetch-timeout=5000"]).status === 0;

/** Other versions of Node are packages of npm for these systems only. */
export const hasOtherNodes = hasRegistry && platform === "linux" && ["x64", "arm64"].includes(arch);

/** The oldest Node that the package promises to run on. */
export const oldest = `${manifest.engines.node.replace(">=", "")}.0`;

interface User {
  uid: number;
  gid: number;
}

/** `nobody`, as whom a program can be run by root. */
export const ordinaryUser: User = { uid: 65_534, gid: 65_534 };

/** True if tests can run as that user too: they run as root, in folders that others can read. */
export const hasOrdinaryUser =
  process.getuid?.() === 0 &&
  spawnSync(process.execPath, ["--version"], { ...ordinaryUser, stdio: "ignore" }).status === 0;

const nodes = join(import.meta.dirname, "../../node_modules/.cache/lading-tests/nodes");

export interface RunOptions {
  cwd?: string;
  /** The program of the Node to run it with. */
  node?: string;
  /** The exit code that it must end with. */
  code?: number;
  env?: NodeJS.ProcessEnv;
}

/** A user's home: a release in `Downloads`, a folder `my-shop` of installed packages, npm's cache. */
export interface UserHome {
  home: string;
  folder: string;
  /** The user whose home it is, if it is not the one who runs the test. */
  owner: User | undefined;
  /** The environment of a user who has this home, and the Node of `node` in front on the PATH. */
  environment(node?: string): NodeJS.ProcessEnv;
  /** Runs a program in the folder. Fails unless it ends with `code`. */
  run(program: string, args: readonly string[], options?: RunOptions): { stdout: string; stderr: string };
  /**
   * Gets a Node from npm, with the npm that it came with for the oldest, unless an earlier run did; returns the path of
   * its program.
   */
  installNode(version: string): Promise<string>;
  remove(): Promise<void>;
}

export async function openHome(owner?: User): Promise<UserHome> {
  const home = await mkdtemp(join(tmpdir(), "lading-home-"));
  const folder = join(home, "my-shop");
  await chmod(home, 0o755); // as root, native PostgreSQL runs as another user, who must reach the folder
  await cp(await askBroker("/release"), join(home, "Downloads"), { recursive: true });
  await mkdir(folder);
  if (owner !== undefined) spawnSync("chown", ["-R", `${owner.uid}:${owner.gid}`, home]);
  const environment = (node = process.execPath): NodeJS.ProcessEnv => {
    const isNpm = (name: string) => name.startsWith("npm_") && name !== "npm_config_registry";
    return {
      ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !isNpm(name))),
      PATH: `${join(node, "..")}:${join(node, "../../../.bin")}:${process.env.PATH}`,
      npm_config_cache: join(home, "npm-cache"),
      XDG_CACHE_HOME: join(home, "cache"),
      HOME: home,
      XDG_CONFIG_HOME: join(home, ".config"),
      LADING_CREDENTIALS: join(home, "credentials.json"),
    };
  };
  const run: UserHome["run"] = (program, args, { cwd = folder, node, code = 0, env } = {}) => {
    const options = { cwd, env: { ...environment(node), ...env }, encoding: "utf8", ...owner } as const;
    const { status, stdout, stderr } = spawnSync(program, args, options);
    expect(status, `${program} ${args.join(" ")}\n${stdout}${stderr}`).toBe(code);
    return { stdout, stderr };
  };
  return {
    ...{ home, folder, owner, environment, run },
    installNode: async (version) => {
      const name = `node-${platform}-${arch}`;
      const kept = join(nodes, version);
      if (!existsSync(kept)) {
        await mkdir(nodes, { recursive: true });
        const prefix = await mkdtemp(`${kept}-`);
        await chmod(prefix, 0o755);
        const npm = version === oldest ? ["npm@10"] : [];
        const cache = join(prefix, "npm-cache");
        const install = ["install", "--prefix", prefix, "--cache", cache, `${name}@${version}`, ...npm];
        try {
          const { status, stderr } = spawnSync("npm", install, { env: environment(), encoding: "utf8" });
          expect(status, stderr).toBe(0);
          await rm(cache, { recursive: true });
          // Another file of tests may have been faster.
          await rename(prefix, kept).catch(() => {});
        } finally {
          await rm(prefix, { recursive: true, force: true });
        }
      }
      return join(kept, "node_modules", name, "bin/node");
    },
    remove: () => rm(home, { recursive: true }),
  };
}
