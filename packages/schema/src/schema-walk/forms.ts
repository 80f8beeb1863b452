import type { z } from "zod";
import { nodeOf, type SchemaNode, unwrap } from "./node.ts";

/** The required form of a list or an object, for a message: `a list of {componentId, …}`. */
export function formOf(type: "array" | "object", schema: z.ZodType | undefined): string {
  const node = schema && coreOf(schema);
  if (type === "array") return node?.kind === "list" ? `a list of ${manyOf(coreOf(node.element))}` : "a list";
  return node?.kind === "object" ? `an object ${membersOf(node)}` : "an object";
}

/** The node inside optional, nullable and pipes; for a union, the first branch's. */
function coreOf(schema: z.ZodType): SchemaNode {
  const node = nodeOf(unwrap(schema).schema);
  const [first] = node.kind === "union" ? node.options : [];
  return first === undefined ? node : coreOf(first);
}

function manyOf(node: SchemaNode): string {
  if (node.kind === "list") return `lists of ${manyOf(coreOf(node.element))}`;
  if (node.kind === "object") return membersOf(node);
  if (node.kind === "number") return "numbers";
  return node.kind === "string" || node.kind === "choice" ? "strings" : "values";
}

/** Maximum members a message names. */
const mostNamed = 4;

/** The required members, or else the first ones. */
function membersOf({ fields }: Extract<SchemaNode, { kind: "object" }>): string {
  const members = Object.entries(fields);
  const required = members.filter(([, member]) => !member.isOptional());
  const named = (required.length > 0 ? required : members).slice(0, mostNamed).map(([key]) => key);
  return `{${[...named, ...(named.length < members.length ? ["…"] : [])].join(", ")}}`;
}
