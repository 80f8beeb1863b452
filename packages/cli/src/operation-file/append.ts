import { locatedOperations } from "@lading/schema/internal";
import { isObject } from "@lading/schema/internal/is-object";
import { CliError, exitCode } from "../exit.ts";
import { parseJson } from "../files/json-input.ts";

/**
 * Adds operations at the end of the list in the text of a mass operation file, and changes nothing else.
 * @param isEmpty whether the list has no operations yet
 */
export async function withOperations(
  text: string,
  isEmpty: boolean,
  operations: readonly object[],
): Promise<string> {
  const bytes = Buffer.from(text);
  const newLine = text.includes("\r\n") ? "\r\n" : "\n";
  const written = operations
    .map((operation) => indented(JSON.stringify(operation, null, 2)))
    .join(",\n")
    .replaceAll("\n", newLine);
  if (isEmpty)
    return text.replace(
      /("operations"\s*:\s*\[)\s*\]/,
      (_, start) => `${start}${newLine}${written}${newLine}  ]`,
    );
  let end = 0;
  for await (const operation of locatedOperations(chunk(bytes))) end = operation.end;
  return `${bytes.toString("utf8", 0, end)},${newLine}${written}${bytes.toString("utf8", end)}`;
}

async function* chunk(bytes: Uint8Array) {
  yield bytes;
}

const indented = (text: string) => text.replace(/^/gm, "    ");

/**
 * Returns the operations in the text of a mass operation file.
 * @throws CliError when the text is not a mass operation file
 */
export async function operationsOf(text: string, file: string): Promise<unknown[]> {
  const content = await parseJson(text, file);
  if (isObject(content) && Array.isArray(content.operations)) return content.operations;
  throw new CliError(
    `${file} has no list "operations", so it is not a mass operation file`,
    exitCode.invalidFile,
  );
}
