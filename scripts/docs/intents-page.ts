import { readFileSync } from "node:fs";
import {
  definitionName,
  type Intent,
  intentNames,
  intents,
  isEnvelopeField,
  type JsonSchema,
  massOperationJsonSchema,
  resultProperties,
} from "@lading/schema/internal";
import { mutations } from "../../packages/service/src/graphql/entities.ts";
import { errorsOf } from "./intent-errors.ts";
import { code } from "./markdown.ts";

const { definitions = {} } = massOperationJsonSchema();

const definitionOf = (name: string): JsonSchema => definitions[name] ?? {};

/** Definitions described in words, because every page of the documentation knows them. */
const words: Readonly<Record<string, string>> = { Id: "id", DateTime: "date and time" };

const example = readFileSync(new URL("../../examples/every-intent.json", import.meta.url), "utf8");
const operations: { intent: string }[] = JSON.parse(example).operations;

/** One section per intent: its purpose, fields, look-ups, result, errors and an example. */
export function intentSections(): string {
  return intentNames.map(section).join("\n");
}

function section(intent: Intent): string {
  const lines = [
    `## ${intent}`,
    `${intents[intent].about}.`,
    `- Looks up: ${lookUp(intent)}`,
    `- Mutation: ${code(mutations[intent].mutation)}`,
    `- Result: ${resultOf(intent)}`,
    `- Errors: ${errorsOf(intent).map(code).join(", ")}`,
    ...(intents[intent].ours ? ["- `@crystallize/schema`: does not have it"] : []),
  ];
  const [title, purpose, ...facts] = lines;
  const fields = fieldTable(definitionOf(intent));
  return `${title}\n\n${purpose}\n\n${facts.join("\n")}\n\n${fields}\n${exampleOf(intent)}`;
}

/** The fields by which an intent finds its entity, in order of precedence. */
const identities = [
  "itemId",
  "topicId",
  "id",
  "sku",
  "identifier",
  "code",
  "key",
  "stageIdentifier",
  "resourceIdentifier",
];

function lookUp(intent: Intent): string {
  const { properties = {} } = definitionOf(intent);
  if (/\/(?:create|register)$/.test(intent)) return "nothing, it creates a new one";
  if (intent === "image/register") return code("key");
  const upsertsItem = /^(?:folder|document|product)\/upsert$/.test(intent);
  const upsertsByName = /^(?:vatType|orderPipeline)\/upsert$/.test(intent);
  const names = [
    ...identities,
    ...(upsertsItem ? ["externalReference"] : []),
    ...(upsertsByName ? ["name"] : []),
  ];
  return names
    .filter((name) => Object.hasOwn(properties, name))
    .map(code)
    .join(", else ");
}

function resultOf(intent: Intent): string {
  const branches = resultProperties[intent];
  if (branches.length > 1) return `that of ${branches.map((branch) => code(branch.intent)).join(" or ")}`;
  return (branches[0]?.properties ?? []).map((path) => code(path.join("."))).join(", ");
}

function exampleOf(intent: Intent): string {
  const operation = operations.find((each) => each.intent === intent);
  if (operation === undefined) throw new Error(`examples/every-intent.json has no ${intent}`);
  return `\`\`\`json\n${JSON.stringify(operation, null, 2)}\n\`\`\`\n`;
}

/** One section per type that the fields of intents, or of other types, name. */
export function typeSections(): string {
  const names = Object.keys(definitions).filter(
    (name) =>
      !(name in intents) &&
      !(name in words) &&
      !["Template", "Reference", "Source", "Results"].includes(name),
  );
  return names
    .map((name) => {
      const { description, properties } = definitionOf(name);
      const text = properties === undefined ? `${capital(typeOf(definitionOf(name)))}.\n` : "";
      const fields = properties === undefined ? "" : fieldTable(definitionOf(name));
      return `### ${name}\n\n${description === undefined ? "" : `${description}.\n\n`}${text}${fields}`;
    })
    .join("\n");
}

function fieldTable({ properties = {}, required = [] }: JsonSchema): string {
  const rows = Object.entries(properties)
    .filter(([name]) => !isEnvelopeField(name))
    .map(([name, schema]) => {
      const cells = [code(name), typeOf(schema), required.includes(name) ? "yes" : "", meaningOf(schema)];
      return `| ${cells.join(" | ")} |\n`;
    });
  return `| Field | Type | Required | Meaning |\n| --- | --- | --- | --- |\n${rows.join("")}`;
}

function meaningOf(schema: JsonSchema): string {
  const values = valuesOf(schema).map(([value, meaning]) => `${code(value)} ${meaning}`);
  return [schema.description, ...(values.length > 0 ? [values.join("; ")] : [])].join(": ");
}

function valuesOf(schema: JsonSchema): [value: string, meaning: string][] {
  const own = schema.enum?.map((value, i): [string, string] => [value, schema.enumDescriptions?.[i] ?? ""]);
  return own ?? [...(schema.anyOf ?? []), ...(schema.items ? [schema.items] : [])].flatMap(valuesOf);
}

/** A type in words. Above, the page says once that a template may replace any scalar. */
function typeOf(schema: JsonSchema): string {
  if (schema.$ref !== undefined) return named(definitionName(schema.$ref));
  if (schema.allOf?.[0] !== undefined) return typeOf(schema.allOf[0]);
  if (schema.anyOf !== undefined) return alternatives(schema.anyOf);
  if (Array.isArray(schema.type)) return alternatives(schema.type.map((type) => ({ ...schema, type })));
  if (schema.enum !== undefined) return schema.enum.map(code).join(", ");
  if (schema.items !== undefined)
    return `list of ${typeOf(schema.items)}${schema.minItems ? `, at least ${schema.minItems}` : ""}`;
  return scalar(schema);
}

function alternatives(all: readonly JsonSchema[]): string {
  const given = all.filter(({ $ref }) => $ref === undefined || definitionName($ref) !== "Template");
  const texts = [...new Set(given.map(typeOf))];
  return texts.join(" or ");
}

function named(name: string): string {
  return words[name] ?? `[${name}](#${name.toLowerCase()})`;
}

const scalars: Readonly<Record<string, string>> = {
  string: "text",
  integer: "whole number",
  null: "null",
};

function scalar({ type, minimum, exclusiveMinimum, minLength, maxLength }: JsonSchema): string {
  const name = scalars[type as string] ?? (type as string | undefined) ?? "any JSON value";
  if (type === "string" && maxLength !== undefined)
    return `${name} of ${minLength} to ${maxLength} characters`;
  if (minimum !== undefined && minimum > -1e9) return `${name}, at least ${minimum}`;
  if (exclusiveMinimum !== undefined) return `${name}, more than ${exclusiveMinimum}`;
  return name;
}

const capital = (text: string) => `${text[0]?.toUpperCase()}${text.slice(1)}`;
