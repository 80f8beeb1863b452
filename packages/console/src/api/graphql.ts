import type { initGraphQLTada } from "gql.tada";
import type { introspection } from "../../generated/core-schema.d.ts";

interface Setup {
  introspection: introspection;
  disableMasking: true;
  scalars: { DateTime: string; JSON: unknown };
}

/** A document of the Core API as text, with its fragments. */
const documentText = (text: string, fragments: readonly string[] = []) =>
  // Fragments of fragments come along with each of them, and may be named once only.
  [...new Set([text, ...fragments].flatMap((part) => part.split(separator)))].join(separator);

const separator = "\n#\n";

/**
 * Types a query by the schema of the service, when types are checked. What comes out is the text that is sent; nothing
 * is parsed in the browser.
 */
// gql.tada types what it calls a parsed document. Only the types are used of it: the value is a text.
export const graphql = documentText as unknown as ReturnType<typeof initGraphQLTada<Setup>>;

export type { ResultOf, TadaDocumentNode, VariablesOf } from "gql.tada";
