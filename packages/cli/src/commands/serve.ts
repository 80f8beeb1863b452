import { once } from "node:events";
import type { ServiceOptions } from "@lading/service";
import { allSettings, refusal, type Setting, settings } from "@lading/service/settings";
import { errorMessage } from "@lading/service/thrown";
import { Command, InvalidArgumentError, Option } from "commander";
import { type Context, line, note } from "../context.ts";
import { strayVariables } from "../environment.ts";
import { CliError, exitCode } from "../exit.ts";
import { whenLauncherEnds } from "../launcher.ts";
import { type CommonFlags, withCommon, withDetails, withExamples } from "../options.ts";

/** `lading serve`: runs the service in this process until Ctrl-C. */
export function command(context: Context): Command {
  const serving = new Command("serve")
    .description("Starts the service: API, uploads and runner in one process.")
    .action((flags: CommonFlags & ServiceOptions) => serve(context, flags));
  for (const setting of allSettings) if (setting.option) serving.addOption(optionOf(setting, setting.option));
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

/** Defaults are only described: a value that commander fills in would win over the environment. */
function optionOf({ kind, secret, ...setting }: Setting, flags: string): Option {
  const byDefault = setting.default ?? setting.otherwise;
  const notes = [byDefault && `default: ${byDefault}`, `env: ${setting.variable}`].filter(Boolean);
  const option = new Option(flags, `${setting.meaning.replaceAll("`", "")} (${notes.join(", ")})`);
  if (!option.required) return option; // A switch has no value to read.
  if (kind.words) return option.choices(kind.words);
  return option.argParser((text) => {
    const value = kind.read(text);
    if (kind.accepts(value)) return value;
    // Commander's own error would show the value of a secret.
    if (secret) throw new CliError(refusal(option.long ?? flags, value, kind, secret));
    const name = option.name().replaceAll("-", " ");
    throw new InvalidArgumentError(`"${text}" is not a ${name}: it must be ${kind.right}.`);
  });
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
  if (options.databaseUrl === undefined) keepHeapSmall();
  const starting = startService(options).catch((error: Error) => {
    throw new CliError(`the service cannot start: ${error.message}`);
  });
  const service = await unlessInterrupted(starting, context.interrupted);
  if (asJson) line(context.stdout, JSON.stringify({ url: service.url, pid: process.pid }));
  note(context, `Lading is ready at ${service.url} (Ctrl-C ends it).`);
  const reason = await ended(context.interrupted);
  note(context, "Stopping: requests and batches in progress finish first.");
  await service.stop(reason);
  // Aborted work may keep the process alive, such as a connection to a host that does not answer.
  setTimeout(() => process.exit(context.exitCode), exitDelayMs).unref();
}

/** The time that a stopped service has until its process is ended, in milliseconds. */
const exitDelayMs = 500;

/** Lets Ctrl-C end a start that takes long, such as one that waits for another process to migrate. */
async function unlessInterrupted<Result>(
  starting: Promise<Result>,
  interrupted: AbortSignal,
): Promise<Result> {
  if (interrupted.aborted) return starting;
  const settled = new AbortController();
  const broken = once(interrupted, "abort", { signal: settled.signal }).then(() => {
    // Unfinished work keeps the process alive; the next start does it again.
    setTimeout(() => process.exit(exitCode.interrupted), 1_000).unref();
    throw new CliError("interrupted before the service was ready", exitCode.interrupted);
  });
  try {
    return await Promise.race([starting, broken]);
  } finally {
    broken.catch(() => {});
    settled.abort();
  }
}

/** Waits for Ctrl-C, a SIGTERM, or the end of the `npx` that started this process. Returns which of them it was. */
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

function fromEnvironment(read: (environment: NodeJS.ProcessEnv) => ServiceOptions): ServiceOptions {
  try {
    return read(process.env);
  } catch (error) {
    throw new CliError(errorMessage(error));
  }
}
