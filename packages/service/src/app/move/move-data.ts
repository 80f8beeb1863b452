import { migrate } from "../../storage/migrate.ts";
import { atSide, MoveRefused } from "../../storage/move/refused.ts";
import {
  bringToSchema,
  migrationsOfSource,
  requireSameTables,
  requireThisSchema,
} from "../../storage/move/schemas.ts";
import { isSameDatabase, refuseActiveTasks, refuseInUse, tenantToMove } from "../../storage/move/source.ts";
import { type TenantTable, tenantTables, withRows } from "../../storage/move/tables.ts";
import { refuseRows, renewStatistics, rowsOfTenant } from "../../storage/move/target.ts";
import type { Cargo, Moved, MoveOptions } from "./cargo.ts";
import { carryRows } from "./carry-rows.ts";
import { type End, isWithin, openSource, openTarget, whileOpen } from "./ends.ts";
import { type Outcome, withOutcome } from "./failures.ts";
import { carrySecrets } from "./secrets.ts";
import { openMovedUploads } from "./uploads.ts";

/**
 * Copies a service's data, or one tenant, to another location in one transaction, and verifies the copy. The source
 * is left unchanged.
 *
 * @throws Error with a message for people: why nothing was moved, or what is left to do
 */
export function moveData(options: MoveOptions): Promise<Moved> {
  const { from, to } = options;
  return withOutcome(async (outcome) => {
    const isEmbedded = from.databaseUrl === undefined && to.databaseUrl === undefined;
    if (isEmbedded && isWithin(from, to))
      throw new MoveRefused(
        "The target is the data folder of the source, or a folder in it: name another with --to-data-dir.",
      );
    return whileOpen(await openSource(from), async (source) => {
      const cargo = await examine(source, options);
      return whileOpen(await openTarget(to), (target) => carry(source, target, cargo, options, outcome));
    });
  });
}

async function carry(
  source: End,
  target: End,
  cargo: Cargo,
  options: MoveOptions,
  outcome: Outcome,
): Promise<Moved> {
  const uploads = await openMovedUploads(options, cargo.tenant?.id);
  await prepare(source, target, cargo);
  // A single tenant moves to a service that has its own secrets.
  const secrets = cargo.tenant === undefined ? await carrySecrets(options) : [];
  // Copies most files before the rows, while no writer has to wait.
  await uploads?.copyNew();
  const rows = await carryRows(source, target, { ...cargo, uploads, outcome, onRows: options.onRows });
  const { schema } = await migrate(target.database);
  await renewStatistics(
    target.database,
    rows.tables.map(({ table }) => table),
  );
  return { from: source.name, to: target.name, schema, ...rows, files: uploads?.copied ?? null, secrets };
}

/** Reads what is to be moved. Refuses a source that is in use or that this version cannot read. */
function examine(source: End, options: MoveOptions): Promise<Cargo> {
  const { tenant: identifier, from } = options;
  const read = atSide("source", () =>
    source.database.copying(async (queries): Promise<Cargo> => {
      const migrations = await migrationsOfSource(queries, source.name);
      if (identifier !== undefined) await requireThisSchema(migrations);
      else if (from.databaseUrl !== undefined)
        await refuseInUse(queries, "The database of the source", "what is written meanwhile would be lost");
      const tenant = identifier === undefined ? undefined : await tenantToMove(queries, identifier);
      // The tables are locked later; now nothing of the target has been made.
      if (tenant !== undefined) await refuseActiveTasks(queries, tenant);
      const all = await tenantTables(queries);
      return {
        migrations,
        tables: all,
        filled: await withRows(queries, all),
        tenant,
      };
    }),
  );
  return read;
}

/** Gives the target the source's schema. Refuses a target that is the source or cannot take the data. */
async function prepare(source: End, target: End, { migrations, filled, tenant }: Cargo): Promise<void> {
  await atSide("source", () =>
    source.database.copying((from) =>
      atSide("target", () =>
        target.database.copying(async (to) => {
          if (await isSameDatabase(from, to))
            throw new MoveRefused(`The source and the target are the same database, ${target.name}.`);
        }),
      ),
    ),
  );
  await atSide("target", async () => {
    await bringToSchema(target.database, target.name, migrations);
    await target.database.copying(async (to) => {
      const there: TenantTable[] = await tenantTables(to);
      requireSameTables(filled, there);
      if (tenant === undefined) await refuseRows(to, there);
      else await rowsOfTenant(to, filled, tenant);
    });
  });
}
