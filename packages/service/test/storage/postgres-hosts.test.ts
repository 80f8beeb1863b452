import { createServer, type Socket } from "node:net";
import { inspect } from "node:util";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { type FreshDatabase, freshDatabase } from "../../../../test/support/database.ts";
import { listen } from "../../../../test/support/servers/port.ts";
import { databaseAddress } from "../../src/settings/database-url.ts";
import { openPostgres } from "../../src/storage/engines/postgres.ts";
import { HostClient, Hosts } from "../../src/storage/engines/postgres-hosts.ts";

describe("a database with several hosts", () => {
  let fresh: FreshDatabase;
  beforeAll(async () => {
    fresh = await freshDatabase();
  });
  afterAll(() => fresh.drop());

  /** The URL of the database, with these hosts before its own. */
  const behind = (...ports: number[]) => {
    const hosts = ports.map((port) => `127.0.0.1:${port},`).join("");
    return fresh.url.replace("@", `@${hosts}`);
  };
  /** A host that handles connections in its own way, and the number of connections requested. */
  const host = async (answer: (socket: Socket) => void) => {
    let asked = 0;
    const server = createServer((socket) => {
      asked++;
      socket.on("error", () => {});
      answer(socket);
    });
    const port = await listen(server);
    onTestFinished(() => void server.close());
    return { port, asked: () => asked };
  };
  const open = (url: string, connections?: number) => {
    const database = openPostgres(url, connections === undefined ? {} : { connections });
    onTestFinished(() => database.close());
    return database;
  };
  const one = "SELECT 1 AS one";

  test("is reached although the first host is down, which only the first connection notices", async () => {
    const down = await host((socket) => socket.destroy());
    const database = open(behind(down.port));
    expect(await database.query(one)).toEqual([{ one: 1 }]);
    await Promise.all(Array.from({ length: 5 }, () => database.query("SELECT pg_sleep(0.05)")));
    expect(down.asked()).toBe(1);
  });

  test("is reached although the first host says nothing, within the time for a connection", {
    tags: "release",
  }, async () => {
    const silent = await host(() => {});
    const began = performance.now();
    expect(await open(behind(silent.port)).query(one)).toEqual([{ one: 1 }]);
    expect(performance.now() - began).toBeLessThan(7_000);
  });

  test("is listened to although the first host is down", async () => {
    const down = await host((socket) => socket.destroy());
    const database = open(behind(down.port));
    const heard = new Promise<string>((resolve, reject) => {
      database.listen("news", resolve).then((stop) => onTestFinished(stop), reject);
      const notify = setInterval(() => void database.query("NOTIFY news, 'ashore'"), 20);
      onTestFinished(() => clearInterval(notify));
    });
    expect(await heard).toBe("ashore");
  });

  test("says of each host why it cannot be used, without the password", async () => {
    const down = await host((socket) => socket.destroy());
    const url = `postgres://ann:secret@127.0.0.1:${down.port},127.0.0.1:1/shop`;
    const error = await open(url)
      .query(one)
      .catch((failure: Error) => failure);
    expect(error).toMatchObject({ code: "08006" });
    expect(String(error)).toContain("None of the hosts of the database can be used: ");
    expect(String(error)).toMatch(/127\.0\.0\.1:1 \(ECONNREFUSED\)/);
    expect(String(error)).not.toContain("secret");
  });

  test("keeps the password out of its error also where all properties of the error are printed", async () => {
    const silent = await host(() => {});
    const address = databaseAddress(`postgres://ann:secret@127.0.0.1:${silent.port}/shop`);
    const error = await new HostClient(new Hosts(address, 50), {}).connect().catch((thrown) => thrown);
    expect(error).toMatchObject({ name: "HostFailure", host: address.hosts[0] });
    expect(inspect(error, { depth: 10 })).not.toContain("secret");
    expect(JSON.stringify({ ...error })).not.toContain("secret");
  });

  test("keeps the settings of its sessions along with those in the URL's options", async () => {
    const options = encodeURIComponent("-c search_path=shop -c timezone=Asia/Tokyo");
    const database = open(`${fresh.url}${fresh.url.includes("?") ? "&" : "?"}options=${options}`);
    const settings = ["search_path", "timezone", "statement_timeout", "idle_in_transaction_session_timeout"];
    const values = settings.map((name) => `current_setting('${name}') AS "${name}"`);
    expect(await database.query(`SELECT ${values.join(", ")}`)).toEqual([
      {
        search_path: "shop",
        timezone: "UTC",
        statement_timeout: "2min",
        idle_in_transaction_session_timeout: "10s",
      },
    ]);
  });

  test("answers immediately for a reason that concerns every host", async () => {
    const wrong = fresh.url.replace(/:[^:@/]+@/, ":wrong@").replace("@", "@127.0.0.1:1,");
    await expect(open(wrong).query(one)).rejects.toMatchObject({ code: "28P01" });
  });

  test("takes no connection to a host that writes nothing, until it does", async () => {
    const admin = open(fresh.url);
    const readOnly = (value: string) =>
      admin.execute(`ALTER DATABASE ${fresh.name} SET default_transaction_read_only = ${value}`);
    await readOnly("on");
    const database = open(`${fresh.url}?target_session_attrs=read-write`);
    await expect(database.query(one)).rejects.toMatchObject({ code: "25006", message: "is read-only" });
    expect(await open(`${fresh.url}?target_session_attrs=primary`).query(one)).toEqual([{ one: 1 }]);
    await readOnly("off");
    expect(await database.query(one)).toEqual([{ one: 1 }]);
  });

  test("loses a connection whose server has become a standby", async () => {
    const database = open(fresh.url, 1);
    const backend = "SELECT pg_backend_pid() AS id";
    const before = await database.query(backend);
    const written = database.transaction(async (transaction) => {
      await transaction.execute("SET TRANSACTION READ ONLY");
      await transaction.execute("CREATE TABLE cargo (id int)");
    });
    await expect(written).rejects.toMatchObject({ code: "25006" });
    expect(await database.query(backend)).not.toEqual(before);
  });
});
