import {
  type ConstValueNode,
  GraphQLEnumType,
  GraphQLInputObjectType,
  type GraphQLInputObjectTypeConfig,
  Kind,
} from "graphql";

/**
 * An enum whose values may also be written as strings: clients write `type: individual` in one query and `type:
 * "individual"` in the next.
 */
export const lenientEnum = <Value extends string>(
  name: string,
  values: readonly Value[],
  descriptions?: Readonly<Record<Value, string>>,
): GraphQLEnumType =>
  new LenientEnum({
    name,
    values: Object.fromEntries(
      values.map((value) => [value, { value, description: descriptions?.[value] ?? null }]),
    ),
  });

class LenientEnum extends GraphQLEnumType {
  override coerceInputLiteral(node: ConstValueNode, hideSuggestions?: boolean | null) {
    const literal: ConstValueNode =
      node.kind === Kind.STRING ? { kind: Kind.ENUM, value: node.value, loc: node.loc } : node;
    return super.coerceInputLiteral(literal, hideSuggestions);
  }
}

export const filterType = (name: string, fields: GraphQLInputObjectTypeConfig["fields"]) =>
  new GraphQLInputObjectType({ name, description: "All given conditions must hold.", fields });
