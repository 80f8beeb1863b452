import { type GraphQLField, type GraphQLObjectType, getNamedType, isUnionType } from "graphql";
import { coreSchema } from "../../packages/service/src/graphql/core-schema.ts";
import { mutations } from "../../packages/service/src/graphql/entities.ts";
import { isErrorType } from "../../packages/service/src/graphql/types/errors.ts";
import { code } from "./markdown.ts";

type Field = GraphQLField<unknown, unknown>;

const schema = coreSchema();

/** Every query of the Core API: its arguments and its result. */
export const queryRows = () =>
  rowsOf(schema.getQueryType()).map((field) => [...signature(field), described(field)]);

export const intentMutationRows = () =>
  rowsOf(schema.getMutationType())
    .filter(({ name }) => intentsOf(name).length > 0)
    .map((field) => [...signature(field), intentsOf(field.name).map(code).join(", ")]);

export const otherMutationRows = () =>
  rowsOf(schema.getMutationType())
    .filter(({ name }) => intentsOf(name).length === 0)
    .map((field) => [...signature(field), described(field)]);

function intentsOf(mutation: string): string[] {
  return Object.entries(mutations).flatMap(([intent, row]) => (row.mutation === mutation ? [intent] : []));
}

function rowsOf(type: GraphQLObjectType | null | undefined): Field[] {
  return Object.values(type?.getFields() ?? {}).sort((a, b) => a.name.localeCompare(b.name, "en"));
}

/** Pages are requested alike everywhere, so their arguments are not repeated. */
const pageArguments = ["first", "after", "last", "before"];

function signature({ name, args, type }: Field): string[] {
  const own = args.filter((argument) => !pageArguments.includes(argument.name));
  return [
    code(name),
    own.map((argument) => code(`${argument.name}: ${argument.type}`)).join(", "),
    answer(type),
  ];
}

/** A result's successes, or the type itself unless it is a union. */
function answer(type: Field["type"]): string {
  const named = getNamedType(type);
  const successes = isUnionType(named) ? named.getTypes().filter((member) => !isErrorType(member)) : [named];
  return successes.map(({ name }) => code(name)).join(", ");
}

const described = ({ description }: Field) => (description ?? "").replace(/\s+/g, " ").replaceAll("|", "\\|");
