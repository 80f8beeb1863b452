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
  command: "status" | "logs" | "start" | "cancel" | "resume" | "retry" | "undo",
  taskId: string,
  options: HintOptions,
): string {
  return `${self()} mass-operation ${command} ${taskId} --tenant ${options.tenant}${serviceOf(options)}`;
}

/** Returns a command line about a file that works where this one did: `lading mass-operation run acme shop.json`. */
export function fileHint(command: "plan" | "run", options: HintOptions & { file: string }): string {
  return `${self()} mass-operation ${command} ${options.tenant} ${quoted(options.file)}${serviceOf(options)}`;
}

/** Returns a command line about a folder of files that works where this one did: `lading apply acme operations`. */
export function applyHint(
  options: HintOptions & { folder: string },
  acceptChanged: readonly string[] = [],
): string {
  const flags = acceptChanged.map((name) => ` --accept-changed ${quoted(name)}`).join("");
  return `${self()} apply ${options.tenant} ${quoted(options.folder)}${flags}${serviceOf(options)}`;
}

const quoted = (word: string) => (/^[\w./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

const serviceOf = ({ url }: HintOptions): string =>
  url === (process.env[variables.url] || defaultUrl) ? "" : ` --url ${url}`;
