import type { initGraphQLTada, ResultOf, TadaDocumentNode } from "gql.tada";
import type { introspection as coreSchema } from "../../generated/core-schema.d.ts";
import type { introspection as operatorSchema } from "../../generated/operator-schema.d.ts";

interface Setup<Introspection> {
  introspection: Introspection;
  disableMasking: true;
  scalars: { DateTime: string; JSON: unknown };
}

/** A query or mutation with the types of its answer's fields and of its variables. Its value is its text. */
export type TypedDocument<Data = unknown, Variables = unknown> = TadaDocumentNode<Data, Variables>;

/** The answer of a document, all of whose fields were found. */
export type AnswerOf<Document> = Found<ResultOf<Document>>;

/** The fields of an answer without null. */
export type Found<Data> = { [Field in keyof Data]: NonNullable<Data[Field]> };

/** The text of a document, with the fragments that it names. */
const documentText = (text: string, fragments: readonly string[] = []) => [text, ...fragments].join("\n");

/**
 * Types a document of the Core API by the service's schema at compile time. Only the types of gql.tada are used: the
 * value is the text to send, and nothing is loaded to parse it.
 */
export const graphql = documentText as unknown as ReturnType<typeof initGraphQLTada<Setup<coreSchema>>>;

/** Types a document of the operator's API, as `graphql` does. */
export const operatorGraphql = documentText as unknown as ReturnType<
  typeof initGraphQLTada<Setup<operatorSchema>>
>;

/** A document built from parts, typed by what it selects. */
export const composed = <Data, Variables>(text: string) => text as unknown as TypedDocument<Data, Variables>;

/** A failure with all its errors. */
export const failure = graphql(`fragment Failure on BasicError { error errorName errors { message path } }`);

export type { ResultOf, VariablesOf } from "gql.tada";
