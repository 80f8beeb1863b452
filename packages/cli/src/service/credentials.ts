import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { isObject } from "@lading/schema/internal/is-object";
import { errorCode, errorMessage } from "@lading/service/thrown";
import { variables } from "../environment.ts";
import { CliError } from "../exit.ts";

export interface Credentials {
  accessTokenId: string;
  accessTokenSecret: string;
}

/** Kept credentials: service address → tenant → token. */
type CredentialsFile = Record<string, Record<string, Credentials>>;

/** Returns the path of the saved credentials: `LADING_CREDENTIALS`, else one in the user's configuration folder. */
export function credentialsPath(): string {
  const { [variables.credentials]: path, XDG_CONFIG_HOME } = process.env;
  return path || join(XDG_CONFIG_HOME || join(home(), ".config"), "lading", "credentials.json");
}

/** @throws CliError for a user without a home folder, such as that of a container with any number as its user */
function home(): string {
  try {
    return homedir();
  } catch {
    throw new CliError(
      `this user has no home folder to keep credentials in: set HOME, or name a file with ${variables.credentials}`,
    );
  }
}

export function findCredentials(url: string, tenant: string): Credentials | undefined {
  return read()[url]?.[tenant];
}

export function keptTenants(url: string): string[] {
  return Object.keys(read()[url] ?? {});
}

export function keptServices(): string[] {
  return Object.keys(read());
}

/** Keeps a token for later commands, in a file that only its owner may read. */
export function keepCredentials(url: string, tenant: string, credentials: Credentials): Promise<void> {
  return change((all) => ({ ...all, [url]: { ...all[url], [tenant]: credentials } }));
}

/** Removes a saved token; with a `tokenId`, only if it is that token. */
export function forgetCredentials(url: string, tenant: string, tokenId?: string): Promise<void> {
  return change((all) => {
    const { [tenant]: token, ...others } = all[url] ?? {};
    if (token === undefined || (tokenId ?? token.accessTokenId) !== token.accessTokenId) return all;
    const { [url]: _, ...services } = all;
    return Object.keys(others).length === 0 ? services : { ...all, [url]: others };
  });
}

/** Timeout for the lock, in milliseconds. */
const lockTimeoutMs = 10_000;

/**
 * Reads, changes and replaces the file under a lock: the operating system's lock on an SQLite file next to it, which a
 * crash releases. Nothing is awaited while it is held.
 */
async function change(edit: (all: CredentialsFile) => CredentialsFile): Promise<void> {
  const path = credentialsPath();
  const { DatabaseSync } = await import("node:sqlite");
  let lock: InstanceType<typeof DatabaseSync> | undefined;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    lock = new DatabaseSync(`${path}.lock`);
    chmodSync(`${path}.lock`, 0o600);
    // a pragma, because the option `timeout` is unknown before Node 22.16
    lock.exec(`PRAGMA busy_timeout = ${lockTimeoutMs}; PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE`);
    const temporary = `${path}.${process.pid}`;
    writeFileSync(temporary, `${JSON.stringify(edit(read()), null, 2)}\n`, { mode: 0o600 });
    renameSync(temporary, path);
  } catch (error) {
    if (error instanceof CliError) throw error;
    throw new CliError(
      `cannot keep credentials in ${path}: ${errorMessage(error)}; name another file by ${variables.credentials}`,
    );
  } finally {
    lock?.close();
  }
}

function read(): CredentialsFile {
  const path = credentialsPath();
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return {};
    throw new CliError(`cannot read the saved credentials in ${path}: ${errorMessage(error)}`);
  }
  const content = parsed(text);
  if (isCredentialsFile(content)) return content;
  throw new CliError(`${path} is not a file of credentials; correct or remove it`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const isCredentialsFile = (content: unknown): content is CredentialsFile =>
  isObject(content) &&
  Object.values(content).every((tenants) => isObject(tenants) && Object.values(tenants).every(isObject));
