import { closeSync, openSync, readSync } from "node:fs";
import { errorCode } from "../system/thrown.ts";

interface Source {
  readonly variable: string;
  readonly secret?: true;
}

/** The largest file of a secret, in bytes: far larger than any secret. */
const largestFile = 64 * 1024;

const fileVariable = (variable: string) => `${variable}_FILE`;

/** Lists the variables of a setting: its own and, for a secret, that of a file, such as `LADING_SIGNING_KEY_FILE`. */
export const variablesOf = ({ variable, secret }: Source): string[] =>
  secret ? [variable, fileVariable(variable)] : [variable];

/**
 * Reads the text of a setting from its variable or, for a secret, from the file named by the variable with `_FILE`,
 * without its trailing newline. Undefined when neither is set; an empty variable counts as unset.
 * @throws Error when both are set, or the file cannot be read or is empty
 */
export function settingText(
  { variable, secret }: Source,
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const text = environment[variable] || undefined;
  const file = secret && environment[fileVariable(variable)];
  if (!file) return text;
  if (text !== undefined)
    throw new Error(`${variable} and ${fileVariable(variable)} are both set; set one of them`);
  return readSecret(fileVariable(variable), file);
}

function readSecret(variable: string, file: string): string {
  const content = read(variable, file);
  if (content.length > largestFile)
    throw new Error(
      `${variable} names ${file}, which is larger than ${largestFile} bytes: it is not a secret`,
    );
  const secret = content.toString("utf8").replace(/\r?\n$/, "");
  if (secret === "") throw new Error(`${variable} names ${file}, which is empty; write the secret into it`);
  if (/[\r\n]/.test(secret))
    throw new Error(`${variable} names ${file}, which has several lines; it must have one, with the secret`);
  return secret;
}

function read(variable: string, file: string): Buffer {
  try {
    return readBeginning(file, largestFile + 1);
  } catch (error) {
    throw new Error(
      `${variable} names ${file}, which cannot be read (${errorCode(error)}); name a file that this user may read`,
    );
  }
}

/** Reads at most `most` bytes: a device or a pipe may have no end. */
function readBeginning(file: string, most: number): Buffer {
  const descriptor = openSync(file, "r");
  try {
    const content = Buffer.alloc(most);
    let length = 0;
    for (let read = -1; read !== 0; length += read)
      read = readSync(descriptor, content, length, most - length, null);
    return content.subarray(0, length);
  } finally {
    closeSync(descriptor);
  }
}
