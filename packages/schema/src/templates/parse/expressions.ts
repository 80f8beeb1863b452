import type { Expression, Invocation, Literal, PathExpression } from "./syntax-tree.ts";

/** A path such as `product.id`, `../name`, `@index` or `(lookup a "b").c`. */
export interface Path {
  /** The path as written, for messages. */
  readonly written: string;
  /** The names to follow, from the context or from the value of the sub-expression that the path begins with. */
  readonly names: readonly string[];
  /** The number of `../` that it begins with. */
  readonly depth: number;
  /** True if it begins with `@`. */
  readonly data: boolean;
  /** True if it begins with `this` or a dot, and so never means a block parameter. */
  readonly scoped: boolean;
}

/** The path in braces that hold nothing else. `{{ "a name" }}` is the property of that name, as in Handlebars. */
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

/** True if an invocation has arguments, and so calls a helper. */
export const hasArguments = ({ params, hash }: Invocation): boolean =>
  params.length > 0 || hash !== undefined;

/** True for a name alone, which is a helper if there is one of that name. */
export const isName = (expression: Expression): expression is PathExpression =>
  expression.type === "PathExpression" && expression.parts[0] === expression.original;

export const valueOfLiteral = (literal: Literal): string | number | boolean | null =>
  "value" in literal ? literal.value : null;

/** An expression as it was written: of a call its whole text, of a literal its value. */
export function writtenAs(expression: Expression): string {
  if (expression.type === "PathExpression") return expression.original;
  if (expression.type === "SubExpression") return callAsWritten(expression);
  return expression.type === "UndefinedLiteral" ? "undefined" : String(valueOfLiteral(expression));
}

/** Maximum length of a call that messages repeat with its arguments. */
const longestWritten = 150;

/** `(valueOf (fetchOrderById order.id) 'total')`, the form in which a call stands for its value within other braces. */
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
