import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { migrateDatabase } from "../../packages/service/src/app/migrate-database.ts";
import { openServerOrCluster } from "../../packages/service/src/storage/engines/citus/cluster.ts";
import { distribute } from "../../packages/service/src/storage/engines/citus/distribute.ts";
import { openPostgres } from "../../packages/service/src/storage/engines/postgres.ts";
import { migrate } from "../../packages/service/src/storage/migrate.ts";
import { createTenant } from "../../packages/service/src/tenants/create.ts";
import { migratedDatabase } from "../support/database.ts";
import { joinCluster } from "../support/postgres/cluster.ts";
import { clusterUrl, createDatabase } from "../support/postgres/create-database.ts";

const onCluster = test.skipIf(clusterUrl === undefined);

const later = `
-- A table, and changes of another.
CREATE TABLE notes (tenant_id text NOT NULL, id text NOT NULL, PRIMARY KEY (tenant_id, id));
ALTER TABLE flows DROP COLUMN meta;
ALTER TABLE customer_groups ADD COLUMN rank int;
ALTER TABLE customer_groups ADD CONSTRAINT customer_groups_rank CHECK (rank > 0);
CREATE INDEX customer_groups_by_rank ON customer_groups (tenant_id, rank);
CREATE FUNCTION ranked(n int) RETURNS boolean LANGUAGE plpgsql AS $$ BEGIN
  n := n + 1;
  RETURN n > 1;
END $$;
`;

onCluster(
  "a later migration changes the tables on all workers, and its own table is distributed",
  async () => {
    const fresh = await migratedDatabase();
    const folder = await mkdtemp(join(tmpdir(), "lading-migrations-"));
    const database = await openServerOrCluster(fresh.url);
    try {
      await cp(join(import.meta.dirname, "../../packages/service/src/storage/migrations"), folder, {
        recursive: true,
      });
      await writeFile(join(folder, "999999.sql"), later);
      // The session of a plan has views of the tables.
      const readMeta = () => database.session("t", (session) => session.query("SELECT meta FROM flows"));
      expect(await readMeta()).toEqual([]);
      expect(await migrate(database, undefined, folder)).toMatchObject({ applied: 1 });
      expect([await distribute(database), await distribute(database)]).toEqual([1, 0]);
      await database.session("t", async (session) => {
        expect(await migrate(database, undefined, folder)).toMatchObject({ applied: 0 });
        expect(await session.query("SELECT tenant_id FROM flows")).toEqual([]);
      });
      await expect(readMeta()).rejects.toThrow('column "meta" does not exist');
      await database.execute(
        "INSERT INTO customer_groups (tenant_id, identifier, parents, created_at, updated_at, rank) VALUES ('t', 'a', '[]', now(), now(), 1)",
      );
      await expect(
        database.execute("UPDATE customer_groups SET rank = 0 WHERE tenant_id = 't'"),
      ).rejects.toThrow("customer_groups_rank");
    } finally {
      await database.close();
      await rm(folder, { recursive: true });
      await fresh.drop();
    }
  },
);

onCluster("a database that has tenants is distributed with them", async () => {
  const fresh = await createDatabase(clusterUrl!, "test");
  await joinCluster(fresh);
  const before = openPostgres(fresh.url);
  await migrate(before);
  const { tenant } = await createTenant(before, { identifier: "acme" });
  const distributed = () => migrateDatabase({ databaseUrl: fresh.url }, { distributed: true });
  await expect(distributed()).rejects.toThrow(/^The database is in use .* Stop its services/);
  await before.close();
  expect((await distributed()).distributed).toBeGreaterThan(40);
  const database = await openServerOrCluster(fresh.url);
  try {
    await expect(createTenant(database, { identifier: "acme" })).rejects.toThrow(
      'A tenant "acme" exists already',
    );
    expect(await database.query("SELECT id FROM items WHERE tenant_id = $1", [tenant.id])).toEqual([
      { id: tenant.rootItemId },
    ]);
    const left = "SELECT logicalrelid FROM pg_dist_partition WHERE pg_relation_size(logicalrelid) > 0";
    expect(await database.query(left)).toEqual([]);
  } finally {
    await database.close();
    await fresh.drop();
  }
});
