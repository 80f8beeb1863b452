import { createHash } from "node:crypto";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { errorCode, errorMessage } from "@lading/service/thrown";
import { type Context, note } from "../context.ts";
import { CliError } from "../exit.ts";
import { jsonOf } from "../files/json-input.ts";

/** A file of a folder whose files are applied once. */
export interface FolderFile {
  readonly name: string;
  readonly path: string;
  /** Of its JSON. */
  readonly sha256: string;
}

/**
 * Reads the mass operation files of a folder, in the order in which the service lists them: by code points.
 * @throws CliError when it cannot be read, has a link, or its names do not say the order
 */
export async function readFolder(context: Context, folder: string): Promise<FolderFile[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: unknown) => {
    const code = errorCode(error);
    if (code === "ENOENT") throw new CliError(`there is no folder ${folder}`);
    if (code === "ENOTDIR") throw new CliError(`${folder} is a file; apply takes the folder with the files`);
    throw new CliError(`cannot read ${folder}: ${errorMessage(error)}`);
  });
  const names: string[] = [];
  for (const entry of entries) {
    if (entry.name.startsWith(".")) continue;
    if (entry.isDirectory()) {
      const inside = await readdir(join(folder, entry.name)).catch(() => []);
      if (inside.some(isJson))
        note(context, `${join(folder, entry.name)} is a folder: its files are not applied`);
    } else if (!isJson(entry.name)) continue;
    else if (/[\p{Cc}\p{Cf}]/u.test(entry.name))
      throw new CliError(`the name of ${join(folder, entry.name)} has a control character: rename the file`);
    else if (entry.isFile()) names.push(entry.name);
    else throw new CliError(`${join(folder, entry.name)} is not a regular file: put the file itself there`);
  }
  names.sort(byCodePoints);
  requireOrder(names);
  const files: FolderFile[] = [];
  for (const name of names) {
    const path = join(folder, name);
    const hash = createHash("sha256");
    for await (const chunk of jsonOf(context, path)) hash.update(chunk);
    files.push({ name, path, sha256: hash.digest("hex") });
  }
  return files;
}

/** The order in which the service lists names. */
export const byCodePoints = (one: string, other: string): number =>
  Buffer.compare(Buffer.from(one), Buffer.from(other));

const isJson = (name: string) => /\.json(\.gz)?$/i.test(name);

/** The number that a name begins with; undefined for a date such as 2026-01-31. */
function numberOf(name: string): bigint | undefined {
  const digits = /^(?!\d{4}-\d\d-\d\d)\d+/.exec(name)?.[0];
  return digits === undefined ? undefined : BigInt(digits);
}

/** Refuses two files of one number, and numbers in another order than their names. */
function requireOrder(names: readonly string[]): void {
  const numbered = names.flatMap((name) => {
    const number = numberOf(name);
    return number === undefined ? [] : [{ name, number }];
  });
  const first = new Map<bigint, string>();
  for (const { name, number } of numbered) {
    const other = first.get(number);
    if (other !== undefined)
      throw new CliError(`${other} and ${name} have the same number: give the newer one the next number`);
    first.set(number, name);
  }
  for (const [at, { name, number }] of numbered.entries()) {
    const next = numbered[at + 1];
    if (next !== undefined && next.number < number)
      throw new CliError(
        `${name} comes before ${next.name} in the order of names, but not of numbers: write numbers with leading ` +
          `zeros, such as ${next.name.replace(/^\d+/, (digits) => digits.padStart(String(number).length, "0"))}`,
      );
  }
}
