import {
  type ASTVisitor,
  type FragmentSpreadNode,
  GraphQLEnumType,
  GraphQLError,
  type GraphQLType,
  getNamedType,
  type InlineFragmentNode,
  isListType,
  isNonNullType,
  Kind,
  PossibleFragmentSpreadsRule,
  specifiedRules,
  typeFromAST,
  type ValidationContext,
  type ValidationRule,
  type ValueNode,
  type VariableDefinitionNode,
  VariablesInAllowedPositionRule,
} from "graphql";
import { isErrorType } from "../types/errors.ts";

/**
 * GraphQL's own rules with two of them relaxed, because existing clients break them. The rule of result unions is
 * separate.
 */
export const lenientRules: readonly ValidationRule[] = specifiedRules.map((rule) => {
  if (rule === VariablesInAllowedPositionRule) return LenientVariablesRule;
  if (rule === PossibleFragmentSpreadsRule) return LenientFragmentsRule;
  return rule;
});

/**
 * Variables of text types (ID, String, DateTime, any enum) are interchangeable, and an Int variable may stand for a
 * Float; lists and nullability count as in GraphQL's rule.
 */
function LenientVariablesRule(context: ValidationContext): ASTVisitor {
  let definitions = new Map<string, VariableDefinitionNode>();
  return {
    OperationDefinition: {
      enter() {
        definitions = new Map();
      },
      leave(operation) {
        for (const { node, type, defaultValue } of context.getRecursiveVariableUsages(operation)) {
          const definition = definitions.get(node.name.value);
          const given = definition && typeFromAST(context.getSchema(), definition.type);
          if (!definition || !given || !type) continue;
          if (fitsWithDefaults(given, definition.defaultValue, type, defaultValue)) continue;
          const message =
            `Variable "$${node.name.value}" is declared as ${given}, ` +
            `but is used where ${type} is expected.`;
          context.reportError(new GraphQLError(message, { nodes: [definition, node] }));
        }
      },
    },
    VariableDefinition(node) {
      definitions.set(node.variable.name.value, node);
    },
  };
}

/** A nullable variable may be used for a non-null value if either side has a default. */
function fitsWithDefaults(
  given: GraphQLType,
  variableDefault: ValueNode | undefined,
  expected: GraphQLType,
  placeDefault: unknown,
): boolean {
  if (!isNonNullType(expected) || isNonNullType(given)) return fits(given, expected);
  const hasDefault = variableDefault !== undefined && variableDefault.kind !== Kind.NULL;
  return (hasDefault || placeDefault !== undefined) && fits(given, expected.ofType);
}

function fits(given: GraphQLType, expected: GraphQLType): boolean {
  if (isNonNullType(expected)) return isNonNullType(given) && fits(given.ofType, expected.ofType);
  if (isNonNullType(given)) return fits(given.ofType, expected);
  if (isListType(expected)) return isListType(given) && fits(given.ofType, expected.ofType);
  if (isListType(given)) return false;
  return given === expected || (isText(given) && isText(expected)) || isWidened(given, expected);
}

const textTypes = ["ID", "String", "DateTime"];
const isText = (type: GraphQLType) =>
  type instanceof GraphQLEnumType || textTypes.includes(getNamedType(type).name);

const isWidened = (given: GraphQLType, expected: GraphQLType) =>
  getNamedType(given).name === "Int" && getNamedType(expected).name === "Float";

/** An error fragment may be spread anywhere: on a type that is never an error it matches nothing. */
function LenientFragmentsRule(context: ValidationContext): ASTVisitor {
  const strict = PossibleFragmentSpreadsRule(context) as {
    InlineFragment(node: InlineFragmentNode): void;
    FragmentSpread(node: FragmentSpreadNode): void;
  };
  const isError = (name: string | undefined) =>
    name !== undefined && isErrorType(context.getSchema().getType(name));
  return {
    InlineFragment(node) {
      if (!isError(node.typeCondition?.name.value)) strict.InlineFragment(node);
    },
    FragmentSpread(node) {
      if (!isError(context.getFragment(node.name.value)?.typeCondition.name.value))
        strict.FragmentSpread(node);
    },
  };
}
