import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  GraphQLError,
  type GraphQLField,
  GraphQLIncludeDirective,
  type GraphQLSchema,
  GraphQLSkipDirective,
  getArgumentValues,
  getDirectiveValues,
  getNamedType,
  getNullableType,
  getOperationAST,
  getVariableValues,
  isCompositeType,
  isListType,
  isUnionType,
  Kind,
  SchemaMetaFieldDef,
  type SelectionNode,
  type SelectionSetNode,
  TypeMetaFieldDef,
} from "graphql";
import { defaultFirst } from "../types/connection.ts";
import { answerLimits, errorsAbout, maximumDepth, maximumLargeReads } from "./query-limits.ts";

type VariableValues = NonNullable<ReturnType<typeof getVariableValues>["variableValues"]>;

/** The size and depth of a selection, with fragments expanded. */
interface Size {
  /** Fields, including nested ones. */
  values: number;
  /** The selection's own lists with one entry each, and their content: multiplied by the page size. */
  perEntry: number;
  /** Paged lists: each is one or two queries to the database, however short its page is. */
  lists: number;
  /** Fields looked up per alias: those of the query itself, and all with arguments. */
  lookups: number;
  /** Expensive fields (`readsMuch`). */
  reads: number;
  depth: number;
}

const nothing: Size = { values: 0, perEntry: 0, lists: 0, lookups: 0, reads: 0, depth: 0 };

interface Measuring {
  schema: GraphQLSchema;
  variables: VariableValues;
  fragments: ReadonlyMap<string, FragmentDefinitionNode>;
  /** Each fragment is measured once, however often it is spread. */
  measured: Map<FragmentDefinitionNode, Size>;
}

/** The estimate for a query: whether it is large, or the errors to refuse it with. */
export type Estimate =
  | Pick<Size, "values" | "lists" | "lookups" | "reads">
  | { refusal: readonly GraphQLError[] };

/**
 * Estimates a valid query before execution. Counts every field under each of its aliases, and every entry of a list: a
 * paged list has as many as `first` or `last` asks for, any other list has one. Refuses more than `answerLimits.values`
 * or `maximumLargeReads`, selections nested deeper than `maximumDepth` with fragments expanded, and invalid variables.
 */
export function estimate(
  schema: GraphQLSchema,
  document: DocumentNode,
  operationName: string | null | undefined,
  given: Readonly<Record<string, unknown>>,
): Estimate {
  const operation = getOperationAST(document, operationName);
  const root = operation && schema.getRootType(operation.operation);
  if (!operation || !root) return unknown;
  const coerce = (maxErrors: number) =>
    getVariableValues(schema, operation.variableDefinitions ?? [], given, { maxErrors });
  const { variableValues } = coerce(1);
  if (variableValues === undefined)
    return { refusal: coerce(errorsAbout(JSON.stringify(given).length)).errors ?? [] };
  const fragments = new Map(
    document.definitions.flatMap((one) =>
      one.kind === Kind.FRAGMENT_DEFINITION ? [[one.name.value, one] as const] : [],
    ),
  );
  const measuring = { schema, variables: variableValues, fragments, measured: new Map() };
  const { depth, lists, lookups, reads, ...size } = sizeOf(operation.selectionSet, root, measuring);
  const values = size.values + size.perEntry;
  if (depth > maximumDepth)
    return refusal(
      "GRAPHQL_NESTED_TOO_DEEPLY",
      `The query is nested deeper than ${maximumDepth} levels: ${depth}, with its fragments opened.`,
    );
  if (values > answerLimits.values)
    return refusal(
      "GRAPHQL_TOO_COSTLY",
      `The query asks for up to ${values} values; the limit is ${answerLimits.values}. ` +
        'Ask lists for fewer entries with "first", or for fewer fields.',
    );
  if (reads > maximumLargeReads)
    return refusal(
      "GRAPHQL_TOO_COSTLY",
      `The query has ${reads} fields that search, sum, or read what a task failed in or changed; the limit is ${maximumLargeReads}.`,
    );
  return { values, lists, lookups, reads };
}

const unknown = { values: 0, lists: 0, lookups: 0, reads: 0 };

const refusal = (code: string, message: string) => ({
  refusal: [new GraphQLError(message, { extensions: { code } })],
});

function sizeOf(selections: SelectionSetNode, parent: GraphQLCompositeType, measuring: Measuring): Size {
  const total = { ...nothing };
  for (const selection of selections.selections) {
    if (!isIncluded(selection, measuring.variables)) continue;
    const { values, perEntry, lists, lookups, reads, depth } = sizeOfSelection(selection, parent, measuring);
    total.lists += lists;
    total.lookups += lookups;
    total.reads += reads;
    total.values += values;
    total.perEntry += perEntry;
    total.depth = Math.max(total.depth, depth);
  }
  return total;
}

function isIncluded(node: SelectionNode, variables: VariableValues): boolean {
  if (!node.directives?.length) return true;
  const [skip, include] = [GraphQLSkipDirective, GraphQLIncludeDirective].map(
    (directive) => getDirectiveValues(directive, node, variables)?.if,
  );
  return skip !== true && include !== false;
}

function sizeOfSelection(node: SelectionNode, parent: GraphQLCompositeType, measuring: Measuring): Size {
  if (node.kind === Kind.FIELD) return sizeOfField(node, parent, measuring);
  if (node.kind === Kind.FRAGMENT_SPREAD) return sizeOfFragment(node.name.value, measuring);
  const type = node.typeCondition && measuring.schema.getType(node.typeCondition.name.value);
  return sizeOf(node.selectionSet, isCompositeType(type) ? type : parent, measuring);
}

function sizeOfFragment(name: string, measuring: Measuring): Size {
  const fragment = measuring.fragments.get(name);
  const type = fragment && measuring.schema.getType(fragment.typeCondition.name.value);
  if (!fragment || !isCompositeType(type)) return nothing;
  const measured = measuring.measured.get(fragment);
  if (measured) return measured;
  const size = sizeOf(fragment.selectionSet, type, measuring);
  measuring.measured.set(fragment, size);
  return size;
}

function sizeOfField(node: FieldNode, parent: GraphQLCompositeType, measuring: Measuring): Size {
  const field = fieldOf(parent, node.name.value);
  const type = getNamedType(field?.type);
  const within =
    node.selectionSet && isCompositeType(type) ? sizeOf(node.selectionSet, type, measuring) : nothing;
  const depth = within.depth + 1;
  const reads = within.reads + (readsMuchOf(node, field, measuring.variables) ? 1 : 0);
  const lookups = within.lookups + (field && isLookup(field, parent, measuring.schema) ? 1 : 0);
  if (isListType(getNullableType(field?.type)) && !field?.args.some(({ name }) => name === "count"))
    return { ...within, values: 1, perEntry: 1 + within.values + within.perEntry, lookups, reads, depth };
  const entries = field === undefined ? undefined : entriesOf(node, field, measuring.variables);
  const lists = within.lists + (entries === undefined ? 0 : 1);
  const values = 1 + within.values + (entries ?? 1) * within.perEntry;
  return { values, perEntry: 0, lists, lookups, reads, depth };
}

/** Mutations are executed serially, so their fields need no limit. */
const isLookup = (
  { args }: GraphQLField<unknown, unknown>,
  parent: GraphQLCompositeType,
  schema: GraphQLSchema,
): boolean => parent === schema.getQueryType() || (args.length > 0 && parent !== schema.getMutationType());

function readsMuchOf(
  node: FieldNode,
  field: GraphQLField<unknown, unknown> | undefined,
  variables: VariableValues,
): boolean {
  const condition = field?.extensions.readsMuch;
  return (
    field !== undefined &&
    typeof condition === "function" &&
    condition(getArgumentValues(field, node, variables))
  );
}

function fieldOf(parent: GraphQLCompositeType, name: string): GraphQLField<unknown, unknown> | undefined {
  const field = isUnionType(parent) ? undefined : parent.getFields()[name];
  return field ?? [SchemaMetaFieldDef, TypeMetaFieldDef].find((meta) => meta.name === name);
}

/** The number of requested entries; undefined unless it is a paged list. */
function entriesOf(
  node: FieldNode,
  { args }: GraphQLField<unknown, unknown>,
  { coerced }: VariableValues,
): number | undefined {
  const counts = args.filter(({ name }) => name === "first" || name === "last" || name === "count");
  if (counts.length === 0) return undefined;
  for (const { name, value } of node.arguments ?? []) {
    if (!counts.some((count) => count.name === name.value)) continue;
    const requested =
      value.kind === Kind.VARIABLE ? coerced[value.name.value] : value.kind === Kind.INT && value.value;
    if (Number(requested) > 0) return Number(requested);
  }
  return defaultFirst;
}
