import {
  type GraphQLFieldConfigMap,
  GraphQLInterfaceType,
  type GraphQLNamedType,
  GraphQLObjectType,
  GraphQLString,
  isInterfaceType,
  isObjectType,
} from "graphql";
import { errorNames, type Rejection } from "../../errors.ts";
import { listOf, text } from "../derive/non-null.ts";
import { GraphQLJson } from "../derive/scalars.ts";

export const ErrorDetail = new GraphQLObjectType({
  name: "ErrorDetail",
  description: "One problem of the input, and its location.",
  fields: {
    code: { type: text },
    message: { type: text },
    path: {
      type: listOf(GraphQLJson),
      description: "The location in the input: names of fields and positions in lists, from 0.",
    },
    componentId: { type: GraphQLString, description: "The component concerned." },
  },
});

const fields: GraphQLFieldConfigMap<FailureSource, unknown> = {
  error: { type: text, description: "The same as `message`.", resolve: ({ rejection }) => rejection.message },
  errorName: { type: text, resolve: ({ rejection }) => rejection.name },
  message: { type: text, resolve: ({ rejection }) => rejection.message },
  errors: {
    type: listOf(ErrorDetail),
    description: "All problems, as in the log entry of an operation: at least the message.",
    resolve: ({ rejection, input }) =>
      rejection.errors.map((detail) => ({ ...detail, componentId: componentAt(input, detail.path) })),
  },
};

/** An expected failure as a value of a result union; the paths of its details lead into `input`. */
export interface FailureSource {
  rejection: Rejection;
  input?: unknown;
}

/** The fields that every expected failure has. */
const BasicError = new GraphQLInterfaceType({
  name: "BasicError",
  description: "An expected failure. A defect is an entry of the answer's `errors` instead.",
  fields,
});

const concreteErrors = Object.entries(errorNames).map(
  ([name, { meaning }]) =>
    new GraphQLObjectType({ name, description: meaning, interfaces: [BasicError], fields }),
);

export const GenericError = new GraphQLObjectType({
  name: "GenericError",
  description: "An expected failure without a type of its own; `errorName` names it.",
  interfaces: [BasicError],
  fields,
});

/** Every failure type: one per name in the table of errors, and `GenericError`. */
export const errorTypes: readonly GraphQLObjectType[] = [...concreteErrors, GenericError];

/** True for `BasicError` and the types that implement it. */
export function isErrorType(type: GraphQLNamedType | undefined): boolean {
  if (type === BasicError) return true;
  return (isObjectType(type) || isInterfaceType(type)) && type.getInterfaces().includes(BasicError);
}

/** The id of the innermost component on a path through the input. */
function componentAt(input: unknown, path: readonly (string | number)[]): string | null {
  let value = input;
  let innermost: string | null = null;
  for (const key of path) {
    value = memberOf(value, key);
    const id = memberOf(value, "componentId");
    if (typeof id === "string") innermost = id;
  }
  return innermost;
}

const memberOf = (value: unknown, key: string | number): unknown =>
  typeof value === "object" && value !== null ? Reflect.get(value, key) : undefined;
