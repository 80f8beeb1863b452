import type { Intent } from "@lading/schema";
import { type GraphQLObjectType, type GraphQLSchema, getNamedType, isLeafType, isUnionType } from "graphql";
import { type MutationShape, mutations } from "../../../packages/service/src/graphql/entities.ts";

export interface MutationCall {
  query: string;
  variables: Record<string, unknown>;
}

/**
 * The mutation that stands for an operation; it answers as `it` its success: unless told otherwise, all that has no
 * fields of its own.
 */
export function mutationCall(
  schema: GraphQLSchema,
  intent: Intent,
  payload: object,
  fieldsOf: (type: GraphQLObjectType) => string = leafFields,
): MutationCall {
  const row = mutations[intent];
  const field = schema.getMutationType()?.getFields()[row.mutation];
  if (field === undefined) throw new Error(`the schema has no mutation ${row.mutation}`);
  const variables = argumentsOf(row, payload);
  const given = field.args.filter(({ name }) => name in variables);
  const declared = given.map(({ name, type }) => `$${name}: ${type}`).join(", ");
  const passed = given.map(({ name }) => `${name}: $${name}`).join(", ");
  if (!isUnionType(field.type)) throw new Error(`${row.mutation} answers no union`);
  const [success] = field.type.getTypes();
  const selection = `{ __typename ... on ${success?.name} { __typename ${fieldsOf(success!)} }
    ... on BasicError { errorName message errors { code message path } } }`;
  return { query: `mutation (${declared}) { it: ${row.mutation}(${passed}) ${selection} }`, variables };
}

/** The arguments of a mutation that mean a payload. */
function argumentsOf({ keys = {}, input }: MutationShape, payload: object): Record<string, unknown> {
  const argumentOf = new Map(Object.entries(keys).map(([argument, field]) => [field, argument]));
  argumentOf.set("_ifUnchangedSince", "ifUnchangedSince");
  const entries = Object.entries(payload);
  const named = entries.flatMap(([field, value]) =>
    argumentOf.has(field) ? [[argumentOf.get(field), value] as const] : [],
  );
  const rest = entries.filter(([field]) => !argumentOf.has(field));
  if (input === undefined) return Object.fromEntries([...named, ...rest]);
  return { ...Object.fromEntries(named), input: Object.fromEntries(rest) };
}

/** The fields without fields and without arguments, and the errors of a partial success. */
function leafFields(type: GraphQLObjectType): string {
  const fields = Object.values(type.getFields()).filter(({ args }) => args.length === 0);
  const leaves = fields.filter((field) => isLeafType(getNamedType(field.type))).map(({ name }) => name);
  const errors = fields.some(({ name }) => name === "errors") ? ["errors { code message path }"] : [];
  const item = fields.some(({ name, type }) => name === "item" && getNamedType(type).name === "Item")
    ? ["item { id }"]
    : [];
  return [...leaves, ...errors, ...item].join(" ");
}
