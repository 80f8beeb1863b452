/**
 * The tree of a template, as far as it is compiled. The parser's own declarations don't resolve in an ES module, and
 * they lack what it yields beyond them.
 */
export interface Program {
  readonly body: readonly Statement[];
  readonly blockParams?: readonly string[];
}

export type Statement =
  | { readonly type: "ContentStatement"; readonly value: string }
  | { readonly type: "CommentStatement" }
  | ({ readonly type: "MustacheStatement" } & Invocation)
  | BlockStatement
  | { readonly type: Unsupported };

type Unsupported = "PartialStatement" | "PartialBlockStatement" | "Decorator" | "DecoratorBlock";

export interface BlockStatement extends Invocation {
  readonly type: "BlockStatement";
  /** Absent in `{{^if condition}}…{{/if}}`. */
  readonly program?: Program;
  readonly inverse?: Program;
}

/** What stands within braces or parentheses: a path or a literal, or a helper's name with its arguments. */
export interface Invocation {
  readonly path: Expression;
  readonly params: readonly Expression[];
  readonly hash?: { readonly pairs: readonly { readonly key: string; readonly value: Expression }[] };
}

export type Expression = PathExpression | ({ readonly type: "SubExpression" } & Invocation) | Literal;

export interface PathExpression {
  readonly type: "PathExpression";
  /** Begins with `@`. */
  readonly data: boolean;
  /** Begins with `this`. */
  readonly this?: boolean;
  /** How many `../` it begins with. */
  readonly depth: number;
  /** Only the first may be a sub-expression. */
  readonly parts: readonly (string | Expression)[];
  readonly original: string;
}

export type Literal =
  | { readonly type: "StringLiteral"; readonly value: string }
  | { readonly type: "NumberLiteral"; readonly value: number }
  | { readonly type: "BooleanLiteral"; readonly value: boolean }
  | { readonly type: "NullLiteral" | "UndefinedLiteral" };
