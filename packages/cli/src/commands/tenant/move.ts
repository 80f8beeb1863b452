import { Command } from "commander";
import type { Context } from "../../context.ts";
import { withDetails, withExamples } from "../../options.ts";
import { type MoveFlags, move, withEnds } from "../../start/move.ts";

/** `lading tenant move <tenant>`: one tenant, to the folder or server of another service. */
export function command(context: Context): Command {
  const moving = new Command("move")
    .description("Copies a tenant and all its data to another data folder or server, and compares both.")
    .argument("<tenant>", "the tenant's identifier")
    .action((tenant: string, flags: MoveFlags) => move(context, flags, tenant));
  return withExamples(
    withDetails(
      withEnds(moving),
      "The source keeps the tenant until `lading tenant delete` removes it. The target may have other tenants; " +
        "access tokens keep working there. Writes to the tenant wait; none of its tasks may be running: hold them. " +
        "Services on servers may run; a data folder belongs to one process. Exit codes: those of `lading move-data`.",
    ),
    "lading tenant move acme --database-url postgres://user:password@one/lading --to-data-dir ./copy",
    "LADING_TO_DATABASE_URL=… lading tenant move acme --data-dir ./.lading --to-data-dir /srv/lading",
  );
}
