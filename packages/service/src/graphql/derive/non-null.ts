import { GraphQLBoolean, GraphQLFloat, GraphQLID, GraphQLInt, GraphQLNonNull, GraphQLString } from "graphql";
import { GraphQLDateTime } from "./scalars.ts";

/** The types of fields and arguments that are never null. */
export const id = new GraphQLNonNull(GraphQLID);
export const text = new GraphQLNonNull(GraphQLString);
export const integer = new GraphQLNonNull(GraphQLInt);
export const float = new GraphQLNonNull(GraphQLFloat);
export const boolean = new GraphQLNonNull(GraphQLBoolean);
export const time = new GraphQLNonNull(GraphQLDateTime);
