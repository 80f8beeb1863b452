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

/** Returns a command line that runs what was planned, which the service has. */
export const planHint = (plan: string, options: HintOptions): string =>
  `${self()} mass-operation run ${options.tenant} --plan ${plan}${serviceOf(options)}`;

/** Returns a command line that applies a folder as this one did: `lading apply acme operations`. */
export function applyHint({
  strict,
  refuse,
  ...options
}: FolderHintOptions & { strict?: boolean; refuse?: readonly string[] }): string {
  const how = `${strict ? " --strict" : ""}${refuse ? ` --refuse ${refuse.join(",")}` : ""}`;
  return folderHint(options, how);
}

/** Returns a command line that lets files count as applied. */
export const acceptHint = (options: FolderHintOptions, names: readonly string[]): string =>
  folderHint(options, names.map((name) => ` --accept-changed ${quoted(name)}`).join(""));

type FolderHintOptions = HintOptions & { folder: string };

const folderHint = ({ folder, ...options }: FolderHintOptions, flags: string): string =>
  `${self()} apply ${options.tenant} ${quoted(folder)}${flags}${serviceOf(options)}`;

const quoted = (word: string) => (/^[\w./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`);

const serviceOf = ({ url }: HintOptions): string =>
  url === (process.env[variables.url] || defaultUrl) ? "" : ` --url ${url}`;
