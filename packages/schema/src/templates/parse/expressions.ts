import type { Expression, Invocation, Literal, PathExpression } from "./syntax-tree.ts";

/** A path such as `product.id`, `../name`, `@index` or `(lookup a "b").c`. */
export interface Path {
  /** The path as written, for messages. */
  readonly written: string;
  /** The names to follow, from the context or from the value of the path's sub-expression. */
  readonly names: readonly string[];
  /** The number of leading `../`. */
  readonly depth: number;
  /** True if it begins with `@`. */
  readonly data: boolean;
  /** True if it begins with `this` or a dot, so it never refers to a block parameter. */
  readonly scoped: boolean;
}

/** A path that is alone in its braces. `{{ "a name" }}` is the property with that name, as in Handlebars. */
export function pathOf(expression: PathExpression | Literal): Path {
  const written = writtenAs(expression);
  if (expression.type !== "PathExpression")
    return { written, names: [written], depth: 0, data: false, scoped: false };
  const { parts, depth, data } = expression;
  return {
    written,
    names: parts.filter((part) => typeof part === "string"),
    depth,
    data,
    scoped: depth > 0 || /^(?:this|\.)(?:[./]|$)/.test(written),
  };
}

/** True if an invocation has arguments, so it calls a helper. */
export const hasArguments = ({ params, hash }: Invocation): boolean =>
  params.length > 0 || hash !== undefined;

/** True for a bare name, which is a helper if there is one with that name. */
export const isName = (expression: Expression): expression is PathExpression =>
  expression.type === "PathExpression" && expression.parts[0] === expression.original;

export const valueOfLiteral = (literal: Literal): string | number | boolean | null =>
  "value" in literal ? literal.value : null;

/** An expression as written: a call's whole text, or a literal's value. */
export function writtenAs(expression: Expression): string {
  if (expression.type === "PathExpression") return expression.original;
  if (expression.type === "SubExpression") return callAsWritten(expression);
  return expression.type === "UndefinedLiteral" ? "undefined" : String(valueOfLiteral(expression));
}

/** Maximum length of a call that messages repeat with its arguments. */
const longestWritten = 150;

/** `(valueOf (fetchOrderById order.id) 'total')`, a call as it is written within other braces. */
export function callAsWritten({ path, params, hash }: Invocation): string {
  const name = writtenAs(path);
  const named = (hash?.pairs ?? []).map(({ key, value }) => `${key}=${argumentAsWritten(value)}`);
  const whole = `(${[name, ...params.map(argumentAsWritten), ...named].join(" ")})`;
  return whole.length <= longestWritten ? whole : `(${name} …)`;
}

function argumentAsWritten(expression: Expression): string {
  if (expression.type !== "StringLiteral") return writtenAs(expression);
  const quote = expression.value.includes("'") ? '"' : "'";
  return `${quote}${expression.value}${quote}`;
}
