import { type ASTNode, GraphQLError, GraphQLScalarType, Kind, valueFromASTUntyped } from "graphql";

/** Any JSON value. */
export const GraphQLJson = new GraphQLScalarType({
  name: "JSON",
  description: "Any JSON value.",
  parseValue: (value) => value,
  parseLiteral: (node, variables) => valueFromASTUntyped(node, variables),
});

/** A date and time as text, kept as written; the reader of the value validates it. */
export const GraphQLDateTime = new GraphQLScalarType<string, unknown>({
  name: "DateTime",
  description: "A date and time in ISO 8601, such as `2026-01-31T12:00:00Z`, or a date alone.",
  serialize: (value) => value,
  parseValue: (value) => asText(value),
  parseLiteral: (node) => asText(node.kind === Kind.STRING ? node.value : undefined, node),
});

function asText(value: unknown, node?: ASTNode): string {
  if (typeof value === "string") return value;
  throw new GraphQLError("A DateTime must be a string", { nodes: node });
}
