import type { GraphQLFieldConfig, GraphQLOutputType } from "graphql";
import { reject } from "../errors.ts";
import { may, type Right, refusalOf } from "../tenants/rights.ts";
import type { CoreContext } from "./context.ts";

/** The right that a field needs, and the lesser one that suffices for some of its requests. */
export interface FieldRights<Given> {
  right: Right;
  exception?: Exception<Given>;
}

/** @typeParam Given the arguments of a root field; of another field its object */
interface Exception<Given> {
  right: Right;
  /** Which requests, such as "for the kind plan". */
  name: string;
  /** The argument that decides, if it is one alone. */
  argument?: readonly [name: string, value: string];
  allows(given: Given, context: CoreContext): boolean | Promise<boolean>;
}

/** Excepts requests with a value of an argument, which may be in `input`. */
export const forArgument = (
  right: Right,
  name: string,
  value: string,
): Exception<Readonly<Record<string, unknown>>> => ({
  right,
  name: `for the ${name} ${value}`,
  argument: [name, value],
  allows: ({ input, ...flat }) => ((input ?? flat) as typeof flat)[name] === value,
});

/** Excepts requests about a plan of the token itself. */
export const forOwnPlan = <Given>(right: Right, idOf: (given: Given) => string): Exception<Given> => ({
  right,
  name: "for a plan that the token itself created",
  allows: async (given, { accessToken, loaders }) =>
    (await loaders.plannerOf(idOf(given))) === accessToken.id,
});

/** Returns why the caller may not ask this; undefined if it may. */
async function refusal<Given>(
  { right, exception }: FieldRights<Given>,
  given: Given,
  context: CoreContext,
): Promise<string | undefined> {
  const found = refusalOf(context.accessToken, right, exception);
  if (found === undefined || exception === undefined || !may(context.accessToken, exception.right))
    return found;
  return (await exception.allows(given, context)) ? undefined : found;
}

/** Rejects with `UnauthorizedError`. */
export async function requireFieldRight<Given>(
  rights: FieldRights<Given>,
  given: Given,
  context: CoreContext,
): Promise<void> {
  const found = await refusal(rights, given, context);
  if (found !== undefined) reject("UnauthorizedError", found);
}

type GuardedField<Source> = FieldRights<Source> & {
  type: GraphQLOutputType;
  description: string;
  extensions: object;
  resolve(source: Source, context: CoreContext): unknown;
};

/** A field that needs a right of its own, and is null for callers without it. */
export const guardedField = <Source>({
  right,
  exception,
  ...field
}: GuardedField<Source>): GraphQLFieldConfig<Source, CoreContext> => {
  const rights: FieldRights<Source> = { right, ...(exception && { exception }) };
  return {
    ...field,
    extensions: { ...field.extensions, rights },
    resolve: async (source, _given, context) =>
      (await refusal(rights, source, context)) === undefined ? field.resolve(source, context) : null,
  };
};
