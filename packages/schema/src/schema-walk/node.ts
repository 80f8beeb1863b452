import { z } from "zod";

/**
 * One zod schema, as the walks over schemas see it: `conformance`, `problemsIn`, the forms in messages, the
 * GraphQL types. Only this file knows zod's classes and internals; package.json pins the version it was
 * written for.
 */
export type SchemaNode =
  | { readonly kind: "string" | "boolean" | "unknown" }
  | { readonly kind: "number"; readonly integer: boolean }
  | { readonly kind: "choice"; readonly values: ReadonlySet<unknown> }
  | { readonly kind: "list" | "record"; readonly element: z.ZodType }
  | { readonly kind: "object"; readonly fields: Fields; readonly strict: boolean }
  | { readonly kind: "union"; readonly options: readonly z.ZodType[] }
  | { readonly kind: "optional" | "nullable" | "pipe"; readonly inner: z.ZodType }
  | { readonly kind: "other"; readonly type: string };

type Fields = Readonly<Record<string, z.ZodType>>;

/** Reads one schema; nested schemas are left to the caller. */
export function nodeOf(schema: z.ZodType): SchemaNode {
  if (schema instanceof z.ZodString) return { kind: "string" };
  if (schema instanceof z.ZodNumber) return { kind: "number", integer: schema.isInt };
  if (schema instanceof z.ZodBoolean) return { kind: "boolean" };
  if (schema instanceof z.ZodUnknown) return { kind: "unknown" };
  if (schema instanceof z.ZodEnum) return { kind: "choice", values: new Set(schema.options) };
  if (schema instanceof z.ZodLiteral) return { kind: "choice", values: schema.values };
  if (schema instanceof z.ZodArray) return { kind: "list", element: inner(schema.element) };
  if (schema instanceof z.ZodRecord) return { kind: "record", element: inner(schema.valueType) };
  if (schema instanceof z.ZodObject) return objectNode(schema);
  if (schema instanceof z.ZodUnion) return { kind: "union", options: schema.options.map(inner) };
  if (schema instanceof z.ZodOptional) return { kind: "optional", inner: inner(schema.unwrap()) };
  if (schema instanceof z.ZodNullable) return { kind: "nullable", inner: inner(schema.unwrap()) };
  if (schema instanceof z.ZodPipe) return { kind: "pipe", inner: inner(schema.out) };
  return { kind: "other", type: schema.def.type };
}

function objectNode(schema: z.ZodObject): SchemaNode {
  return {
    kind: "object",
    // A getter: reading a recursive schema's shape defines its nested schemas.
    get fields() {
      return schema.shape as Fields;
    },
    strict: schema.def.catchall instanceof z.ZodNever,
  };
}

/** A nested schema, which zod types as one of its core: payloads are made with the classic API only. */
const inner = (schema: z.core.$ZodType) => schema as z.ZodType;

/** The schema inside optional, nullable and pipes, and whether null or absence is allowed. */
export function unwrap(schema: z.ZodType): { schema: z.ZodType; nullable: boolean } {
  const node = nodeOf(schema);
  if (node.kind === "pipe") return unwrap(node.inner);
  if (node.kind !== "optional" && node.kind !== "nullable") return { schema, nullable: false };
  return { schema: unwrap(node.inner).schema, nullable: true };
}

export type Test = (value: unknown) => boolean;

/** The tests of a schema's own refinements; undefined if one of them changes the value. */
export function refinementsOf(schema: z.ZodType): readonly Test[] | undefined {
  const checks = schema.def.checks ?? [];
  if (checks.some((check) => check._zod.def.check === "overwrite")) return undefined;
  return checks.map(testOf);
}

/** A predicate given to `refine` is called directly, any other check as zod does. */
function testOf(check: z.core.$ZodCheck): Test {
  const { _zod: internals } = check as z.core.$ZodCheck<unknown>;
  const { fn } = internals.def as { fn?: Test };
  if (fn) return fn;
  return (value) => {
    const payload: z.core.ParsePayload = { value, issues: [] };
    internals.check(payload);
    return payload.issues.length === 0;
  };
}
