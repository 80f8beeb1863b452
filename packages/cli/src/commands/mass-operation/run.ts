import { Command } from "commander";
import type { Context } from "../../context.ts";
import { fileMeaning } from "../../files/json-input.ts";
import { withAll, withDetails, withExamples, withToken } from "../../options.ts";
import { withRefuse } from "../../plan/refusals.ts";
import { executeFile, executePlan, type FileFlags } from "../../task/start.ts";
import { atDate } from "./dates.ts";
import { fromOne, wholeNumber } from "./numbers.ts";

/** `lading mass-operation run <tenant> [file]`: checks, uploads and starts a file, and follows the task. */
export function command(context: Context): Command {
  const run = new Command("run")
    .description("Runs a mass operation file: checks and uploads it, starts a task, shows its log.")
    .argument("<tenant>", "the tenant's identifier")
    .argument("[file]", `${fileMeaning}; may be left out with --plan`)
    .option("--plan <id>", "follow this plan: an operation that would do anything else fails")
    .option(
      "--max-failures <number>",
      "end the task after more failures than this (default: no limit; with --all-or-nothing: 0)",
      wholeNumber,
    )
    .option(
      "--all-or-nothing",
      "undo the task if an operation fails or partly fails, or more than --max-failures do",
    )
    .option("--hold-after <number>", "hold the task after this number of operations: a canary", fromOne)
    .option(
      "--hold-on-failures <number>",
      "hold the task each time this number of operations has failed",
      fromOne,
    )
    .option("--strict", "treat warnings as errors: nothing is sent")
    .option(
      "--at <date>",
      "start the task at this date, such as 2026-12-01T06:00+01:00, and don't wait",
      atDate,
    )
    .option("--webhook <url>", "notify this URL when the task ends, instead of the tenant's webhook")
    .action((tenant: string, file: string | undefined, flags: FileFlags) =>
      file === undefined ? executePlan(context, tenant, flags) : executeFile(context, tenant, file, flags),
    );
  return withExamples(
    withDetails(withRefuse(withToken(withAll(run))), exitCodes),
    "lading mass-operation run acme shop.json",
    "lading mass-operation run acme shop.json --plan 6561f0c2a1b2c3d4e5f60718",
    "lading mass-operation run acme --plan 6561f0c2a1b2c3d4e5f60718   # what was planned, without a copy of it",
    "lading mass-operation run acme shop.json --strict --max-failures 0",
    "lading mass-operation run acme shop.json --all-or-nothing",
    "lading mass-operation run acme shop.json --at 2026-12-01T06:00+01:00",
    "lading mass-operation run acme shop.json --refuse deletions,failures",
    "lading mass-operation run acme shop.json --no-interactive --json > result.json",
    "generate-operations | lading mass-operation run acme - --quiet",
  );
}

const exitCodes = `Exit codes: 0 every operation succeeded, 1 usage error or no connection, 2 the file is invalid,
3 the task failed, 4 some operations did not succeed, or the task was undone (with --all-or-nothing),
6 the task is held, 7 refused (with --refuse). Ctrl-C exits with 130; the task continues.`;
