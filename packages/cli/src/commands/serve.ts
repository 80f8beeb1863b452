import { once } from "node:events";
import type { RunningService, ServiceOptions } from "@lading/service";
import { allSettings, settings } from "@lading/service/settings";
import { errorMessage } from "@lading/service/thrown";
import { Command } from "commander";
import { type Context, line, note } from "../context.ts";
import { strayVariables } from "../environment.ts";
import { CliError } from "../exit.ts";
import { type CommonFlags, withCommon, withDetails, withExamples } from "../options.ts";
import { unlessInterrupted } from "../start/interruption.ts";
import { whenLauncherEnds } from "../start/launcher.ts";
import { addSettings, fromEnvironment } from "../start/settings.ts";

/** `lading serve`: runs the service in this process until Ctrl-C. */
export function command(context: Context): Command {
  const serving = new Command("serve")
    .description("Starts the service: API, uploads and runner in one process.")
    .action((flags: CommonFlags & ServiceOptions) => serve(context, flags));
  addSettings(serving, allSettings);
  return withExamples(
    withDetails(
      withCommon(serving),
      "Other settings come from the environment only; docs/operations.md lists them all.",
    ),
    "lading serve   # http://127.0.0.1:4000, embedded database in ./.lading",
    "lading serve --port 8080 --data-dir /var/lib/lading --public-url https://lading.example.com",
    "lading serve --database-url postgres://user:password@host/lading",
  );
}

async function serve(
  context: Context,
  { interactive: _, json: asJson, ...flags }: CommonFlags & ServiceOptions,
): Promise<void> {
  // Loaded only here: the other commands do not need the service.
  const { keepHeapSmall, serviceOptions, startService } = await import("@lading/service");
  for (const warning of await strayVariables()) line(context.stderr, `warning: ${warning}`);
  // Only the owner may read the files of the service.
  process.umask(0o077);
  const options = { ...fromEnvironment(serviceOptions), ...flags };
  if (options.memory && !options.operatorToken)
    throw new CliError(
      `set ${settings.operatorToken.variable} too: a service in memory writes no token that a command could read`,
    );
  const onNewDatabase = (folder: string) =>
    note(context, `Creating the database in ${folder}; only the first start takes this long.`);
  const starting = startService(options, { onNewDatabase }).catch((error: Error) => {
    throw new CliError(`the service cannot start: ${error.message}`);
  });
  const service = await unlessInterrupted(starting, context.interrupted, "before the service was ready");
  if (service.engine === "pglite") keepHeapSmall();
  if (asJson) line(context.stdout, JSON.stringify({ url: service.url, pid: process.pid }));
  note(context, readyLine(service));
  const reason = await ended(context.interrupted);
  note(context, "Stopping: requests and batches in progress finish first.");
  await service.stop(reason);
  // Aborted work may keep the process alive, such as a connection to a host that does not answer.
  setTimeout(() => process.exit(context.exitCode), exitDelayMs).unref();
}

function readyLine({ url, database, consoleUrl }: RunningService): string {
  const line = `Lading is ready at ${url} (Ctrl-C ends it). Its database is ${database}.`;
  if (consoleUrl === undefined) return line;
  return `${line} Its console is at ${consoleUrl} (\`lading console <tenant>\` signs in).`;
}

/** The time that a stopped service has until its process is ended, in milliseconds. */
const exitDelayMs = 500;

/** Waits for Ctrl-C, SIGTERM, SIGHUP, or the end of the `npx` that started this process. Returns which it was. */
async function ended(interrupted: AbortSignal): Promise<string> {
  const orphaned = new AbortController();
  const stopLooking = whenLauncherEnds(() =>
    orphaned.abort(new Error("the process that started it has ended")),
  );
  const end = AbortSignal.any([interrupted, orphaned.signal]);
  if (!end.aborted) await once(end, "abort");
  stopLooking();
  return errorMessage(end.reason);
}
