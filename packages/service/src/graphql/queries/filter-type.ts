import { GraphQLInputObjectType, type GraphQLInputObjectTypeConfig } from "graphql";

/** The input type of a list's filter, by the name of the type. */
export const filterType = (name: string, fields: GraphQLInputObjectTypeConfig["fields"]) =>
  new GraphQLInputObjectType({ name, description: "All given conditions must hold.", fields });
