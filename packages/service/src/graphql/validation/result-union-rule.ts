import {
  type ASTVisitor,
  type FieldNode,
  GraphQLError,
  type GraphQLUnionType,
  getNamedType,
  isAbstractType,
  isUnionType,
  Kind,
  type SelectionSetNode,
  type ValidationContext,
} from "graphql";
import { isErrorType } from "../types/errors.ts";

/** Fields whose success reports failures per item: clients select it alone. */
const withoutFragments: ReadonlySet<string> = new Set(["publishItems", "unpublishItems"]);

/**
 * A field that answers a union with errors must select both outcomes: a fragment on a success and one on `BasicError`
 * or errors of its own, directly or through named fragments. `publishItems` and `unpublishItems` are exempt.
 */
export function ResultUnionRule(context: ValidationContext): ASTVisitor {
  return {
    Field(node) {
      if (context.getParentType()?.name === "Mutation" && withoutFragments.has(node.name.value)) return;
      const type = getNamedType(context.getType() ?? undefined);
      if (!isUnionType(type) || !type.getTypes().some(isErrorType)) return;
      const selected = [...selectedTypes(context, type, node.selectionSet)];
      const hasError = selected.some((name) => isErrorType(context.getSchema().getType(name)));
      const hasSuccess = selected.some((name) => coversSuccess(context, type, name));
      if (!hasError || !hasSuccess) context.reportError(missing(node, type, { hasError, hasSuccess }));
    },
  };
}

/** The type conditions in a selection set; looks into fragments that don't narrow the union. */
function* selectedTypes(
  context: ValidationContext,
  union: GraphQLUnionType,
  selectionSet: SelectionSetNode | undefined,
  visited = new Set<SelectionSetNode>(),
): Generator<string> {
  for (const selection of selectionSet?.selections ?? []) {
    if (selection.kind === Kind.FIELD) continue;
    const inline = selection.kind === Kind.INLINE_FRAGMENT;
    const fragment = inline ? selection : context.getFragment(selection.name.value);
    if (!fragment || visited.has(fragment.selectionSet)) continue;
    visited.add(fragment.selectionSet);
    const name = fragment.typeCondition?.name.value ?? union.name;
    if (name !== union.name) yield name;
    else yield* selectedTypes(context, union, fragment.selectionSet, visited);
  }
}

function coversSuccess(context: ValidationContext, union: GraphQLUnionType, name: string): boolean {
  const type = context.getSchema().getType(name);
  if (type === undefined || isErrorType(type)) return false;
  return union
    .getTypes()
    .some(
      (member) => member === type || (isAbstractType(type) && context.getSchema().isSubType(type, member)),
    );
}

function missing(
  field: FieldNode,
  union: GraphQLUnionType,
  { hasError, hasSuccess }: { hasError: boolean; hasSuccess: boolean },
): GraphQLError {
  const success = `... on ${union.getTypes()[0]?.name} { … }`;
  const error = "... on BasicError { error errorName }";
  const lacking = [...(hasSuccess ? [] : ["of a success"]), ...(hasError ? [] : ["of BasicError"])];
  return new GraphQLError(
    `The field "${field.name.value}" can succeed or fail, and its selection lacks the fragment ` +
      `${lacking.join(" and that ")}. Select both: ${field.name.value} { ${success} ${error} }`,
    { nodes: field },
  );
}
