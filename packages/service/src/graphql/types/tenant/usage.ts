import { GraphQLObjectType } from "graphql";
import { float } from "../../derive/non-null.ts";

export const TenantUsage = new GraphQLObjectType({
  name: "TenantUsage",
  description: "The size of a tenant, counted when selected.",
  fields: {
    items: { type: float },
    productVariants: { type: float },
    customers: { type: float },
    orders: { type: float },
    bulkTasks: { type: float },
    operations: { type: float, description: "Executed by bulk tasks so far." },
  },
});
