import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { CliError } from "../exit.ts";

export interface Credentials {
  accessTokenId: string;
  accessTokenSecret: string;
}

/** Kept credentials: service address → tenant → token. */
type CredentialsFile = Record<string, Record<string, Credentials>>;

/** `LADING_CREDENTIALS`, else `lading/credentials.json` in the user's configuration folder. */
export function credentialsPath(): string {
  const { LADING_CREDENTIALS, XDG_CONFIG_HOME } = process.env;
  return (
    LADING_CREDENTIALS || join(XDG_CONFIG_HOME || join(homedir(), ".config"), "lading", "credentials.json")
  );
}

export async function findCredentials(url: string, tenant: string): Promise<Credentials | undefined> {
  return (await read())[url]?.[tenant];
}

/** Keeps a token for later commands, in a file that only its owner may read. */
export async function keepCredentials(url: string, tenant: string, credentials: Credentials): Promise<void> {
  const all = await read();
  const path = credentialsPath();
  const temporary = `${path}.${process.pid}`;
  await mkdir(dirname(path), { recursive: true, mode: 0o700 });
  const content = { ...all, [url]: { ...all[url], [tenant]: credentials } };
  await writeFile(temporary, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
  await rename(temporary, path);
}

async function read(): Promise<CredentialsFile> {
  const path = credentialsPath();
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return {};
    throw new CliError(`cannot read the kept credentials: ${(error as Error).message}`);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new CliError(`${path} is not JSON; mend or remove it`);
  }
}
