import type { CopiedFiles, Moved, MoveOptions, ServiceOptions } from "@lading/service";
import { embeddedEngines, refusal, settings, settingText } from "@lading/service/settings";
import { errorMessage } from "@lading/service/thrown";
import { type Command, Option } from "commander";
import { type Context, control, count, json, line, oneLine, table } from "../context.ts";
import { toDatabaseUrl } from "../environment.ts";
import { CliError } from "../exit.ts";
import { type CommonFlags, withCommon } from "../options.ts";
import { unlessInterrupted } from "./interruption.ts";
import { advice, describeFiles } from "./move-advice.ts";
import { addSettings, fromEnvironment } from "./settings.ts";

export interface MoveFlags extends CommonFlags, Pick<ServiceOptions, "dataDir" | "databaseUrl"> {
  toDataDir?: string;
  toDatabaseUrl?: string;
  toEngine?: NonNullable<ServiceOptions["engine"]>;
  uploadsToFolder?: boolean;
}

/** Adds the options that name the source and the target of a move. */
export function withEnds(command: Command): Command {
  addSettings(command, [settings.dataDir, settings.databaseUrl]);
  command.option("--to-data-dir <folder>", "data folder to move to: embedded database, uploads, secrets");
  addSettings(command, [toDatabaseUrl]);
  command.addOption(
    new Option(
      "--to-engine <engine>",
      "engine of a new embedded database (default: native where it can run)",
    ).choices(embeddedEngines),
  );
  command.option(
    "--uploads-to-folder",
    "copy uploads out of the bucket LADING_S3_BUCKET to --to-data-dir (default: they stay there)",
  );
  return withCommon(command);
}

/** Moves all data or, with its identifier, one tenant; prints the outcome and what to do next. */
export async function move(context: Context, flags: MoveFlags, tenant?: string): Promise<void> {
  // Loaded only here: the help of all commands does not need it.
  const { moveData, serviceOptions, targetS3Options } = await import("@lading/service");
  // Only the owner may read the files that are made.
  process.umask(0o077);
  const s3 = fromEnvironment(targetS3Options);
  const options = optionsOf(flags, fromEnvironment(serviceOptions), s3, tenant);
  const display = progress(context, flags);
  const moving = moveData({ ...options, ...display }).catch((error: Error) => {
    throw new CliError(`the data cannot be moved: ${error.message}`);
  });
  const moved = await unlessInterrupted(
    moving.finally(display.end),
    context.interrupted,
    "before the data was moved: the target has none of its rows; run the command again",
  );
  const next = advice(moved, options);
  if (flags.json) return json(context.stdout, { tenant: tenant ?? null, ...moved, next });
  if (!context.quiet) printMoved(context, moved, next, tenant);
}

function optionsOf(
  { toDataDir, toDatabaseUrl: given, toEngine, uploadsToFolder, dataDir, databaseUrl }: MoveFlags,
  environment: ServiceOptions,
  toS3: MoveOptions["to"]["s3"],
  tenant: string | undefined,
): MoveOptions {
  if (environment.memory)
    throw new CliError("a database in memory is never moved: it is gone with its service");
  const to = { dataDir: toDataDir, databaseUrl: given ?? addressFromEnvironment(), engine: toEngine };
  if (to.dataDir === undefined && to.databaseUrl === undefined)
    throw new CliError(
      `name the target: --to-data-dir for a folder, --to-database-url or ${toDatabaseUrl.variable} for a server`,
    );
  if (to.engine !== undefined && to.databaseUrl !== undefined)
    throw new CliError("--to-engine is for an embedded database: leave it out with --to-database-url");
  if (uploadsToFolder && (toDataDir === undefined || toS3 !== undefined))
    throw new CliError(
      "--uploads-to-folder needs --to-data-dir, and no bucket to move to (LADING_TO_S3_BUCKET)",
    );
  const { diskReserve, databaseUser, postgresBin, s3 } = environment;
  return {
    from: {
      dataDir: dataDir ?? environment.dataDir ?? settings.dataDir.default,
      databaseUrl: databaseUrl ?? environment.databaseUrl,
      s3,
      postgresBin,
    },
    to: { ...to, diskReserve, databaseUser, postgresBin, s3: toS3, uploadsToFolder },
    tenant,
  };
}

function addressFromEnvironment(): string | undefined {
  let text: string | undefined;
  try {
    text = settingText(toDatabaseUrl, process.env);
  } catch (error) {
    throw new CliError(errorMessage(error));
  }
  const { kind, variable, secret } = toDatabaseUrl;
  // A shell variable that was never set would turn a move to a server into one to a folder.
  if (text === undefined && process.env[variable] === "")
    throw new CliError(`${variable} is empty: give it the address of the server, or unset it`);
  if (text === undefined || kind.accepts(text)) return text;
  throw new CliError(refusal(variable, text, kind, secret));
}

/** Milliseconds between two lines of progress. */
const interval = 100;

const clearLine = control("\r\u001b[2K");

/** Shows the progress as one line of the terminal at standard error; elsewhere nothing. */
function progress({ stderr, quiet }: Context, { interactive, json: asJson }: MoveFlags) {
  const isShown = stderr.isTTY === true && interactive && asJson !== true && !quiet;
  let shownAt = 0;
  const show = (text: string) => {
    if (!isShown || performance.now() - shownAt < interval) return;
    shownAt = performance.now();
    stderr.write(clearLine + oneLine(text).slice(0, (stderr.columns ?? 80) - 1));
  };
  return {
    onRows: (name: string, rows: number) => show(`${name}: ${count(rows)} rows`),
    onFiles: (files: CopiedFiles) => show(`uploads: ${count(files.copied + files.present)}`),
    end: () => void (shownAt > 0 && stderr.write(clearLine)),
  };
}

function printMoved(
  { stdout }: Context,
  moved: Moved,
  next: readonly string[],
  tenant: string | undefined,
): void {
  const rows = moved.tables.reduce((sum, each) => sum + each.rows, 0);
  const what = tenant === undefined ? "All data" : `The tenant ${tenant}`;
  line(stdout, `${what} of ${moved.from} is in ${moved.to}, which has the schema ${moved.schema}.`);
  line(stdout, "Each table has the same number of rows and the same checksum on both sides:");
  line(stdout);
  const body = moved.tables.map((each) => [`  ${each.table}`, count(each.rows)]);
  table(stdout, [["  table", "rows"], ...body, ["  total", count(rows)]], [1]);
  line(stdout);
  line(stdout, describeFiles(moved));
  for (const sentence of next) line(stdout, `- ${sentence}`);
}
