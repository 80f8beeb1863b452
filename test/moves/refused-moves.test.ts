import { readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { lockFolder } from "../../packages/service/src/storage/engines/folder-lock.ts";
import { migrationFiles, schemaName } from "../../packages/service/src/storage/migrate.ts";
import { bringToSchema, requireThisSchema } from "../../packages/service/src/storage/move/schemas.ts";
import {
  between,
  connectedTo,
  filled,
  folderOfTest,
  isEmpty,
  type MoveLocation,
  pgliteLocation,
  refusal,
  serverLocation,
  sumsOf,
} from "./locations.ts";

describe("a move is refused with advice, and moves nothing,", () => {
  test("to a target with rows, which it names", async () => {
    const [from, to] = [
      await filled(await serverLocation(), "acme"),
      await filled(await serverLocation(), "shop"),
    ];
    const before = await to.using(sumsOf);
    expect(await refusal(between(from, to))).toMatch(
      /^The target is not empty: it has the tenants shop, rows in .*Name an empty database/,
    );
    expect(await to.using(sumsOf)).toEqual(before);
  });

  test("to the same folder or one in it, or to the same database by another address", async () => {
    const dataDir = await folderOfTest();
    const again = `${dataDir}/../${basename(dataDir)}`;
    for (const same of [again, `${again}/sub`, `${dataDir}/a/b`])
      expect(await refusal({ from: { dataDir }, to: { dataDir: same } })).toContain(
        "The target is the data folder of the source, or a folder in it",
      );
    const server = await filled(await serverLocation(), "acme");
    const address = new URL(server.location.databaseUrl!);
    address.searchParams.set("application_name", "other");
    expect(await refusal({ from: server.location, to: { databaseUrl: address.href } })).toContain(
      "are the same database",
    );
  });

  test("from a folder or a server that is in use", async () => {
    const folder = await pgliteLocation();
    const unlock = lockFolder(join(folder.location.dataDir, "database"));
    const target = await serverLocation();
    expect(await refusal(between(folder, target))).toMatch(/is in use by process \d+ .* Stop that process/);
    unlock();
    const server = await serverLocation();
    await connectedTo(server.location.databaseUrl, "lading");
    expect(await refusal(between(server, target))).toMatch(
      /^The database of the source is in use \(connections: 1 of "lading" from .* Stop its services/,
    );
  });

  test.each([
    ["a newer schema", "999999"],
    ["a schema of before the first release", "000036"],
  ])("when either end has %s", { tags: "release" }, async (_, schema) => {
    const file = `${schema}.sql`;
    const [from, to] = [await filled(await serverLocation(), "acme"), await serverLocation()];
    for (const [side, location] of Object.entries({ target: to, source: from })) {
      await location.using((database) =>
        database.execute("INSERT INTO migrations (name) VALUES ($1)", [file]),
      );
      for (const tenant of [undefined, "acme"])
        expect(await refusal(between(from, to, tenant))).toContain(
          `The ${side} cannot be used: The database has the schema ${schema}`,
        );
      await location.using((database) => database.execute("DELETE FROM migrations WHERE name = $1", [file]));
    }
    await isEmpty(to);
  });

  test("when the target has another schema than the source, or a tenant's source another than this version", async () => {
    const to = await serverLocation();
    const bring = (...files: string[]) => to.using((database) => bringToSchema(database, "it", files));
    const files = await migrationFiles();
    const has = `the target, it, has ${schemaName(files)}`;
    await bring(...files);
    await expect(bring(...files, "999999.sql")).rejects.toThrow(`${has}. Migrate the target with`);
    await expect(bring("000000.sql")).rejects.toThrow(`${has}. Migrate the source with`);
    await requireThisSchema(files);
    await expect(requireThisSchema(["000000.sql"])).rejects.toThrow(
      "migrate the source with `lading migrate`",
    );
  });

  test("from a location without a database, or a database without the tables of Lading", {
    tags: "release",
  }, async () => {
    const to = await serverLocation();
    const nothing = await folderOfTest();
    expect(await refusal({ from: { dataDir: nothing }, to: to.location })).toBe(
      `There is no database in ${nothing}: name the data folder of a service.`,
    );
    expect(await refusal(between(await serverLocation("empty"), to))).toMatch(/has no tables of Lading/);
    const missing = "postgres://nobody@127.0.0.1:1/none";
    expect(await refusal({ from: { databaseUrl: missing }, to: to.location })).toMatch(
      /^No PostgreSQL listens/,
    );
    expect(await refusal({ from: to.location, to: { databaseUrl: missing } })).toMatch(
      /--to-database-url or LADING_TO_DATABASE_URL\.$/,
    );
  });

  test("with a user who cannot create tables in the target, or lock those of the source", {
    tags: "release",
  }, async () => {
    const [from, to] = [await filled(await serverLocation(), "acme"), await serverLocation("empty")];
    const owner = await connectedTo(to.location.databaseUrl);
    const role = `reader_${crypto.randomUUID().replaceAll("-", "")}`;
    await owner.query(`CREATE ROLE ${role} LOGIN PASSWORD 'p'`);
    onTestFinished(async () => void (await owner.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`)));
    const as = ({ location }: MoveLocation) => {
      const url = new URL(location.databaseUrl!);
      [url.username, url.password] = [role, "p"];
      return { databaseUrl: url.href };
    };
    expect(await refusal({ from: from.location, to: as(to) })).toMatch(
      /^The user of the target may not do what a move needs \(.*\): grant it CREATE on the schema, or use the owner of its tables\. Nothing was moved/,
    );
    await from.using((database) => database.script(`GRANT SELECT ON ALL TABLES IN SCHEMA public TO ${role}`));
    expect(await refusal({ from: as(from), to: (await serverLocation()).location })).toMatch(
      /^The user of the source may not do what a move needs \(.*\): use the owner of its tables\./,
    );
    await from.using((database) => database.script(`DROP OWNED BY ${role}`));
  });

  test("to a folder on a full disk, or with its own signing key", {
    tags: "release",
  }, async () => {
    const [from, to] = [await filled(await serverLocation(), "acme"), await serverLocation()];
    const [mine, theirs] = [await folderOfTest(), await folderOfTest()];
    expect(await refusal({ from: from.location, to: { dataDir: theirs, diskReserve: 2 ** 60 } })).toMatch(
      /^The target cannot be used: The disk of .* is full/,
    );
    writeFileSync(join(mine, "signing-key"), "one\n");
    writeFileSync(join(theirs, "signing-key"), "another\n");
    const locations = { from: { ...from.location, dataDir: mine }, to: { ...to.location, dataDir: theirs } };
    expect(await refusal(locations)).toContain("has another signing-key: move that file away");
    expect(readFileSync(join(theirs, "signing-key"), "utf8")).toBe("another\n");
    await isEmpty(to);
  });
});
