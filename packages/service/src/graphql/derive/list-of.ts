import { GraphQLList, GraphQLNonNull, type GraphQLOutputType, getNullableType } from "graphql";

/** `[Type!]!`: the list is always there, and so is each of its entries. */
export const listOf = (type: GraphQLOutputType) =>
  new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(getNullableType(type))));
