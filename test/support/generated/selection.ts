import {
  type GraphQLField,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isAbstractType,
  isNonNullType,
  isObjectType,
} from "graphql";
import { isErrorType } from "../../../packages/service/src/graphql/types/errors.ts";

/** Longest selection: several must fit into one document that the service still keeps parsed. */
const longest = 900;

interface Choice {
  readonly schema: GraphQLSchema;
  /** Entries of the pages of fields; default: as many as the API gives. */
  readonly first?: number;
  /** Fields that are left out, by name. */
  readonly omitted?: readonly string[];
}

/** A selection of all that can be had without arguments, as deep as it stays short. */
export function selectionOf(
  schema: GraphQLSchema,
  type: GraphQLOutputType,
  choice: Omit<Choice, "schema"> = {},
): string {
  const [deep, middle, flat] = [4, 3, 2].map((depth) => selection({ schema, ...choice }, type, depth));
  return [deep, middle].find((one) => one!.length <= longest) ?? flat!;
}

/** Under a union or interface each member's fields have names of their own, so that they never conflict. */
function selection(choice: Choice, type: GraphQLOutputType, depth: number): string {
  const { schema } = choice;
  const named = getNamedType(type);
  if (isObjectType(named)) return fieldsOf(choice, named, depth, "");
  if (!isAbstractType(named)) return "";
  const members = schema.getPossibleTypes(named).filter((member) => !isErrorType(member));
  const failure = members.length < schema.getPossibleTypes(named).length;
  const parts = members.map(
    (member) => `... on ${member.name} ${fieldsOf(choice, member, depth, `${member.name}_`)}`,
  );
  if (failure) parts.push("... on BasicError { errorName message }");
  return `{ __typename ${parts.join(" ")} }`;
}

function fieldsOf(
  choice: Choice,
  type: { getFields(): Record<string, GraphQLField<unknown, unknown>> },
  depth: number,
  prefix: string,
): string {
  const parts = Object.values(type.getFields())
    .filter(({ args }) => !args.some((arg) => isNonNullType(arg.type)))
    // A query may have ten, and several calls are in one.
    .filter(({ name }) => name !== "lastChange" && !choice.omitted?.includes(name))
    .flatMap((field) => {
      const named = getNamedType(field.type);
      const composite = isObjectType(named) || isAbstractType(named);
      if (composite && depth <= 1) return [];
      const inner = composite ? ` ${selection(choice, field.type, depth - 1)}` : "";
      const page =
        choice.first && field.args.some(({ name }) => name === "first") ? `(first: ${choice.first})` : "";
      return [`${prefix && `${prefix}${field.name}: `}${field.name}${page}${inner}`];
    });
  return `{ ${["__typename", ...parts].join(" ")} }`;
}
