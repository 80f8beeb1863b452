import { Command } from "commander";
import { type ApplyFlags, applyFolder } from "../apply/apply.ts";
import type { Context } from "../context.ts";
import { repeatable, withAll, withDetails, withExamples, withMarkdown, withToken } from "../options.ts";
import { withRefuse } from "../plan/refusals.ts";

/** `lading apply <tenant> <folder>`: runs the files of a folder in the order of their names, each once. */
export function command(context: Context): Command {
  const apply = new Command("apply")
    .description("Runs the mass operation files of a folder in the order of their names, each once.")
    .argument("<tenant>", "the tenant's identifier")
    .argument("<folder>", "the folder with the files; folders in it are not read")
    .option("--status", "list the files and whether they are applied; run nothing")
    .option("--plan", "plan the next file; run nothing")
    .addOption(
      repeatable(
        "--accept-changed <file>",
        "let this file, which has changed or failed, count as applied; run nothing",
      ),
    )
    .option("--strict", "treat warnings as errors: nothing is sent")
    .action((tenant: string, folder: string, flags: ApplyFlags) =>
      applyFolder(context, { tenant, folder }, flags),
    );
  return withExamples(
    withDetails(withMarkdown(withRefuse(withToken(withAll(apply)))), details),
    "lading apply acme operations",
    "lading apply acme operations --status",
    "lading apply acme operations --plan --markdown",
    "lading apply acme operations --accept-changed 004-prices.json",
  );
}

const details = `The service remembers what was applied: docs/git.md. Exit codes: 0 every file is applied, 1 usage error, no connection,
or a file that was changed or renamed since, 2 a file is invalid, 3 a task failed, 4 some operations did not succeed,
6 a task is held, 7 refused (with --refuse). Ctrl-C exits with 130; the task continues.`;
