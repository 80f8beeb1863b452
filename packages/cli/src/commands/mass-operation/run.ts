import { Command } from "commander";
import { checkFile, printIssues, summary } from "../../check-file.ts";
import { type Context, json, line } from "../../context.ts";
import { exitCode } from "../../exit.ts";
import { type TokenFlags, withToken } from "../../options.ts";
import { tenantEndpoint } from "../../service/tenant-endpoint.ts";
import { upload } from "../../service/upload.ts";
import { createTask } from "../../task/task.ts";
import { watch } from "../../task/watch.ts";

interface Flags extends TokenFlags {
  json?: boolean;
}

/** `lading mass-operation run <tenant> <file>`: checks, uploads, starts, and follows to the end. */
export function runCommand(context: Context): Command {
  return withToken(new Command("run"))
    .description("Carries out a mass operation file and shows its log.")
    .argument("<tenant>", "the tenant's identifier")
    .argument("<file>", "the mass operation file")
    .option("--json", "print JSON, at the end")
    .addHelpText("after", exitCodes)
    .action((tenant: string, file: string, flags: Flags) => run(context, tenant, file, flags));
}

const exitCodes = `
Exit codes: 0 every operation succeeded, 1 wrong use or no connection, 2 the file is invalid,
3 the task failed, 4 some operations did not succeed.`;

async function run(context: Context, tenant: string, file: string, flags: Flags): Promise<void> {
  const { lifetimes: _, ...report } = await checkFile(context, file, {});
  const out = flags.json ? context.stderr : context.stdout;
  printIssues(out, file, report);
  line(out, summary(file, report));
  if (report.errorCount > 0) {
    context.exitCode = exitCode.invalidFile;
    line(out, "Nothing was sent.");
    if (flags.json) json(context.stdout, { task: null, file: report });
    return;
  }
  const endpoint = await tenantEndpoint(context, tenant, flags);
  const taskId = await createTask(endpoint, await upload(endpoint, file, context.interrupted));
  line(out, `Uploaded; task ${taskId} starts.`);
  await watch(context, endpoint, taskId, { ...flags, tenant });
}
