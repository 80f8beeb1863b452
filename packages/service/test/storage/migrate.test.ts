import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { engines } from "../../../../test/support/engines.ts";
import type { Database } from "../../src/storage/database.ts";
import { checkSchema, migrate, SchemaTooNew } from "../../src/storage/migrate.ts";

describe.each(engines)("the schema on $name", ({ open }) => {
  let database: Database;
  beforeAll(async () => {
    database = await open();
  });
  afterAll(() => database.close());

  test("a schema newer than the service's is refused with both versions, and left as it is", async () => {
    await checkSchema(database);
    await database.execute("INSERT INTO migrations (name) VALUES ('999998.sql'), ('999999.sql')");
    const both =
      /has the schema 999999, which this version of Lading does not know: its own is 0000\d\d\. Start/;
    await expect(checkSchema(database)).rejects.toThrow(both);
    await expect(migrate(database)).rejects.toThrow(SchemaTooNew);
    await database.execute("DELETE FROM migrations WHERE name > '999'");
    await migrate(database);
  });
});
