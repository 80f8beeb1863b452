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

/** The types of fields and arguments that are never null. */
export const id = new GraphQLNonNull(GraphQLID);
export const text = new GraphQLNonNull(GraphQLString);
export const integer = new GraphQLNonNull(GraphQLInt);
export const float = new GraphQLNonNull(GraphQLFloat);
export const boolean = new GraphQLNonNull(GraphQLBoolean);
export const time = new GraphQLNonNull(GraphQLDateTime);

/** `[Type!]!`: the list is always there, and so is each of its entries. */
export const listOf = (type: GraphQLOutputType) =>
  new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(getNullableType(type))));
