import { readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import fc from "fast-check";
import { expect, onTestFinished, test } from "vitest";
import { moveData } from "../../packages/service/src/index.ts";
import type { Database } from "../../packages/service/src/storage/database.ts";
import { guardDisk } from "../../packages/service/src/storage/engines/disk-guard.ts";
import { DiskFull } from "../../packages/service/src/storage/engines/disk-space.ts";
import { openPostgres } from "../../packages/service/src/storage/engines/postgres.ts";
import { copySequences, copyTables } from "../../packages/service/src/storage/move/copy-tables.ts";
import { tenantTables } from "../../packages/service/src/storage/move/tables.ts";
import { openFileStore } from "../../packages/service/src/uploads/file-store.ts";
import {
  between,
  cuttable,
  filled,
  fillTenant,
  folderOfTest,
  isEmpty,
  pgliteLocation,
  refusal,
  serverLocation,
  sumsOf,
} from "../moves/locations.ts";
import { openTestPglite } from "../support/engines.ts";
import { eventually, silent } from "../support/runner.ts";

test.each(["source", "target"] as const)(
  "cutting the connection to the %s halfway leaves no row, and the same move then succeeds",
  async (side) => {
    const [from, to] = [await filled(await serverLocation(), "acme"), await serverLocation()];
    const way = await cuttable((side === "source" ? from : to).location.databaseUrl!);
    const onRows = (table: string) => table === "operation_log_blocks" && way.cut();
    const locations = { from: from.location, to: to.location, [side === "source" ? "from" : "to"]: way };
    expect(await refusal({ ...locations, onRows })).toMatch(
      new RegExp(`^The ${side} was lost \\(.*\\)\\. Nothing was moved: .* Run the command again\\.$`),
    );
    await isEmpty(to);
    await moveData(between(from, to));
    expect(await to.using(sumsOf)).toEqual(await from.using(sumsOf));
  },
);

test("a source without rows makes a target without rows", async () => {
  const [from, to] = [await serverLocation(), await serverLocation("empty")];
  expect((await moveData(between(from, to))).tables).toEqual([]);
  expect(await to.using(sumsOf)).toEqual({});
});

test("a disk that fills up halfway ends the move, and the target has no row", async () => {
  const from = await filled(await serverLocation(), "acme");
  const guard = { folder: tmpdir(), reserve: 0, logger: silent, abandon: () => {} };
  const source = openPostgres(from.location.databaseUrl!);
  onTestFinished(() => source.close());
  const target = guardDisk(await openTestPglite(), guard);
  const copied = source.copying(async (out) => {
    const tables = await tenantTables(out);
    return target.copying((into) =>
      copyTables(out, into, tables, (table) => {
        if (table === "items") guard.reserve = 2 ** 60;
      }),
    );
  });
  const failure = await copied.catch((error: Error) => error);
  expect(failure).toMatchObject({ side: "target", cause: expect.any(DiskFull) });
  guard.reserve = 0;
  expect(await sumsOf(target)).toEqual({});
  await target.close();
});

test("a table that differs afterwards ends the move with its name, and the target has no row", async () => {
  const [from, to] = [await filled(await serverLocation(), "acme"), await serverLocation()];
  await to.using((database) =>
    database.script(`
      CREATE FUNCTION spoil() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN NEW.sku = 'x'; RETURN NEW; END $$;
      CREATE TRIGGER spoil BEFORE INSERT ON subscription_contracts FOR EACH ROW EXECUTE FUNCTION spoil()`),
  );
  expect(await refusal(between(from, to))).toMatch(
    /^The table subscription_contracts is not the same on both sides: the source has 1 rows with the checksum -?\d+/,
  );
  await isEmpty(to);
});

/** The checksums of a database, and the position of its sequence. */
const state = async (database: Database) => ({
  sums: await sumsOf(database),
  sequence: await database.query("SELECT last_value, is_called FROM bulk_task_start_order"),
});

test("all rows, sequences, files and secrets move from PGlite to PostgreSQL and back", async () => {
  const first = await pgliteLocation();
  const { dataDir } = first.location;
  for (const name of ["signing-key", "operator-token"])
    writeFileSync(join(dataDir, name), `${name} of mine\n`);
  const store = await openFileStore(join(dataDir, "uploads"));
  const key = "id-acme/mass-operations/k/f.json";
  const { etag } = await store.put(key, Readable.from([Buffer.from("{}")]), { maxBytes: 10 });
  const { sums, sequence } = await first.using(async (database) => {
    for (const tenant of ["acme", "shop"]) await fillTenant(database, tenant);
    await database.execute("UPDATE bulk_tasks SET etag = $1", [etag]);
    return state(database);
  });

  const folder = await folderOfTest();
  const server = await serverLocation("empty");
  const files = { copied: 1, bytes: 2, present: 0 };
  const moved = await moveData({ from: first.location, to: { ...server.location, dataDir: folder } });
  expect(moved).toMatchObject({ files, secrets: ["operator-token", "signing-key"], unfinishedTasks: 2 });
  expect(
    Object.fromEntries(moved.tables.map((each) => [each.table, `${each.rows} rows: ${each.checksum}`])),
  ).toEqual(sums);
  expect(readFileSync(join(folder, "signing-key"), "utf8")).toBe("signing-key of mine\n");
  expect(statSync(join(folder, "signing-key")).mode & 0o777).toBe(0o600);
  // The file's copy has another time, to which its task is pinned; the other tenant's task has no file.
  const copy = await (await openFileStore(join(folder, "uploads"))).stat(key);
  const pinned = await server.using((database) =>
    database.query("SELECT tenant_id AS tenant, etag FROM bulk_tasks ORDER BY 1"),
  );
  expect(pinned).toEqual([
    { tenant: "id-acme", etag: copy?.etag },
    { tenant: "id-shop", etag },
  ]);
  await server.using((database) => database.execute("UPDATE bulk_tasks SET etag = $1", [etag]));
  expect(await server.using(sumsOf)).toEqual(sums);

  const back = await pgliteLocation();
  await moveData(between(server, back));
  expect(await back.using(state)).toEqual({ sums, sequence });
});

test("a sequence continues after the source's, without duplicates for concurrent callers", async () => {
  const [from, to] = [await serverLocation(), await serverLocation()];
  const [source, target] = [openPostgres(from.location.databaseUrl), openPostgres(to.location.databaseUrl)];
  onTestFinished(() => Promise.all([source.close(), target.close()]).then(() => {}));
  const name = "bulk_task_start_order";
  const last = async (database: Database) =>
    (await database.query<{ value: number }>(`SELECT last_value AS value FROM ${name}`))[0]?.value;
  const copy = () => source.copying((out) => target.copying((into) => copySequences(out, into)));
  await source.query(`SELECT setval('${name}', 10)`);
  let copying: Promise<void> | undefined;
  await target.transaction(async (transaction) => {
    // Others can now read the sequence, but not advance it.
    await transaction.execute(`ALTER SEQUENCE ${name} OWNED BY NONE`);
    copying = copy();
    await eventually(
      () => target.query("SELECT FROM pg_locks WHERE NOT granted AND relation = $1::regclass", [name]),
      (rows) => rows.length > 0,
    );
    await transaction.query(`SELECT count(nextval('${name}')) FROM generate_series(1, 20)`);
  });
  await copying;
  expect(await last(target)).toBeGreaterThanOrEqual(20);
  await source.query(`SELECT setval('${name}', 1000)`);
  await copy();
  await copy();
  expect(await last(target)).toBe(1000);
});

test("both ends have the same texts, numbers and bytes afterwards", async () => {
  const from = await filled(await serverLocation(), "acme");
  const special = fc.constantFrom("\t", "\n", "\r", "\\", "N", ".", '"', "{", ",");
  const text = fc
    .array(fc.oneof(special, fc.string({ unit: "binary", maxLength: 2 })))
    .map((parts) => parts.join("").replaceAll("\0", ""));
  const row = fc.tuple(text, fc.double({ noDefaultInfinity: true, noNaN: true }), fc.uint8Array());
  const rows = fc.sample(row, 300);
  const column = (number: 0 | 1) => rows.map((each) => String(each[number]));
  const bytes = rows.map((each) => Buffer.from(each[2]).toString("hex"));
  const [source, target] = [openPostgres(from.location.databaseUrl!), await openTestPglite()];
  onTestFinished(() => Promise.all([source.close(), target.close()]).then(() => {}));
  await source.transaction(async (database) => {
    await database.execute(
      `INSERT INTO operation_log_blocks (tenant_id, task_id, first_index, end_index, intents, actions, statuses, counts,
         raw_bytes, entries)
       SELECT 't', text, n, n + 1, ARRAY[text], '{a}', '{a}', '{1}', 0, decode(bytes, 'hex')
       FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS v (text, bytes, n)`,
      [column(0), bytes],
    );
    await database.execute(
      `INSERT INTO subscription_contract_usages (tenant_id, id, contract_id, metered_variable_identifier, quantity,
         description, created_at)
       SELECT 'id-acme', 'more' || n, 'c', 'm', number::float8, text, now()
       FROM unnest($1::text[], $2::text[]) WITH ORDINALITY AS v (text, number, n)`,
      [column(0), column(1)],
    );
  });
  await source.copying(async (out) => {
    const tables = await tenantTables(out);
    await target.copying((into) => copyTables(out, into, tables, () => {}));
  });
  expect(await sumsOf(target)).toEqual(await sumsOf(source));
});
