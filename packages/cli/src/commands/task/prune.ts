import { longestRetention } from "@lading/service/settings";
import { Command } from "commander";
import { type Context, confirm, counted, json } from "../../context.ts";
import { type TokenFlags, withExamples, withToken } from "../../options.ts";
import { graphql } from "../../service/documents.ts";
import { request, succeeded } from "../../service/graphql.ts";
import { tenantEndpoint } from "../../service/tenant-endpoint.ts";
import { upTo } from "../mass-operation/numbers.ts";

interface Flags extends TokenFlags {
  olderThan: number;
}

const mutation = graphql(`
  mutation PruneBulkTasks($olderThanDays: Int!) {
    pruneBulkTasks(olderThanDays: $olderThanDays) {
      ... on PrunedBulkTasks { tasks entries hasMore }
      ... on BasicError { error errorName }
    }
  }`);

/** `lading task prune <tenant>`: removes logs and files of tasks that ended long ago; the tasks themselves stay. */
export function command(context: Context): Command {
  const prune = new Command("prune")
    .description("Removes the logs and files of tasks that ended long ago; the tasks themselves stay.")
    .argument("<tenant>", "the tenant's identifier")
    .requiredOption(
      "--older-than <days>",
      "only tasks that ended at least this number of days ago",
      upTo(longestRetention),
    )
    .action((tenant: string, flags: Flags) => pruneTasks(context, tenant, flags));
  return withExamples(withToken(prune), "lading task prune acme --older-than 30");
}

async function pruneTasks(context: Context, tenant: string, flags: Flags): Promise<void> {
  const endpoint = await tenantEndpoint(context, tenant, flags);
  const total = { tasks: 0, entries: 0 };
  // The service removes for a few seconds at a time.
  for (let more = true; more; ) {
    const answer = await request(endpoint, mutation, { olderThanDays: flags.olderThan });
    const { tasks, entries, hasMore } = succeeded(answer.pruneBulkTasks);
    total.tasks += tasks;
    total.entries += entries;
    more = hasMore && !context.interrupted.aborted;
  }
  if (flags.json) return json(context.stdout, { tenant, ...total });
  const what = `the logs and files of ${counted(total.tasks, "task")}: ${total.entries} log entries`;
  confirm(context, `Removed ${what}.`);
}
