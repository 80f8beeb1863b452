import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  GraphQLError,
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isUnionType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from "graphql";
import { defaultFirst } from "./connection.ts";
import { maximumCost, maximumDepth } from "./limits.ts";

type Variables = Readonly<Record<string, unknown>>;

/** How many objects a selection asks for, and how many selections stand within each other, fragments opened. */
interface Size {
  cost: number;
  depth: number;
}

interface Measuring {
  schema: GraphQLSchema;
  operation: OperationDefinitionNode;
  variables: Variables;
  fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  /** Each fragment is measured once, however often it is spread. */
  measured: Map<FragmentDefinitionNode, Size>;
}

/**
 * Why a valid query is not executed: it asks for more than `maximumCost` objects, where a list counts as many as it is asked
 * for by `first`, or its selections are nested deeper than `maximumDepth` when its fragments are opened. Else undefined.
 */
export function refusalOfCost(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | null | undefined,
  variables: Variables,
): GraphQLError | undefined {
  const operation = operationOf(document, operationName);
  const root = operation && schema.getRootType(operation.operation);
  if (!operation || !root) return undefined;
  const fragments = new Map(
    document.definitions.flatMap((one) =>
      one.kind === Kind.FRAGMENT_DEFINITION ? [[one.name.value, one] as const] : [],
    ),
  );
  const measuring = { schema, operation, variables, fragments, measured: new Map() };
  const { cost, depth } = sizeOf(operation.selectionSet, root, measuring);
  if (depth > maximumDepth)
    return refusal(
      "GRAPHQL_NESTED_TOO_DEEPLY",
      `The query is nested deeper than ${maximumDepth} levels: ${depth}, with its fragments opened.`,
    );
  if (cost > maximumCost)
    return refusal(
      "GRAPHQL_TOO_COSTLY",
      `The query asks for up to ${cost} objects; the limit is ${maximumCost}. Ask lists for fewer with "first".`,
    );
  return undefined;
}

const refusal = (code: string, message: string) => new GraphQLError(message, { extensions: { code } });

function operationOf(document: DocumentNode, name: string | null | undefined) {
  const operations = document.definitions.filter((one) => one.kind === Kind.OPERATION_DEFINITION);
  return name ? operations.find((one) => one.name?.value === name) : operations[0];
}

function sizeOf(selections: SelectionSetNode, parent: GraphQLCompositeType, measuring: Measuring): Size {
  const sizes = selections.selections.map((selection): Size => {
    if (selection.kind === Kind.FIELD) return sizeOfField(selection, parent, measuring);
    if (selection.kind === Kind.FRAGMENT_SPREAD) return sizeOfFragment(selection.name.value, measuring);
    const type = selection.typeCondition && measuring.schema.getType(selection.typeCondition.name.value);
    return sizeOf(selection.selectionSet, isCompositeType(type) ? type : parent, measuring);
  });
  return {
    cost: sizes.reduce((sum, { cost }) => sum + cost, 0),
    depth: sizes.reduce((deepest, { depth }) => Math.max(deepest, depth), 0),
  };
}

function sizeOfFragment(name: string, measuring: Measuring): Size {
  const fragment = measuring.fragments.get(name);
  const type = fragment && measuring.schema.getType(fragment.typeCondition.name.value);
  if (!fragment || !isCompositeType(type)) return { cost: 0, depth: 0 };
  const known = measuring.measured.get(fragment);
  if (known) return known;
  const size = sizeOf(fragment.selectionSet, type, measuring);
  measuring.measured.set(fragment, size);
  return size;
}

function sizeOfField(node: FieldNode, parent: GraphQLCompositeType, measuring: Measuring): Size {
  const field = isUnionType(parent) ? undefined : parent.getFields()[node.name.value];
  const type = getNamedType(field?.type);
  if (!node.selectionSet || !field || !isCompositeType(type)) return { cost: 0, depth: 1 };
  const { cost, depth } = sizeOf(node.selectionSet, type, measuring);
  return { cost: entriesOf(node, field, measuring) * (1 + cost), depth: depth + 1 };
}

/** How many objects a field asks for: as many as its page has, if it is a list with pages. */
function entriesOf(
  node: FieldNode,
  { args }: GraphQLField<unknown, unknown>,
  { variables, operation }: Measuring,
): number {
  const given = args.filter(({ name }) => name === "first" || name === "last");
  if (given.length === 0) return 1;
  for (const { name, value } of node.arguments ?? []) {
    if (!given.some((one) => one.name === name.value)) continue;
    const meant =
      value.kind === Kind.VARIABLE
        ? (variables[value.name.value] ?? defaultOf(operation, value.name.value))
        : value.kind === Kind.INT && value.value;
    if (Number(meant) > 0) return Number(meant);
  }
  return defaultFirst;
}

/** The number that a variable stands for when none is given. */
function defaultOf({ variableDefinitions }: OperationDefinitionNode, name: string): string | undefined {
  const definition = variableDefinitions?.find(({ variable }) => variable.name.value === name);
  return definition?.defaultValue?.kind === Kind.INT ? definition.defaultValue.value : undefined;
}
