import { type Path, pathOf, valueOfLiteral, writtenAs } from "../parse/expressions.ts";
import type { Expression, Invocation } from "../parse/syntax-tree.ts";

/** The value of a name or of `this`, as far as the template's text determines it. */
export type Context =
  | { readonly kind: "root" }
  | { readonly kind: "reference"; readonly name: string; readonly path: readonly string[] }
  | { readonly kind: "unknown" };

/** The meanings of names at a position in a template. */
export interface Scope {
  readonly context: Context;
  /** Block parameters. */
  readonly aliases?: ReadonlyMap<string, Context>;
  readonly outer?: Scope;
}

export const root: Context = { kind: "root" };
export const unknown: Context = { kind: "unknown" };

/** The scope inside a block. Its first parameter is its context; others are keys and indexes. */
export function childScope(outer: Scope, context: Context, blockParams: readonly string[]): Scope {
  const aliases = new Map(blockParams.map((name, index) => [name, index === 0 ? context : unknown]));
  return { outer, context, aliases };
}

/** The context an expression leads to. */
export function contextOf(expression: Expression, scope: Scope): Context {
  if (expression.type === "SubExpression") return contextOfLookup(expression, scope);
  if (expression.type !== "PathExpression" || typeof expression.parts[0] === "object") return unknown;
  return contextOfPath(pathOf(expression), scope);
}

/** The context of a `lookup` call with a literal key. */
export function contextOfLookup({ path, params }: Invocation, scope: Scope): Context {
  const [subject, key] = params;
  if (writtenAs(path) !== "lookup" || subject === undefined || key === undefined) return unknown;
  if (key.type !== "StringLiteral" && key.type !== "NumberLiteral") return unknown;
  return within(contextOf(subject, scope), [String(valueOfLiteral(key))]);
}

/** The context of a path that does not begin with a sub-expression. */
export function contextOfPath({ data, depth, names, scoped }: Path, scope: Scope): Context {
  const [first, ...rest] = names;
  if (data) return first === "root" ? within(root, rest) : unknown;
  const alias = scoped || first === undefined ? undefined : aliasOf(first, scope);
  if (alias !== undefined) return within(alias, rest);
  return within(above(scope, depth).context, names);
}

/** The context of a block parameter; undefined if no enclosing block has one with that name. */
export function aliasOf(name: string, scope: Scope | undefined): Context | undefined {
  return scope && (scope.aliases?.get(name) ?? aliasOf(name, scope.outer));
}

function above(scope: Scope, depth: number): Scope {
  return depth === 0 || scope.outer === undefined ? scope : above(scope.outer, depth - 1);
}

function within(context: Context, parts: readonly string[]): Context {
  const [name, ...path] = parts;
  if (name === undefined) return context;
  if (context.kind === "root") return { kind: "reference", name, path };
  return context.kind === "reference" ? { ...context, path: [...context.path, ...parts] } : unknown;
}
