import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";
import { blocks, page } from "../docs/pages.ts";
import { folderOfTest, serverLocation } from "../moves/locations.ts";
import { bin, lading, type Serving, serve } from "../support/lading.ts";

const text = page("docs/leave-the-laptop.md");
const examples = new URL("../../examples/", import.meta.url).pathname;

test("docs/leave-the-laptop.md works as written, and the held task executes each operation once", async () => {
  const cwd = await folderOfTest();
  const server = await serverLocation("empty");
  const env: Record<string, string> = {
    LADING_CREDENTIALS: join(cwd, "credentials.json"),
    SERVER_URL: server.location.databaseUrl,
  };
  const block = (words: string) => {
    const [found = ""] = blocks(text, `sh ${words}`);
    return found.replaceAll("node_modules/lading/examples/", examples);
  };
  let service: Serving | undefined;
  onTestFinished(async () => void (await service?.stop()));
  /** Starts the service of a block, replacing the previous one. */
  const start = async (words: string) => {
    const [, args = ""] = /^lading serve (.*)$/m.exec(block(words)) ?? [];
    const given = args.replace('"$SERVER_URL"', env.SERVER_URL ?? "").split(" ");
    service = await serve(
      given.map((word) => word.replace(/^\.\//, `${cwd}/`)),
      env,
    );
    [env.LADING_URL, env.NEW_URL] = [service.url, service.url];
  };
  const stop = async () => {
    expect(await service?.stop()).toMatchObject({ code: 0 });
    service = undefined;
  };
  const left = join(cwd, "environment");
  /** Runs the commands of a block in the environment left by the previous one. Returns their output. */
  const run = async (words: string, exitCode = 0) => {
    const program = `trap 'env -0 > "${left}"' EXIT\nlading() { "${process.execPath}" "${bin}" "$@"; }\n${block(words)}`;
    const options = { cwd, env: { ...process.env, ...env } };
    const ended = await promisify(execFile)("sh", ["-e", "-c", program], options).catch((error) => error);
    expect([ended.code ?? 0, ended.stdout + ended.stderr]).toEqual([exitCode, expect.any(String)]);
    for (const [, name = "", value = ""] of readFileSync(left, "utf8").matchAll(/(LADING_\w+)=([^\0]*)\0/g))
      env[name] = value;
    return ended.stdout as string;
  };

  await start("laptop");
  const printed = await run("shop", 6);
  const [, task = ""] = /task ([0-9a-f]{24}) starts/.exec(printed) ?? [];
  const kept = JSON.parse(readFileSync(env.LADING_CREDENTIALS ?? "", "utf8"));
  const { accessTokenId, accessTokenSecret } = kept[env.LADING_URL ?? ""].acme;
  Object.assign(env, { TASK: task, TOKEN_ID: accessTokenId, TOKEN_SECRET: accessTokenSecret });
  await stop();
  await run("copy");

  await start("server");
  await run("resume");
  const operations = JSON.parse(readFileSync(join(examples, "quickstart.json"), "utf8")).operations.length;
  const logged = async () => {
    const args = ["mass-operation", "logs", task, "--tenant", "acme", "--follow", "--json"];
    const { stdout, stderr } = await lading(args, env);
    expect(stdout, stderr).not.toBe("");
    return JSON.parse(stdout).map(({ index }: { index: number }) => index);
  };
  expect(await logged()).toEqual(Array.from({ length: operations }, (_, at) => at));
  await stop();

  await run("back");
  await start("home");
  env.LADING_ACCESS_TOKEN_ID = accessTokenId;
  env.LADING_ACCESS_TOKEN_SECRET = accessTokenSecret;
  expect(await logged()).toHaveLength(operations);
  await stop();
});
