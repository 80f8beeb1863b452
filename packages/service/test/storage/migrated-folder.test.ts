/** @module-tag release */

import { PGlite } from "@electric-sql/pglite";
import { expect, test } from "vitest";
import { describeSchema } from "../../scripts/describe-schema.ts";
import { typeParsers } from "../../src/storage/database.ts";
import { openPgliteInMemory, pgliteDatabase } from "../../src/storage/engines/pglite.ts";
import { migrate } from "../../src/storage/migrate.ts";

test("the migrated folder has the schema of the migrations; `npm run generate` renews it", async () => {
  const packed = await openPgliteInMemory();
  const fresh = await pgliteDatabase(await PGlite.create({ parsers: Object.fromEntries(typeParsers) }));
  await migrate(fresh);
  expect(await describeSchema(packed)).toBe(await describeSchema(fresh));
  await Promise.all([packed.close(), fresh.close()]);
});
