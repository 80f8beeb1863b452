import type { Database, Queries } from "../database.ts";
import {
  appliedMigrations,
  checkSchema,
  migrate,
  migrationFiles,
  schemaName,
  UnknownSchema,
} from "../migrate.ts";
import { MoveRefused, type Side } from "./refused.ts";
import type { TenantTable } from "./tables.ts";

async function refuseUnknown(side: Side, queries: Queries): Promise<void> {
  try {
    await checkSchema(queries);
  } catch (error) {
    if (!(error instanceof UnknownSchema)) throw error;
    throw new MoveRefused(`The ${side} cannot be used: ${error.message}`, { cause: error });
  }
}

/** The migrations of a source. @throws MoveRefused when it has no schema, or an unknown one */
export async function migrationsOfSource(queries: Queries, name: string): Promise<string[]> {
  await refuseUnknown("source", queries);
  const applied = await appliedMigrations(queries);
  if (applied.length > 0) return applied;
  throw new MoveRefused(
    `The source, ${name}, has no tables of Lading: name the data folder or the database of a service.`,
  );
}

/** @throws MoveRefused unless these are exactly this version's migrations */
export async function requireThisSchema(files: readonly string[]): Promise<void> {
  const [has, needs] = [schemaName(files), schemaName(await migrationFiles())];
  if (has === needs) return;
  throw new MoveRefused(
    `The source has the schema ${has}, and a tenant is moved with ${needs} only: migrate the source with ` +
      "`lading migrate`.",
  );
}

/**
 * Brings a target without a schema to the source's, by the same migrations: the source is never changed.
 * @throws MoveRefused when the target has another schema
 */
export async function bringToSchema(target: Database, name: string, files: readonly string[]): Promise<void> {
  await refuseUnknown("target", target);
  const present = await appliedMigrations(target);
  if (present.length === 0) {
    await migrate(target, files);
    return;
  }
  const [from, to] = [schemaName(files), schemaName(present)];
  if (from === to) return;
  throw new MoveRefused(
    `The source has the schema ${from}, and the target, ${name}, has ${to}. ` +
      `Migrate the ${from < to ? "source" : "target"} with \`lading migrate\`, or name a target without tables.`,
  );
}

/** @throws MoveRefused when a source table is missing in the target, or has other columns there */
export function requireSameTables(source: readonly TenantTable[], target: readonly TenantTable[]): void {
  for (const { table, definition } of source) {
    const there = target.find((other) => other.table === table);
    if (there?.definition === definition) continue;
    throw new MoveRefused(
      there === undefined
        ? `The source has a table ${table} with rows of tenants, which the target does not have: it is not Lading's. ` +
            "Move it away."
        : `The table ${table} has the columns ${definition} in the source, and ${there.definition} in the target.`,
    );
  }
}
