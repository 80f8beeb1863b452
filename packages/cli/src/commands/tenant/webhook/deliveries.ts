import { Command, InvalidArgumentError, Option } from "commander";
import { type Context, count, json, note, plain, table } from "../../../context.ts";
import { type TokenFlags, withExamples, withToken } from "../../../options.ts";
import { tenantEndpoint } from "../../../service/tenant-endpoint.ts";
import { type Delivery, deliveryStatuses, readDeliveries } from "../../../service/webhook-requests.ts";

interface Flags extends TokenFlags {
  task?: string;
  status?: Delivery["status"];
  limit: number;
}

/** `lading tenant webhook deliveries <tenant>`: the events of the last 30 days, with their answers. */
export function command(context: Context): Command {
  const deliveries = new Command("deliveries")
    .description("Lists the webhook events of the last 30 days, newest first, each with its last try.")
    .argument("<tenant>", "the tenant's identifier")
    .option("--task <id>", "only events of this task")
    .addOption(new Option("--status <status>", "only events with this status").choices(deliveryStatuses))
    .addOption(new Option("--limit <number>", "maximum number to list").default(20).argParser(limitOf))
    .action((tenant: string, flags: Flags) => printDeliveries(context, tenant, flags));
  return withExamples(
    withToken(deliveries),
    "lading tenant webhook deliveries acme --status failed",
    "lading tenant webhook deliveries acme --limit 500 --json > deliveries.json",
  );
}

/** The largest page of the API. */
const most = 1_000;

function limitOf(text: string): number {
  const number = /^\d{1,4}$/.test(text) ? Number(text) : 0;
  if (number >= 1 && number <= most) return number;
  throw new InvalidArgumentError(`"${text}" is not a whole number from 1 to ${most}.`);
}

async function printDeliveries(
  context: Context,
  tenant: string,
  { task, status, limit, ...flags }: Flags,
): Promise<void> {
  const endpoint = await tenantEndpoint(context, tenant, flags);
  const filter = { ...(task && { taskId: task }), ...(status && { status }) };
  const deliveries = await readDeliveries(endpoint, filter, limit);
  if (flags.json) return json(context.stdout, deliveries);
  table(context.stdout, [["task", "status", "created", "tries", "last try"], ...deliveries.map(rowOf)], [3]);
  if (deliveries.length === limit) note(context, `These are the newest ${count(limit)}; --limit lists more.`);
}

function rowOf({ taskId, status, createdAt, tries }: Delivery): string[] {
  const last = tries.at(-1);
  const outcome = last === undefined ? "" : plain(last.error ?? `HTTP ${last.statusCode}`);
  return [taskId, status, createdAt, count(tries.length), outcome];
}
