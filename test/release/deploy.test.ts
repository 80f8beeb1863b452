import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { page } from "../docs/pages.ts";
import { createTenant, tenantClient } from "../support/client.ts";
import { freshDatabase } from "../support/database.ts";
import { bin, lading } from "../support/lading.ts";
import { freePort } from "../support/servers/port.ts";
import { startS3 } from "../support/servers/s3.ts";
import { runFile } from "../support/service.ts";

// Starts what the files in `deploy` start, with the same arguments, variables, probes and signals, without a container.

type Environment = Record<string, string>;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "lading-deploy-"));
  return () => rmSync(folder, { recursive: true, force: true });
});

/** Starts `lading` with the arguments and variables of a file, and waits until its probe gets 200. */
async function start(words: readonly string[], env: Environment, probe = "/health/ready") {
  const metrics = env.LADING_METRICS_PORT && { LADING_METRICS_PORT: String(await freePort()) };
  const variables = { LADING_LOG_LEVEL: "warn", LADING_PORT: String(await freePort()), ...env, ...metrics };
  const child = spawn(process.execPath, [bin, ...words], { env: { ...process.env, ...variables } });
  onTestFinished(() => void child.kill("SIGKILL"));
  let said = "";
  child.stderr.on("data", (chunk) => {
    said += chunk;
  });
  const ended = once(child, "exit");
  const url = `http://127.0.0.1:${variables.LADING_PORT}`;
  const isReady = () =>
    fetch(`${url}${probe}`).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isReady())) {
    if (child.exitCode !== null) throw new Error(`It ended with code ${child.exitCode}:\n${said}`);
    await setTimeout(50);
  }
  const stop = async () => {
    const from = performance.now();
    child.kill("SIGTERM");
    const [code] = await ended;
    return { code, seconds: (performance.now() - from) / 1_000 };
  };
  return { url, variables, stop };
}

test("the command of the image serves, and its health check works", async () => {
  const file = readFileSync("deploy/Containerfile", "utf8");
  const words = (line: RegExp): string[] => JSON.parse(line.exec(file)?.[1] ?? "");
  const env: Environment = {};
  for (const [, name, value] of file.matchAll(/\b(LADING_[A-Z_]+)=(\S+)/g))
    env[name!] = value!.replace("/var/lib/lading", folder);
  const service = await start(words(/^CMD (\[.*)$/m), env);
  const [program = "", ...rest] = words(/^HEALTHCHECK .* CMD (\[.*)$/m);
  const check = () =>
    spawnSync(program, rest, { env: { PATH: process.env.PATH, ...service.variables } }).status;

  const checked = [check()];
  const { code, seconds } = await service.stop();
  checked.push(check());

  expect([checked, code]).toEqual([[0, 1], 0]);
  expect(seconds).toBeLessThan(10);
});

test("the unit's command serves, and its signal stops it within the unit's timeout", async () => {
  const unit = readFileSync("deploy/lading.service", "utf8");
  const words = /^ExecStart=\S+\/lading (.*)$/m.exec(unit)?.[1]?.replace("/var/lib/lading", folder) ?? "";
  const env: Environment = {};
  for (const [, name, value] of unit.matchAll(/^Environment=(\w+)=(.*)$/gm))
    if (name !== "LADING_PORT") env[name!] = value!;
  const service = await start(words.split(" "), env);
  const { code, seconds } = await service.stop();
  expect(code).toBe(0);
  expect(seconds).toBeLessThan(Number(/^TimeoutStopSec=(\d+)s$/m.exec(unit)?.[1]));
});

const hasOpenssl = spawnSync("openssl", ["version"]).status === 0;

test.skipIf(!hasOpenssl)(
  "in the cluster the job migrates, the API takes a file and a runner executes it (needs openssl)",
  async () => {
    const objects = ["settings", "migration", "api", "runners"].flatMap((name) =>
      parseAllDocuments(readFileSync(`deploy/kubernetes/${name}.yaml`, "utf8")).map((each) => each.toJS()),
    );
    const container = (name: string) =>
      objects.find(({ metadata }) => metadata.name === name).spec.template.spec.containers[0];
    const [database, store] = [await freshDatabase(), await startS3()];
    onTestFinished(async () => {
      await store.close();
      await database.drop();
    });
    const { bucket, endpoint, accessKeyId, secretAccessKey } = store.options;
    const secrets = secretsOfThePage();
    writeFileSync(join(secrets, "database-url"), `${database.url}\n`);
    writeFileSync(join(secrets, "store-password"), `${secretAccessKey}\n`);
    const settings: Environment = objects.find(({ kind }) => kind === "ConfigMap").data;
    const env: Environment = {
      ...Object.fromEntries(
        Object.entries(settings).map(([name, value]) => [
          name,
          value.replace("/run/secrets/lading", secrets),
        ]),
      ),
      LADING_S3_BUCKET: bucket,
      LADING_S3_ENDPOINT: endpoint ?? "",
      LADING_S3_ACCESS_KEY_ID: accessKeyId ?? "",
      // A pod has no volume.
      LADING_DATA_DIR: "/nonexistent",
    };

    expect(await lading(container("lading-migration").args, env)).toMatchObject({ code: 0, stderr: "" });
    const { httpGet } = container("lading-api").readinessProbe;
    const api = await start(container("lading-api").args, env, httpGet.path);
    const runner = await start(container("lading-runner").args, env, httpGet.path);
    const token = readFileSync(join(secrets, "operator-token"), "utf8").trim();
    const client = tenantClient(api.url, "shop", await createTenant(api.url, token, "shop"));
    const operations = [{ intent: "customer/group/create", identifier: "vip", name: "VIP" }];

    expect(await runFile(client, { version: "1.0.0", operations })).toMatchObject({
      status: "complete",
      progress: { succeeded: 1 },
    });
    expect([(await runner.stop()).code, (await api.stop()).code]).toEqual([0, 0]);
  },
);

/** Creates the secrets with the commands of the page; returns their folder. */
function secretsOfThePage(): string {
  const [, commands] = /```sh\n(install -d [\s\S]*?)```/.exec(page("docs/deploy.md")) ?? [];
  if (commands === undefined) throw new Error("The page makes no secrets");
  mkdirSync(join(folder, "deploy"));
  execFileSync("sh", ["-ec", commands], { cwd: folder });
  return join(folder, "deploy/secrets");
}
