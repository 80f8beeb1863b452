import { readFileSync } from "node:fs";
import {
  definitionName,
  intentNames,
  intents,
  isIntent,
  type JsonSchema,
  jsonSchemaFile,
  nearest,
} from "@lading/schema/internal";
import { CliError } from "../exit.ts";
import type { Answer } from "./answer.ts";
import { intentsPage, readPage } from "./pages.ts";

/**
 * Describes an intent, or a type that schemas refer to: its JSON Schema, its example and its rules. Without a name,
 * lists all intents.
 */
export function describeIntent({ name }: { name?: string | undefined }): Answer {
  if (name === undefined) {
    const about = intentNames.map((intent) => `${intent}: ${intents[intent].about}`);
    return {
      says: [
        `An operation file is {"version": "1.0.0", "operations": [{"intent": …, …}]}. ${intentNames.length} intents:`,
        ...about,
        "For the fields, the rules and an example of one: name.",
      ],
    };
  }
  const schema = definitionOf(name);
  if (schema === undefined) {
    const [near] = nearest(name, intentNames);
    throw new CliError(`there is no intent or type ${name}${near ? `; did you mean ${near}?` : ""}`);
  }
  const types = new Set(
    [...JSON.stringify(schema).matchAll(/"\$ref":"([^"]+)"/g)].map(([, ref = ""]) => definitionName(ref)),
  );
  return {
    says: [
      ...(isIntent(name) ? [sectionOf(name)] : []),
      "JSON Schema, in which a template in braces may stand for every value:",
      JSON.stringify(schema),
      ...(types.size > 0 ? [`For a type that it refers to: name, one of ${[...types].join(", ")}.`] : []),
    ],
  };
}

/** A definition in the JSON Schema of files: of an intent, or of a type that they refer to. */
function definitionOf(name: string): JsonSchema | undefined {
  const { definitions = {} }: JsonSchema = JSON.parse(readFileSync(jsonSchemaFile, "utf8"));
  return new Map(Object.entries(definitions)).get(name);
}

/** The section of an intent in the documentation: its meaning, its fields, an example. */
function sectionOf(intent: string): string {
  const page = readPage(intentsPage);
  const start = page.indexOf(`\n## ${intent}\n`);
  const end = page.indexOf("\n## ", start + 1);
  return page.slice(start, end).trim();
}
