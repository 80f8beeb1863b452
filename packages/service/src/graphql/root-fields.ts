import type {
  GraphQLArgumentConfig,
  GraphQLFieldConfig,
  GraphQLOutputType,
  GraphQLResolveInfo,
} from "graphql";
import { Rejection, reject } from "../errors.ts";
import type { CoreContext } from "./context.ts";
import type { FailureSource } from "./types/errors.ts";
import { checkArguments } from "./validation/check-arguments.ts";

type Arguments = { [name: string]: unknown };

interface RootField<Given, Context> {
  type: GraphQLOutputType;
  description?: string;
  args?: { [name: string]: GraphQLArgumentConfig };
  extensions?: GraphQLFieldConfig<unknown, Context>["extensions"];
  resolve(given: Given, context: Context, info: GraphQLResolveInfo): Promise<unknown>;
}

/** A root field of a plain object type: a rejection goes to the answer's `errors`, by name. */
export function plainField<Given = Arguments, Context = CoreContext>({
  args = {},
  ...field
}: RootField<Given, Context>): GraphQLFieldConfig<unknown, Context> {
  return {
    type: field.type,
    description: field.description ?? null,
    extensions: field.extensions ?? null,
    args,
    resolve: async (_source, given, context, info) => {
      checkArguments(given, args);
      return field.resolve(given, context, info);
    },
  };
}

/**
 * A root field of a union with errors: a rejection becomes a value of it. Anything else thrown is a defect and goes to
 * the answer's `errors`.
 */
export function resultField<Given = Arguments, Context = CoreContext>(
  field: RootField<Given, Context>,
): GraphQLFieldConfig<unknown, Context> {
  const plain = plainField(field);
  return {
    ...plain,
    resolve: async (source, given, context, info) => {
      try {
        return await plain.resolve?.(source, given, context, info);
      } catch (error) {
        if (error instanceof Rejection) return { rejection: error, input: given } satisfies FailureSource;
        throw error;
      }
    },
  };
}

/** A `resultField` that writes. Only admin tokens may; a reader gets `UnauthorizedError`. */
export function adminField<Given>(field: RootField<Given, CoreContext>) {
  return resultField<Given>({
    ...field,
    async resolve(given, context, info) {
      requireAdmin(context, "a mutation");
      return field.resolve(given, context, info);
    },
  });
}

/** Rejects with `UnauthorizedError` unless the token is an admin's. `what` is the subject of the message. */
export function requireAdmin({ accessToken }: CoreContext, what: string): void {
  if (accessToken.role !== "admin")
    reject("UnauthorizedError", `This access token is read-only; ${what} needs an admin token`);
}
