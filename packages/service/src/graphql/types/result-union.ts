import { type GraphQLObjectType, GraphQLUnionType } from "graphql";
import { errorNames } from "../../errors.ts";
import { errorTypes, type FailureSource, GenericError } from "./errors.ts";

/**
 * The union of possible results: the successes and every error, so that each rejection has its own type. `successOf`
 * names the type of a success; needed only if there are several.
 */
export function resultUnion<Success>(
  name: string,
  successes: readonly [GraphQLObjectType, ...GraphQLObjectType[]],
  successOf: (value: Success) => string = () => successes[0].name,
): GraphQLUnionType {
  return new GraphQLUnionType({
    name,
    types: [...successes, ...errorTypes],
    resolveType(value) {
      if (!isFailure(value)) return successOf(value);
      return value.rejection.name in errorNames ? value.rejection.name : GenericError.name;
    },
  });
}

const isFailure = (value: unknown): value is FailureSource =>
  typeof value === "object" && value !== null && "rejection" in value;
