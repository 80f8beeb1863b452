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
  command: "status" | "logs" | "cancel" | "resume" | "retry" | "undo",
  taskId: string,
  options: HintOptions,
): string {
  return `${self()} mass-operation ${command} ${taskId} --tenant ${options.tenant}${serviceOf(options)}`;
}

/** Returns a command line about a file that works where this one did: `lading mass-operation run acme shop.json`. */
export function fileHint(command: "plan" | "run", options: HintOptions & { file: string }): string {
  const file = /^[\w./-]+$/.test(options.file) ? options.file : `'${options.file.replaceAll("'", "'\\''")}'`;
  return `${self()} mass-operation ${command} ${options.tenant} ${file}${serviceOf(options)}`;
}

const serviceOf = ({ url }: HintOptions): string =>
  url === (process.env[variables.url] || defaultUrl) ? "" : ` --url ${url}`;
