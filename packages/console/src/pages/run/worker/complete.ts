import { jsonSchemaFile } from "@lading/schema/internal";
import { getLanguageService } from "vscode-json-languageservice";
import { TextDocument } from "vscode-languageserver-textdocument";
import type { Jobs, Suggestion } from "./jobs.ts";

let service: Promise<ReturnType<typeof getLanguageService>> | undefined;

/** Completes a text at an offset by the JSON Schema of mass operation files. */
export async function complete({ text, offset }: Jobs["complete"]["input"]): Promise<Suggestion[]> {
  service ??= openService().catch((error) => {
    service = undefined;
    throw error;
  });
  return suggestionsAt(await service, text, offset);
}

async function openService() {
  // The build puts it among the console's files.
  const response = await fetch(jsonSchemaFile);
  if (!response.ok) throw new Error(`The service answered ${response.status} for the JSON Schema`);
  return languageService(await response.text());
}

/** Makes a language service for a JSON Schema, whichever one a file names. */
export function languageService(schema: string) {
  const made = getLanguageService({
    schemaRequestService: async () => schema,
    workspaceContext: { resolveRelativePath: () => jsonSchemaFile.href },
  });
  made.configure({ validate: false, schemas: [{ uri: jsonSchemaFile.href, fileMatch: ["*"] }] });
  return made;
}

/** Lists the completions at an offset of a text. */
export async function suggestionsAt(
  made: ReturnType<typeof getLanguageService>,
  text: string,
  offset: number,
): Promise<Suggestion[]> {
  const document = TextDocument.create("file:///operations.json", "json", 1, text);
  const found = await made.doComplete(
    document,
    document.positionAt(offset),
    made.parseJSONDocument(document),
  );
  return (found?.items ?? []).flatMap(({ label, filterText = label, textEdit, documentation, command }) => {
    if (textEdit === undefined || !("range" in textEdit)) return [];
    const { start, end } = textEdit.range;
    return {
      ...{ label, filterText, snippet: textEdit.newText },
      ...{ from: document.offsetAt(start), to: document.offsetAt(end) },
      leadsOn: command !== undefined,
      documentation: typeof documentation === "string" ? documentation : (documentation?.value ?? ""),
    };
  });
}
