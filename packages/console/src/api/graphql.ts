import type { initGraphQLTada } from "gql.tada";
import type { introspection } from "../../generated/core-schema.d.ts";

interface Setup {
  introspection: introspection;
  disableMasking: true;
  scalars: { DateTime: string; JSON: unknown };
}

/** A document of the Core API as text, with its fragments. */
const documentText = (text: string, fragments: readonly string[] = []) =>
  // Nested fragments come along with each of them, and may be defined only once.
  [...new Set([text, ...fragments].flatMap((part) => part.split(separator)))].join(separator);

const separator = "\n#\n";

/**
 * Types a query by the service's schema at type-check time. The result is the text to send; the browser
 * parses nothing.
 */
// gql.tada types what it calls a parsed document. Only its types are used: the value is a string.
export const graphql = documentText as unknown as ReturnType<typeof initGraphQLTada<Setup>>;

/** A row of what a field answers: of a connection, or of a result that may be one. */
export type NodeOf<Answer> = Extract<
  NonNullable<Answer>,
  { edges: { node: unknown }[] }
>["edges"][number]["node"];

export type { ResultOf, TadaDocumentNode, VariablesOf } from "gql.tada";
