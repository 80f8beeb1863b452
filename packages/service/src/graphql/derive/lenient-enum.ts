import { GraphQLEnumType, Kind, type ValueNode } from "graphql";

/**
 * An enum whose values are their own names, and of which a text may also name the value: clients write
 * `type: individual` in one query and `type: "individual"` in the next (design, section 3).
 */
export function lenientEnum(name: string, values: readonly string[], description?: string): GraphQLEnumType {
  const type = new GraphQLEnumType({
    name,
    description: description ?? null,
    values: Object.fromEntries(values.map((value) => [value, { value }])),
  });
  const strict = type.parseLiteral.bind(type);
  type.parseLiteral = (node: ValueNode, variables) =>
    strict(node.kind === Kind.STRING ? { kind: Kind.ENUM, value: node.value } : node, variables);
  return type;
}
