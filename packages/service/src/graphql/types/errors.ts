import {
  type GraphQLFieldConfigMap,
  GraphQLInterfaceType,
  type GraphQLNamedType,
  GraphQLNonNull,
  GraphQLObjectType,
  GraphQLString,
  GraphQLUnionType,
  isInterfaceType,
  isObjectType,
} from "graphql";
import { type ErrorName, errorNames, type Rejection } from "../../errors.ts";
import { listOf } from "../derive/list-of.ts";
import { GraphQLJson } from "../derive/scalars.ts";

const text = new GraphQLNonNull(GraphQLString);

export const ErrorDetail = new GraphQLObjectType({
  name: "ErrorDetail",
  description: "One thing that is wrong, and where.",
  fields: {
    code: { type: text },
    message: { type: text },
    path: {
      type: listOf(GraphQLJson),
      description: "Where in the input: names of fields and positions in lists, from 0.",
    },
    componentId: { type: GraphQLString, description: "The component that it is about." },
  },
});

const fields: GraphQLFieldConfigMap<FailureSource, unknown> = {
  error: { type: text, description: "The same as `message`.", resolve: ({ rejection }) => rejection.message },
  errorName: { type: text, resolve: ({ rejection }) => rejection.name },
  message: { type: text, resolve: ({ rejection }) => rejection.message },
  errors: {
    type: listOf(ErrorDetail),
    description: "All that is wrong, where more than the message is known.",
    resolve: ({ rejection, input }) =>
      rejection.errors.map((detail) => ({ ...detail, componentId: componentAt(input, detail.path) })),
  },
};

/** An expected failure as a value of a result union; `input` is what the paths of its details lead into. */
export interface FailureSource {
  rejection: Rejection;
  input?: unknown;
}

const isFailure = (value: unknown): value is FailureSource =>
  typeof value === "object" && value !== null && "rejection" in value;

/** What every expected failure has in common. */
export const BasicError = new GraphQLInterfaceType({
  name: "BasicError",
  description: "An expected failure. What a defect throws is an entry of the answer's `errors` instead.",
  fields,
});

const concreteErrors = Object.entries(errorNames).map(
  ([name, { meaning }]) =>
    new GraphQLObjectType({ name, description: meaning, interfaces: [BasicError], fields }),
);

const GenericError = new GraphQLObjectType({
  name: "GenericError",
  description: "An expected failure that has no type of its own; `errorName` says which.",
  interfaces: [BasicError],
  fields,
});

/** Every type of a failure: one for each name in the table of errors, and `GenericError`. */
export const errorTypes: readonly GraphQLObjectType[] = [...concreteErrors, GenericError];

const concreteNames = new Set<string>(Object.keys(errorNames) satisfies string[] as ErrorName[]);

/** Whether a type is `BasicError` or implements it. */
export function isErrorType(type: GraphQLNamedType | undefined): boolean {
  if (type === BasicError) return true;
  return (isObjectType(type) || isInterfaceType(type)) && type.getInterfaces().includes(BasicError);
}

/**
 * The union of what may come out: the successes and every error, so that whatever a command rejects with has its
 * own type. `successOf` names the type of a value that is no failure; needed only if there are several.
 */
export function outcome(
  name: string,
  successes: readonly GraphQLObjectType[],
  successOf: (value: never) => string = () => successes[0]!.name,
): GraphQLUnionType {
  return new GraphQLUnionType({
    name,
    types: [...successes, ...errorTypes],
    resolveType: (value) => {
      if (!isFailure(value)) return successOf(value as never);
      return concreteNames.has(value.rejection.name) ? value.rejection.name : GenericError.name;
    },
  });
}

/** The id of the innermost component that a path leads into. */
function componentAt(input: unknown, path: readonly (string | number)[]): string | null {
  let value = input as Record<string | number, unknown> | null | undefined;
  let found: string | null = null;
  for (const key of path) {
    value = value?.[key] as typeof value;
    if (typeof value?.componentId === "string") found = value.componentId;
  }
  return found;
}
