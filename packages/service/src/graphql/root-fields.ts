import type {
  GraphQLArgumentConfig,
  GraphQLFieldConfig,
  GraphQLOutputType,
  GraphQLResolveInfo,
} from "graphql";
import { Rejection } from "../errors.ts";
import type { Right } from "../tenants/rights.ts";
import type { CoreContext, OperatorContext } from "./context.ts";
import { type FieldRights, requireFieldRight } from "./field-rights.ts";
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

type TenantField<Given> = RootField<Given, CoreContext> & Partial<FieldRights<Given>>;

/** A root field of the operator's API, of a plain object type: a rejection goes to the answer's `errors`, by name. */
export const plainOperatorField = <Given = Arguments>(field: RootField<Given, OperatorContext>) =>
  rootField(field);

/** A root field of the operator's API, of a union with errors: a rejection becomes a value of it. */
export const operatorField = <Given = Arguments>(field: RootField<Given, OperatorContext>) =>
  withFailures(rootField(field));

/** A root field of a plain object type: a rejection goes to the answer's `errors`, by name. Needs `read` by default. */
export const plainField = <Given = Arguments>(field: TenantField<Given>) => tenantField(field, "read");

/** A root field of a union with errors: a rejection becomes a value of it. Needs `read` by default. */
export const resultField = <Given = Arguments>(field: TenantField<Given>) =>
  withFailures(tenantField(field, "read"));

/** A `resultField` that writes: needs `write` by default. */
export const writeField = <Given = Arguments>(field: TenantField<Given>) =>
  withFailures(tenantField(field, "write"));

function tenantField<Given>(
  { right, exception, ...field }: TenantField<Given>,
  usual: Right,
): GraphQLFieldConfig<unknown, CoreContext> {
  const rights: FieldRights<Given> = { right: right ?? usual, ...(exception && { exception }) };
  return rootField<Given, CoreContext>({
    ...field,
    extensions: { ...field.extensions, rights },
    async resolve(given, context, info) {
      await requireFieldRight(rights, given, context);
      return field.resolve(given, context, info);
    },
  });
}

interface StreamField<Given> {
  type: GraphQLOutputType;
  description: string;
  args?: { [name: string]: GraphQLArgumentConfig };
  subscribe(given: Given, context: CoreContext): AsyncIterable<unknown>;
}

/** A root field of subscriptions, whose values are those of `subscribe`. Needs `read`. */
export function streamField<Given = Arguments>({
  subscribe,
  ...field
}: StreamField<Given>): GraphQLFieldConfig<unknown, CoreContext> {
  const rights: FieldRights<Given> = { right: "read" };
  return {
    ...field,
    extensions: { rights },
    async subscribe(_source, given, context) {
      await requireFieldRight(rights, given, context);
      return subscribe(given, context);
    },
    resolve: (value) => value,
  };
}

function rootField<Given, Context>({
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

/** Makes a rejection a value of the field's union; anything else thrown is a defect, for the answer's `errors`. */
function withFailures<Context>(
  field: GraphQLFieldConfig<unknown, Context>,
): GraphQLFieldConfig<unknown, Context> {
  return {
    ...field,
    resolve: async (source, given, context, info) => {
      try {
        return await field.resolve?.(source, given, context, info);
      } catch (error) {
        if (error instanceof Rejection) return { rejection: error, input: given } satisfies FailureSource;
        throw error;
      }
    },
  };
}
