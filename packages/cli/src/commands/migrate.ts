import type { ServiceOptions } from "@lading/service";
import { settings } from "@lading/service/settings";
import { Command } from "commander";
import { type Context, counted, json, line } from "../context.ts";
import { CliError } from "../exit.ts";
import { type CommonFlags, withCommon, withDetails, withExamples } from "../options.ts";
import { unlessInterrupted } from "../start/interruption.ts";
import { addSettings, fromEnvironment } from "../start/settings.ts";

type MigrateFlags = CommonFlags & ServiceOptions & { distribute?: true };

/** `lading migrate`: migrates the database to this version's schema and exits. */
export function command(context: Context): Command {
  const migrating = new Command("migrate")
    .description("Migrates the database to this version's schema and exits.")
    .option(
      "--distribute",
      "distribute the tables by tenant over the workers of a Citus cluster; stop all services first",
    )
    .action((flags: MigrateFlags) => migrate(context, flags));
  addSettings(migrating, [settings.dataDir, settings.databaseUrl]);
  return withExamples(
    withDetails(
      withCommon(migrating),
      "`lading serve` also migrates when it starts; use this to migrate in a separate step. Several processes may " +
        "migrate concurrently: they wait for each other. A database with a newer schema is refused, with code 1.",
    ),
    "lading migrate --database-url postgres://user:password@host/lading",
  );
}

async function migrate(
  context: Context,
  { interactive: _, json: asJson, distribute: distributed, ...flags }: MigrateFlags,
): Promise<void> {
  // Loaded only here: the help of all commands does not need it.
  const { migrateDatabase, serviceOptions } = await import("@lading/service");
  // Only the owner may read an embedded database that is made.
  process.umask(0o077);
  const options = { ...fromEnvironment(serviceOptions), ...flags };
  if (distributed && options.databaseUrl === undefined)
    throw new CliError("--distribute needs a cluster: name its coordinator with --database-url");
  const migrating = migrateDatabase(options, { distributed: distributed ?? false }).catch((error: Error) => {
    throw new CliError(`the database cannot be migrated: ${error.message}`);
  });
  const outcome = await unlessInterrupted(migrating, context.interrupted, "before the database was migrated");
  if (asJson) return json(context.stdout, outcome);
  const { schema, applied } = outcome;
  const done = applied === 0 ? "nothing to do" : `${counted(applied, "migration")} applied`;
  if (context.quiet) return;
  line(context.stdout, `The database has the schema ${schema}: ${done}.`);
  if (outcome.distributed !== undefined)
    line(
      context.stdout,
      `Its tenants are distributed: ${counted(outcome.distributed, "table")} moved to the workers.`,
    );
}
