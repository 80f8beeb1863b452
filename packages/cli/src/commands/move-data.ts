import { Command } from "commander";
import type { Context } from "../context.ts";
import { withDetails, withExamples } from "../options.ts";
import { type MoveFlags, move, withEnds } from "../start/move.ts";

/** `lading move-data`: all data of a service, to another folder or server. */
export function command(context: Context): Command {
  const moving = new Command("move-data")
    .description("Copies all data of a service to another data folder or server, and compares both.")
    .action((flags: MoveFlags) => move(context, flags));
  return withExamples(
    withDetails(
      withEnds(moving),
      "Stop the source's services first; the source stays as it is. The target must have no rows. Either all rows are " +
        "copied or none, so a failed command can be run again. Secrets are copied if --to-data-dir " +
        "names a folder; uploads to that folder or to the bucket LADING_TO_S3_BUCKET. Exit codes: 0 all is in the target, 1 it is not, 130 after Ctrl-C.",
    ),
    "lading move-data --to-data-dir /srv/lading --to-engine native   # out of ./.lading",
    "LADING_TO_DATABASE_URL=… lading move-data --data-dir ./.lading",
    "lading move-data --database-url postgres://user:password@old/lading --to-data-dir ./copy",
  );
}
