import { spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdir, mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { freshDatabase } from "../../../../test/support/database.ts";
import { unpackPglite } from "../../../../test/support/postgres/pglite-folder.ts";
import { asking, listening, withFolder } from "../../src/app/start-errors.ts";
import { examineDatabase, type ServiceOptions, startService } from "../../src/index.ts";
import { lockFolder } from "../../src/storage/engines/folder-lock.ts";
import { openDataFolder } from "../../src/system/folders.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "lading-start-"));
});
afterEach(() => rm(folder, { recursive: true }));

const source = (file: string) => JSON.stringify(join(import.meta.dirname, "../../src", file));

async function refusal(options: ServiceOptions): Promise<string> {
  return startService({ port: 0, dataDir: folder, logLevel: "silent", ...options }).then(
    async (service) => {
      await service.stop();
      return "it started";
    },
    (error: Error) => error.message,
  );
}

async function server(answer: (socket: Socket) => void): Promise<number> {
  const listening = createServer(answer).listen(0, "127.0.0.1");
  await once(listening, "listening");
  onTestFinished(() => void listening.close());
  return (listening.address() as { port: number }).port;
}

/** PostgreSQL's ErrorResponse with a SQLSTATE (documentation, "Message Formats"). */
function errorResponse(state: string, message: string): Buffer {
  const fields = Buffer.from(`SFATAL\0C${state}\0M${message}\0\0`);
  const head = Buffer.alloc(5, "E");
  head.writeInt32BE(fields.length + 4, 1);
  return Buffer.concat([head, fields]);
}

describe("a data folder that cannot be used", () => {
  const advice = /Make it writable .* or name another folder with --data-dir\.$/;

  test("a data folder is refused with what to do when its file system takes no folders", async () => {
    const message = await refusal({ dataDir: "/proc/nope" });
    expect(message).toContain(
      "The data folder /proc/nope cannot be used: its file system takes no such folder",
    );
    expect(message).toMatch(advice);
  });

  test("a data folder is refused with what to do when it is a file, or a part of its path is one", async () => {
    const file = join(folder, "file");
    await writeFile(file, "");
    expect(await refusal({ dataDir: file })).toContain(`${file} cannot be used: it is a file (EEXIST)`);
    const message = await refusal({ dataDir: join(file, "sub") });
    expect(message).toContain("a part of its path is a file (ENOTDIR)");
    expect(message).toMatch(advice);
  });

  test("a data folder is refused with what to do when the database's folder is a file", async () => {
    await writeFile(join(folder, "database"), "");
    const message = await refusal({});
    expect(message).toContain(`${join(folder, "database")} cannot be used: it is a file (EEXIST)`);
  });

  test.each([
    ["EACCES", "this user has no right to"],
    ["EROFS", "its file system is read-only"],
    ["ENOSPC", "its disk is full"],
  ])("a data folder is refused with what to do when the system says %s", async (code, words) => {
    const error = Object.assign(new Error("x"), { code });
    const refused = withFolder(folder, () => Promise.reject(error));
    await expect(refused).rejects.toThrow(
      `The data folder ${folder} cannot be used: ${words} (${code}). Make`,
    );
  });
});

describe("an address that cannot be listened on", () => {
  test.each([
    ["EADDRINUSE", /Port 80 of 10\.9\.9\.9 is in use by another process .* another port with --port\./],
    ["EACCES", /This user may not listen on port 80 .*Choose one from 1024 on with --port\./],
    ["EADDRNOTAVAIL", /10\.9\.9\.9 is not an address of this machine .* with --host\./],
    ["ENOTFOUND", /cannot listen on 10\.9\.9\.9: .* with --host\./],
  ])("an address to listen on is refused when the system says %s", async (code, words) => {
    const error = Object.assign(new Error("x"), { code });
    const refused = listening({ host: "10.9.9.9", port: 80, setting: "--port" }, () => Promise.reject(error));
    await expect(refused).rejects.toThrow(words);
  });

  test.runIf(process.geteuid?.() === 0)("another user's data folder is refused with both users", async () => {
    const program = `import { openDataFolder } from ${source("system/folders.ts")};
      import { withFolder } from ${source("app/start-errors.ts")};
      await withFolder(${JSON.stringify(folder)}, () => openDataFolder(${JSON.stringify(folder)}))
        .catch((error) => console.log(error.message));`;
    await chmod(folder, 0o755);
    const args = ["--input-type=module", "-e", program];
    const { stdout } = spawnSync(process.execPath, args, {
      uid: 1234,
      gid: 1234,
      cwd: "/",
      encoding: "utf8",
    });
    expect(stdout).toContain(
      `The data folder ${folder} cannot be used: ${folder} belongs to user 0, and this is user 1234 (EACCES). ` +
        "Start the service as that user, change the owner",
    );
  });
});

describe("a database that cannot be used", () => {
  const advice = "The address of the database is --database-url or LADING_DATABASE_URL.";

  test("a database is refused when nothing listens", async () => {
    const message = await refusal({ databaseUrl: "postgres://ann:secret@127.0.0.1:1/none" });
    expect(message).toContain("No PostgreSQL listens at 127.0.0.1:1 (ECONNREFUSED): start it, or correct");
    expect(message).toContain(advice);
    expect(message).not.toContain("secret");
  });

  test.each([
    ["28P01", 'refuses the password of the user "ann": correct it.'],
    ["28000", 'does not let the user "ann" in (no entry): allow it in pg_hba.conf'],
    ["42501", 'The user "ann" may not create tables in the database "shop" (no entry): grant it'],
    ["25006", "is read-only: name the primary server."],
    ["53300", "cannot be used: no entry (53300)."],
  ])("a database is refused when it answers with SQLSTATE %s", async (state, words) => {
    const port = await server((socket) => {
      socket.on("error", () => {});
      socket.on("data", () => socket.end(errorResponse(state, "no entry")));
    });
    const message = await refusal({ databaseUrl: `postgres://ann:secret@127.0.0.1:${port}/shop` });
    expect(message).toContain(words);
    expect(message).toContain(advice);
    expect(message).not.toContain("secret");
  });

  test("a database is refused when the server does not have it, or has no TLS where that is asked for", async () => {
    const fresh = await freshDatabase();
    const url = new URL(fresh.url);
    url.searchParams.set("sslmode", "require");
    expect(await refusal({ databaseUrl: url.href })).toMatch(/cannot be used: .*SSL.* The address of/);
    await fresh.drop();
    const message = await refusal({ databaseUrl: fresh.url });
    expect(message).toContain(`has no database "${fresh.name}": create it, or name another.`);
  });

  test("a database is refused when the certificate of its server is not accepted", async () => {
    const error = Object.assign(new Error("x"), { code: "DEPTH_ZERO_SELF_SIGNED_CERT" });
    const refused = asking("postgres://db.example/shop", 1_000, () => Promise.reject(error));
    await expect(refused).rejects.toThrow(
      "The TLS certificate of PostgreSQL at db.example:5432 is not accepted (DEPTH_ZERO_SELF_SIGNED_CERT): name its authority by sslrootcert",
    );
  });

  test("a database is refused when it does not answer in time", async () => {
    const refused = asking("postgres://db.example/shop", 0, () => Promise.reject(new Error("no word")));
    await expect(refused).rejects.toThrow(
      "PostgreSQL at db.example:5432 has not answered for 0 seconds: check",
    );
  });
});

describe("the data folder", () => {
  const modeOf = async (...path: string[]) => (await stat(join(folder, ...path))).mode & 0o777;

  test("a data folder that Lading made is closed to other users again at the start", async () => {
    const made = join(folder, "a", "b");
    expect(openDataFolder(made)).toBe(false);
    expect([await modeOf("a"), await modeOf("a", "b")]).toEqual([0o700, 0o700]);
    await chmod(made, 0o755);
    expect(openDataFolder(made)).toBe(false);
    expect(await modeOf("a", "b")).toBe(0o700);
  });

  test("a data folder not made by Lading is left unchanged, with a warning", async () => {
    const shared = join(folder, "shared");
    await mkdir(shared);
    await chmod(shared, 0o755);
    expect(openDataFolder(shared)).toBe(true);
    expect(await modeOf("shared")).toBe(0o755);
    expect(await readdir(shared)).toEqual([]);
  });

  test("other users can read nothing in the data folder, not even what an earlier version left", {
    tags: "release",
  }, async () => {
    await chmod(folder, 0o755);
    await unpackPglite(folder);
    const earlier = ["database", "database/pglite", "uploads", "uploads/objects", "uploads/incoming"];
    for (const path of earlier) {
      await mkdir(join(folder, path), { recursive: true });
      await chmod(join(folder, path), 0o755);
    }
    const before = process.umask();
    const service = await startService({ port: 0, dataDir: folder, engine: "pglite", logLevel: "silent" });
    await service.stop();
    expect(process.umask()).toBe(before);
    expect(await modeOf()).toBe(0o755);
    for (const path of earlier) expect(await modeOf(path), path).toBe(0o700);
    for (const name of await readdir(folder))
      expect((await modeOf(name)) & 0o077, `${name} is open to others`).toBe(0);
  });
});

test("a database that a service uses is examined as fine, without advice to stop that service", async () => {
  await mkdir(join(folder, "database", "pglite"), { recursive: true });
  await writeFile(join(folder, "database", "pglite", "PG_VERSION"), "17");
  const unlock = lockFolder(join(folder, "database"));
  onTestFinished(unlock);
  expect(await examineDatabase({ dataDir: folder })).toEqual({
    fine: true,
    detail: "in use by a service, which checked the schema when it started",
  });
});

test("a folder with the databases of two engines is named by the examination", async () => {
  for (const engine of ["pglite", "postgresql"]) {
    await mkdir(join(folder, "database", engine), { recursive: true });
    await writeFile(join(folder, "database", engine, "PG_VERSION"), "18");
  }
  expect(await examineDatabase({ dataDir: folder })).toEqual({
    fine: false,
    detail: expect.stringContaining("has two databases, postgresql (native) and pglite"),
  });
});
