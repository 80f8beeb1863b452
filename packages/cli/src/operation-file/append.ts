import { locatedOperations } from "@lading/schema";
import { errorMessage } from "@lading/service/thrown";
import { CliError, exitCode } from "../exit.ts";
import { isObject } from "../is-object.ts";

/** Writes the text of a new mass operation file. */
export function newFile(operations: readonly object[]): string {
  return `${JSON.stringify({ version: "1.0.0", operations }, null, 2)}\n`;
}

/**
 * Adds operations at the end of the list in the text of a mass operation file, and changes nothing else.
 * @throws CliError when the text is not a mass operation file
 */
export async function withOperations(
  text: string,
  operations: readonly object[],
  file: string,
): Promise<string> {
  const list = operationsOf(text, file);
  const bytes = Buffer.from(text);
  const written = operations.map((operation) => indented(JSON.stringify(operation, null, 2))).join(",\n");
  if (list.length === 0)
    return text.replace(/("operations"\s*:\s*\[)\s*\]/, (_, start) => `${start}\n${written}\n  ]`);
  let end = 0;
  for await (const operation of locatedOperations(chunk(bytes))) end = operation.end;
  return `${bytes.toString("utf8", 0, end)},\n${written}${bytes.toString("utf8", end)}`;
}

async function* chunk(bytes: Uint8Array) {
  yield bytes;
}

const indented = (text: string) => text.replace(/^/gm, "    ");

function operationsOf(text: string, file: string): unknown[] {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (error) {
    throw new CliError(`${file} is not JSON: ${errorMessage(error)}`, exitCode.invalidFile);
  }
  if (isObject(content) && Array.isArray(content.operations)) return content.operations;
  throw new CliError(
    `${file} has no list "operations", so it is not a mass operation file`,
    exitCode.invalidFile,
  );
}
