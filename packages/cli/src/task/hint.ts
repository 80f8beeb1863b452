import { variables } from "../environment.ts";
import { defaultUrl } from "../options.ts";

/** Returns the name to call this program by in suggested command lines: `npx` leaves nothing on the PATH. */
export const self = (): string => (process.env.npm_command === "exec" ? "npx lading" : "lading");

export interface HintOptions {
  tenant: string;
  url: string;
}

/**
 * Returns a command line about a task that works where this one did: `lading mass-operation logs <task> --tenant acme`.
 */
export function hint(
  command: "status" | "logs" | "cancel",
  taskId: string,
  { tenant, url }: HintOptions,
): string {
  const service = url === (process.env[variables.url] || defaultUrl) ? "" : ` --url ${url}`;
  return `${self()} mass-operation ${command} ${taskId} --tenant ${tenant}${service}`;
}
