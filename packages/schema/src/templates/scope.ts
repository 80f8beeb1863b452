import type { AST } from "@handlebars/parser";

/** What a name or `this` stands for, as far as the text of the template tells. */
export type Context =
  | { readonly kind: "root" }
  | { readonly kind: "reference"; readonly name: string; readonly path: readonly string[] }
  | { readonly kind: "unknown" };

/** What names mean at one place of a template. */
export interface Scope {
  readonly context: Context;
  /** Block parameters. */
  readonly aliases?: ReadonlyMap<string, Context>;
  readonly outer?: Scope;
}

const root: Context = { kind: "root" };
const unknown: Context = { kind: "unknown" };

/** A path, a literal or a call. */
export interface Expression {
  readonly type: string;
  /** Of a literal. */
  readonly value?: unknown;
  readonly path?: AST.Expression;
  readonly params?: readonly AST.Expression[];
}

/** The scope inside of a block. Its first parameter is its context; others are keys and indexes. */
export function childScope(outer: Scope, context: Context, blockParams: readonly string[]): Scope {
  const aliases = new Map(blockParams.map((name, index) => [name, index === 0 ? context : unknown]));
  return { outer, context, aliases };
}

/**
 * What an expression stands for where a name may stand: a literal is the name that it spells, a call of `lookup` with
 * a literal key is a path.
 */
export function contextOf(expression: Expression, scope: Scope): Context {
  if (expression.type === "PathExpression")
    return contextOfPath(expression as unknown as AST.PathExpression, scope);
  if (expression.value !== undefined) return within(scope.context, [String(expression.value)]);
  const { path, params = [] } = expression;
  if ((path as AST.PathExpression | undefined)?.original !== "lookup") return unknown;
  const [subject, key] = params;
  if (subject === undefined || key === undefined) return unknown;
  const literal = key.type === "StringLiteral" || key.type === "NumberLiteral";
  return literal ? within(contextOf(subject, scope), [String((key as AST.StringLiteral).value)]) : unknown;
}

function contextOfPath({ data, depth, parts, original }: AST.PathExpression, scope: Scope): Context {
  const [first, ...rest] = parts;
  if (typeof first === "object") return unknown;
  if (data) return first === "root" ? within(root, rest as string[]) : unknown;
  const alias =
    depth === 0 && !/^(?:this|\.)(?:[./]|$)/.test(original) ? aliasOf(first as string, scope) : undefined;
  if (alias !== undefined) return within(alias, rest as string[]);
  return within(above(scope, depth).context, parts as string[]);
}

function aliasOf(name: string, scope: Scope | undefined): Context | undefined {
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
