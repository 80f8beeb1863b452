import { type Context, json, line, note, plain, table } from "../context.ts";
import type { CommonFlags } from "../options.ts";
import type { ChangedWebhook, Webhook } from "./webhook-requests.ts";

export function printWebhook(
  { stdout }: Context,
  { url, createdAt, rotatedAt, previousUntil }: Webhook,
): void {
  const rows = [
    ["url", plain(url ?? "none: only tasks that name a URL send events")],
    ["createdAt", createdAt],
    ...(rotatedAt ? [["rotatedAt", rotatedAt]] : []),
    ...(previousUntil ? [["previousUntil", previousUntil]] : []),
  ];
  table(stdout, rows);
}

export function printChanged(context: Context, changed: ChangedWebhook, flags: CommonFlags): void {
  if (flags.json) json(context.stdout, changed);
  else printWebhook(context, changed.webhook);
  if (flags.json || changed.secret === null) return;
  line(context.stdout, `secret     ${changed.secret}`);
  note(context, "The secret is not shown again.");
}
