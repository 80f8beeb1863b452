import { Command } from "commander";
import type { Context } from "../../context.ts";
import { type TokenFlags, withToken } from "../../options.ts";
import { tenantEndpoint } from "../../service/tenant-endpoint.ts";
import { watch } from "../../task/watch.ts";

interface Flags extends TokenFlags {
  json?: boolean;
}

/** `lading mass-operation follow <tenant> <task>`: shows a task from its first log entry to its end, as `run` does. */
export function followCommand(context: Context): Command {
  return withToken(new Command("follow"))
    .description("Shows a task that was started before, with its log, until it ends.")
    .argument("<tenant>", "the tenant's identifier")
    .argument("<task>", "the task's id")
    .option("--json", "print JSON, at the end")
    .action(async (tenant: string, taskId: string, flags: Flags) => {
      await watch(context, await tenantEndpoint(context, tenant, flags), taskId, { ...flags, tenant });
    });
}
