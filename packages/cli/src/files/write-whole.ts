import { access, rename, rm, writeFile } from "node:fs/promises";
import { errorMessage } from "@lading/service/thrown";
import { CliError } from "../exit.ts";

export async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}

/** Writes a file as a whole or not at all. @throws CliError that says why not */
export async function writeWhole(file: string, content: string): Promise<void> {
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    await writeFile(temporary, content);
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw new CliError(`cannot write ${file}: ${errorMessage(error)}`);
  }
}
