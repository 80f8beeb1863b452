import { access, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { errorCode, errorMessage } from "@lading/service/thrown";
import { askWhether, mayAsk } from "../ask.ts";
import type { Context } from "../context.ts";
import { CliError } from "../exit.ts";
import type { CommonFlags } from "../options.ts";

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

/**
 * Reads a text, without a byte order mark; undefined when there is no such file.
 * @throws CliError with the reason
 */
export async function readText(file: string): Promise<string | undefined> {
  try {
    return (await readFile(file, "utf8")).replace(/^\uFEFF/, "");
  } catch (error) {
    if (errorCode(error) === "ENOENT") return undefined;
    if (errorCode(error) === "EISDIR") throw new CliError(`${file} is a folder; name a file`);
    throw new CliError(`cannot read ${file}: ${errorMessage(error)}`);
  }
}

/** Refuses `-`, which names standard input elsewhere: nobody wants a file of that name. @throws CliError */
export function refuseDash(file: string): void {
  if (file === "-") throw new CliError("cannot write to -: name a file");
}

/** The mode of a file that holds personal data: its owner alone may read it. */
export const ownerOnly = 0o600;

/**
 * Writes a file atomically. `mode` also applies to a file that it replaces; without it, the umask decides.
 * @throws CliError with the reason; an error of the content itself as it is
 */
export async function writeWhole(
  file: string,
  content: string | AsyncIterable<string | Uint8Array>,
  mode = 0o666,
): Promise<void> {
  refuseDash(file);
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    // Nobody may have put another file, or a link, where the temporary one comes.
    await rm(temporary, { force: true });
    await writeFile(temporary, content, { mode, flag: "wx" });
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw isOfFiles(error) ? cannotWrite(file, error) : error;
  }
}

/**
 * Makes a folder, and those above it, unless they exist.
 * @throws CliError with the reason
 */
export async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder, { recursive: true });
  } catch (error) {
    throw cannotWrite(folder, error);
  }
}

/** True for an error of a system call. */
const isOfFiles = (error: unknown) => error instanceof Error && "syscall" in error;

export function cannotWrite(file: string, error: unknown): CliError {
  const code = errorCode(error);
  if (code === "ENOENT") return new CliError(`cannot write ${file}: there is no folder ${dirname(file)}`);
  if (code === "EEXIST" || code === "ENOTDIR")
    return new CliError(`cannot write ${file}: a file is in the way`);
  const isRefused = code === "EACCES" || code === "EROFS" || code === "EPERM";
  if (isRefused) return new CliError(`cannot write ${file}: this user may not write to ${dirname(file)}`);
  return new CliError(`cannot write ${file}: ${errorMessage(error)}`);
}

/** Refuses to replace a file that exists, unless that is forced, or a person allows it. @throws CliError */
export async function refuseToReplace(
  context: Context,
  file: string,
  flags: CommonFlags & { force?: boolean },
): Promise<void> {
  refuseDash(file);
  if (flags.force || !(await exists(file))) return;
  if (mayAsk(context, flags) && (await askWhether(`${file} exists. Replace it?`))) return;
  throw new CliError(`${file} exists already; --force replaces it`);
}
