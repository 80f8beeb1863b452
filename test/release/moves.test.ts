import { execFile } from "node:child_process";
import { join } from "node:path";
import { Readable } from "node:stream";
import { promisify } from "node:util";
import { describe, expect, onTestFinished, test } from "vitest";
import { moveData } from "../../packages/service/src/index.ts";
import type { Database } from "../../packages/service/src/storage/database.ts";
import { openEmbedded } from "../../packages/service/src/storage/engines/embedded.ts";
import { installedPackage } from "../../packages/service/src/storage/engines/native/binaries.ts";
import { openPostgres } from "../../packages/service/src/storage/engines/postgres.ts";
import { openFileStore } from "../../packages/service/src/uploads/file-store.ts";
import { openS3Store, s3Bucket } from "../../packages/service/src/uploads/s3-store.ts";
import { blocks, page } from "../docs/pages.ts";
import { finishedTasks } from "../fixtures/halfway-tasks.ts";
import { copyFixture, fixtureOfThisVersion, openFixture } from "../fixtures/open.ts";
import { holdMoveAndResume } from "../moves/held-task.ts";
import { folderOfTest, serverLocation, sumsOf } from "../moves/locations.ts";
import { bin, lading, serve } from "../support/lading.ts";
import { startS3 } from "../support/servers/s3.ts";

const hasNative = (() => {
  try {
    return installedPackage() !== undefined;
  } catch {
    return false;
  }
})();

/** The checksums of a database, by folder or URL. */
async function sumsAt({ dataDir, databaseUrl }: { dataDir?: string; databaseUrl?: string }) {
  const open = async (): Promise<Database> =>
    databaseUrl === undefined
      ? (await openEmbedded(join(dataDir ?? "", "database"))).database
      : openPostgres(databaseUrl);
  const database = await open();
  return sumsOf(database).finally(() => database.close());
}

describe("the database of a killed service", () => {
  test("moves to a server, where the killed task resumes and executes each operation once", async () => {
    const copy = await copyFixture(await fixtureOfThisVersion(), "pglite");
    onTestFinished(() => copy.remove());
    const [server, dataDir] = [await serverLocation("empty"), await folderOfTest()];
    const to = { dataDir, databaseUrl: server.location.databaseUrl };
    const moved = await moveData({ from: { dataDir: copy.dataDir }, to });
    expect(moved.unfinishedTasks).toBeGreaterThan(0);
    const service = await openFixture({ ...copy, ...to });
    const tasks = await finishedTasks(service.halfway);
    expect(tasks.map(({ status }) => status)).not.toContain("error");
    for (const { log, progress } of tasks) {
      expect(log.map(({ index }) => index)).toEqual(
        Array.from({ length: progress.total ?? -1 }, (_, i) => i),
      );
    }
    await service.close();
    // Each move pins tasks and their pictures to new copies of the files, after comparing them.
    const pinned = { bulk_tasks: expect.any(String), task_pictures: expect.stringMatching(/^1 rows: /) };
    const sums = { ...(await sumsAt(to)), ...pinned };

    // Through all engines: every table is the same on each.
    const engines = hasNative ? (["native", "pglite"] as const) : (["pglite"] as const);
    let from: { dataDir: string; databaseUrl?: string } = to;
    for (const engine of engines) {
      const next = { dataDir: await folderOfTest() };
      await moveData({ from, to: { ...next, engine } });
      expect(await sumsAt(next), engine).toEqual(sums);
      from = next;
    }
  });
});

test("a task held, moved from PGlite to a server and to a folder, and resumed executes each operation once", () =>
  holdMoveAndResume("pglite", "postgresql", hasNative ? "native" : "pglite"));

/** Runs the lines of a page's block that call `lading move-data` or `lading tenant move`, in a folder. */
async function runBlock(words: string, cwd: string, env: Record<string, string>): Promise<string[]> {
  const [block = ""] = blocks(page("docs/move.md"), words);
  const lines = block.split("\n").filter((line) => !/^lading serve/.test(line));
  const program = `lading() { "${process.execPath}" "${bin}" "$@"; }\n${lines.join("\n")}`;
  const ended = await promisify(execFile)("sh", ["-e", "-c", program], {
    cwd,
    env: { ...process.env, ...env },
  });
  expect(ended.stderr).toBe("");
  return ended.stdout.split("\n");
}

/** The arguments of the line of a page's block that starts the new service. */
function serveArguments(words: string, cwd: string, url: string): string[] {
  const line = /^lading serve (.*)$/m.exec(blocks(page("docs/move.md"), words)[0] ?? "")?.[1] ?? "";
  const args = line.replaceAll('"$SERVER_URL"', url).split(" ");
  return args.map((word) => word.replace(/^\.\//, `${cwd}/`));
}

test("docs/move.md: moving a laptop's data and one tenant works as written", async () => {
  const cwd = await folderOfTest();
  const dataDir = join(cwd, ".lading");
  const env = { LADING_CREDENTIALS: join(cwd, "credentials.json") };
  const laptop = await serve(["--data-dir", dataDir, "--engine", "pglite"], env);
  const operator = ["--url", laptop.url, "--data-dir", dataDir];
  expect(await lading(["tenant", "create", "acme", ...operator], env)).toMatchObject({ code: 0 });
  const busy = await lading(["move-data", "--data-dir", dataDir, "--to-data-dir", join(cwd, "no")], env);
  expect([busy.code, busy.stderr]).toEqual([1, expect.stringContaining("is in use by process")]);
  await laptop.stop();

  const [server, other] = [await serverLocation("empty"), await serverLocation("empty")];
  const url = server.location.databaseUrl;
  const said = await runBlock("sh move", cwd, { ...env, SERVER_URL: url });
  expect(said[0]).toMatch(
    /^All data of PGlite in \.\/\.lading is in PostgreSQL at .*, which has the schema \d+\.$/,
  );
  const moved = await serve(serveArguments("sh move", cwd, url), env);
  const token = ["--url", moved.url, "--data-dir", join(cwd, "handover")];
  const listed = await lading(["tenant", "list", ...token, "--json"], env);
  expect(listed).toMatchObject({ code: 0, stdout: expect.stringContaining('"acme"') });

  await runBlock("sh tenant", cwd, { ...env, SOURCE_URL: url, TARGET_URL: other.location.databaseUrl });
  expect(Object.keys(await sumsAt(other.location))).toEqual(
    expect.arrayContaining(["tenants", "access_tokens"]),
  );
  await moved.stop();
});

test("docs/move.md: moving uploads into a bucket works as written", async () => {
  const s3 = await startS3();
  onTestFinished(() => s3.close());
  const [cwd, server] = [await folderOfTest(), await serverLocation("empty")];
  const first = await serve(["--data-dir", join(cwd, ".lading"), "--engine", "pglite"]);
  await first.stop();
  const store = await openFileStore(join(cwd, ".lading/uploads"));
  await store.put("t/media/k/a.png", Readable.from([Buffer.from("image")]), { maxBytes: 10 });
  const { endpoint = "", accessKeyId = "", secretAccessKey = "" } = s3.options;
  await fetch(`${endpoint}/uploads`, { method: "PUT", headers: { connection: "close" } });
  const said = await runBlock("sh bucket", cwd, {
    SERVER_URL: server.location.databaseUrl,
    S3_URL: endpoint,
    S3_KEY: accessKeyId,
    S3_SECRET: secretAccessKey,
  });
  expect(said).toContain("Copied: 1 upload of 5 bytes.");
  expect(said).toContainEqual(
    expect.stringMatching(/^- The uploads are in the bucket uploads: .* LADING_S3_… /),
  );
  const bucket = await openS3Store(s3Bucket({ ...s3.options, bucket: "uploads" }));
  expect(await bucket.stat("t/media/k/a.png")).toMatchObject({ bytes: 5 });
});

test.skipIf(!hasNative)(
  "docs/move.md: moving from PGlite to native PostgreSQL works as written (needs native)",
  async () => {
    const cwd = await folderOfTest();
    const dataDir = join(cwd, ".lading");
    const first = await serve(["--data-dir", dataDir, "--engine", "pglite"]);
    await first.stop();
    await runBlock("sh engines", cwd, {});
    const second = await serve(serveArguments("sh engines", cwd, ""));
    expect(await second.said(/native PostgreSQL/)).toBeTruthy();
    await second.stop();
  },
);
