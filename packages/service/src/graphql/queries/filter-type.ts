import { GraphQLInputObjectType, type GraphQLInputObjectTypeConfig } from "graphql";

export const filterType = (name: string, fields: GraphQLInputObjectTypeConfig["fields"]) =>
  new GraphQLInputObjectType({ name, description: "All given conditions must hold.", fields });
