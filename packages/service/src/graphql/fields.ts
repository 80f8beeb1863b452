import type { GraphQLArgumentConfig, GraphQLFieldConfig, GraphQLOutputType } from "graphql";
import { Rejection, reject } from "../errors.ts";
import type { CoreContext } from "./context.ts";
import type { FailureSource } from "./errors.ts";

export type CoreField = GraphQLFieldConfig<unknown, CoreContext>;

type Arguments = { [name: string]: unknown };

interface RootField<Given, Context> {
  type: GraphQLOutputType;
  description?: string;
  args?: { [name: string]: GraphQLArgumentConfig };
  resolve(given: Given, context: Context): Promise<unknown>;
}

/** A root field whose type is a plain object: a rejection goes to the answer's `errors`, by name. */
export function plainField<Given = Arguments, Context = CoreContext>(
  field: RootField<Given, Context>,
): GraphQLFieldConfig<unknown, Context> {
  return {
    type: field.type,
    description: field.description ?? null,
    args: field.args ?? {},
    resolve: async (_source, given, context) => {
      refuseUnstorable(given);
      return field.resolve(given as Given, context);
    },
  };
}

/**
 * A root field whose type is a union with errors: a rejection becomes a value of it. What else is thrown is a defect
 * and goes to the answer's `errors`.
 */
export function outcomeField<Given = Arguments, Context = CoreContext>(
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

/** Rejects with `ValidationError` a text that no column takes: NUL or an unpaired surrogate (design, section 3). */
function refuseUnstorable(value: unknown, path: (string | number)[] = []): void {
  if (typeof value === "string" && (value.includes("\0") || !value.isWellFormed()))
    reject("ValidationError", `"${path.join(".")}" holds a NUL character or an unpaired surrogate`, path);
  if (typeof value !== "object" || value === null) return;
  for (const [key, member] of Object.entries(value)) refuseUnstorable(member, [...path, key]);
}
