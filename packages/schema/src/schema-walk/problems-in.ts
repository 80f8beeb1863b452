import type { z } from "zod";
import { isObject } from "../is-object.ts";
import type { JsonPath } from "../problems/json-pointer.ts";
import { unknownField } from "../problems/phrases.ts";
import type { Problem } from "../problems/problem.ts";
import { conformance } from "./conformance.ts";
import { explain } from "./explain.ts";
import { nodeOf, type SchemaNode, unwrap } from "./node.ts";

/** Maximum errors, and maximum warnings, found in one payload: it may be a list of a million wrong ids. */
export const problemLimit = 1_000;

export interface Problems {
  readonly errors: Problem[];
  /** Fields unknown to the schema. Those of strict objects are errors. */
  readonly warnings: Problem[];
}

/**
 * Finds everything wrong with a value, in the order of the schema's fields: the errors a parse would find, at
 * the innermost value, and the unknown fields, which a parse would drop.
 */
export function problemsIn(schema: z.ZodType, value: unknown): Problems {
  const problems: Problems = { errors: [], warnings: [] };
  visit(schema, value, [], problems);
  return problems;
}

/** Visits only what does not conform: there is nothing to find in the rest. */
function visit(schema: z.ZodType, value: unknown, path: JsonPath, problems: Problems): void {
  if (conformance(schema)(value)) return;
  const errorsBefore = problems.errors.length;
  const node = nodeFor(schema, value);
  if (node.kind === "list" && Array.isArray(value)) visitElements(node.element, value, path, problems);
  if (node.kind === "object" && isObject(value)) visitMembers(node, value, path, problems);
  if (problems.errors.length === errorsBefore) findOwn(schema, value, path, problems);
}

function visitElements(schema: z.ZodType, value: unknown[], path: JsonPath, problems: Problems): void {
  for (const [index, element] of value.entries()) {
    if (isFull(problems)) return;
    visit(schema, element, [...path, index], problems);
  }
}

function visitMembers(
  { fields, strict }: Extract<SchemaNode, { kind: "object" }>,
  value: Record<string, unknown>,
  path: JsonPath,
  problems: Problems,
): void {
  for (const [key, member] of Object.entries(fields)) {
    visit(member, Object.hasOwn(value, key) ? value[key] : undefined, [...path, key], problems);
  }
  const unknown = strict ? problems.errors : problems.warnings;
  for (const key in value) {
    if (unknown.length >= problemLimit) return;
    if (Object.hasOwn(fields, key)) continue;
    const message = unknownField(key, Object.keys(fields));
    unknown.push({ code: "UnknownField", message, path: [...path, key] });
  }
}

/** Finds what is wrong with the value itself, rather than with a member of it. */
function findOwn(schema: z.ZodType, value: unknown, path: JsonPath, problems: Problems): void {
  if (problems.errors.length >= problemLimit) return;
  for (const issue of schema.safeParse(value).error?.issues ?? []) {
    const inner = pathOf(issue);
    const subject = inner.reduce<unknown>((at, key) => memberOf(at, key), value);
    const at = [...path, ...inner];
    const field = { key: at.at(-1), schema: inner.length === 0 ? schema : undefined };
    problems.errors.push({ ...explain(issue, subject, field), path: at });
  }
}

const memberOf = (holder: unknown, key: string | number): unknown =>
  holder !== null && typeof holder === "object" ? Reflect.get(holder, key) : undefined;

/** The path of a zod issue. Payloads have no symbols as keys, which zod's type allows. */
export const pathOf = ({ path }: z.core.$ZodIssue): JsonPath => path as JsonPath;

const isFull = ({ errors, warnings }: Problems) =>
  errors.length >= problemLimit && warnings.length >= problemLimit;

/** The node inside optional, nullable and pipes; for a union, the branch of the value's kind. */
function nodeFor(schema: z.ZodType, value: unknown): SchemaNode {
  const node = nodeOf(unwrap(schema).schema);
  if (node.kind !== "union") return node;
  const branches = node.options.map((option) => nodeFor(option, value));
  return branches.find(({ kind }) => (kind === "list") === Array.isArray(value)) ?? node;
}
