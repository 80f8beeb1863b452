import { readFile, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { jsonSchemaFile, jsonSchemaTitle } from "@lading/schema/internal";
import { isObject } from "@lading/schema/internal/is-object";
import { errorCode } from "@lading/service/thrown";
import { CliError } from "../exit.ts";
import { cannotWrite, readText, refuseDash, writeWhole } from "../files/write-whole.ts";

/** The JSON Schema's file name, next to a mass operation file. */
const schemaName = "mass-operation.schema.json";

/**
 * Creates a mass operation file, and a copy of the JSON Schema next to it. An existing file is never replaced.
 * @returns the path of the copy
 * @throws CliError when either cannot be written
 */
export async function createFile(file: string, operations: readonly object[]): Promise<string> {
  if (basename(file) === schemaName)
    throw new CliError(`${file} is the name of the JSON Schema; choose another one, such as shop.json`);
  const schema = join(dirname(file), schemaName);
  refuseDash(file);
  await writeSchema(schema);
  const content = { $schema: `./${schemaName}`, version: "1.0.0", operations };
  try {
    await writeFile(file, `${JSON.stringify(content, null, 2)}\n`, { flag: "wx" });
  } catch (error) {
    if (errorCode(error) === "EEXIST") throw existing(file);
    throw cannotWrite(file, error);
  }
  return schema;
}

/** The error for a file that would be replaced. */
export const existing = (file: string) =>
  new CliError(`${file} exists already; add to it with: lading mass-operation add-operation ${file}`);

/** Writes the JSON Schema. An older copy is replaced, any other file of the name is not. */
async function writeSchema(path: string): Promise<void> {
  const text = await readFile(jsonSchemaFile, "utf8");
  const stored = await readText(path);
  if (stored === text) return;
  if (stored !== undefined && !isCopy(stored))
    throw new CliError(
      `${path} exists already and is not the JSON Schema of mass operation files; move it away`,
    );
  await writeWhole(path, text);
}

function isCopy(text: string): boolean {
  try {
    const content: unknown = JSON.parse(text);
    return isObject(content) && content.title === jsonSchemaTitle;
  } catch {
    return false;
  }
}
