import {
  GraphQLBoolean,
  GraphQLFloat,
  GraphQLID,
  GraphQLInt,
  GraphQLList,
  GraphQLNonNull,
  type GraphQLOutputType,
  GraphQLString,
  getNullableType,
} from "graphql";
import { GraphQLDateTime } from "./scalars.ts";

/** Field and argument types that are never null. */
export const id = new GraphQLNonNull(GraphQLID);
export const text = new GraphQLNonNull(GraphQLString);
export const integer = new GraphQLNonNull(GraphQLInt);
export const float = new GraphQLNonNull(GraphQLFloat);
export const boolean = new GraphQLNonNull(GraphQLBoolean);
export const time = new GraphQLNonNull(GraphQLDateTime);

/** `[Type!]!`: neither the list nor its entries are null. */
export const listOf = (type: GraphQLOutputType) =>
  new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(getNullableType(type))));
