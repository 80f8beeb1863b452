import { defaultUrl } from "../options.ts";

export interface HintOptions {
  tenant: string;
  url: string;
}

/** A command line about a task that works wherever this one did: `lading mass-operation logs <task> --tenant acme`. */
export function hint(
  command: "status" | "logs" | "cancel",
  taskId: string,
  { tenant, url }: HintOptions,
): string {
  const service = url === (process.env.LADING_URL || defaultUrl) ? "" : ` --url ${url}`;
  return `lading mass-operation ${command} ${taskId} --tenant ${tenant}${service}`;
}
