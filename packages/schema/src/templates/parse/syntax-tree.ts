/**
 * The syntax tree of a template, as far as it is analysed and compiled. The parser's own types lack some of its output,
 * and don't distinguish nodes by `type`.
 */
export interface Program {
  readonly body: readonly Statement[];
  readonly blockParams?: readonly string[];
  /** True for the content of `{{else if}}`. */
  readonly chained?: boolean;
}

/** Lines count from 1, columns from 0. */
interface Position {
  readonly line: number;
  readonly column: number;
}

export interface Node {
  readonly loc: { readonly start: Position; readonly end: Position };
}

export type Statement =
  | (Node & { readonly type: "ContentStatement"; readonly value: string })
  | (Node & { readonly type: "CommentStatement" })
  | MustacheStatement
  | BlockStatement
  | (Node & { readonly type: Unsupported });

export type Unsupported = "PartialStatement" | "PartialBlockStatement" | "Decorator" | "DecoratorBlock";

export interface MustacheStatement extends Invocation, Node {
  readonly type: "MustacheStatement";
}

export interface BlockStatement extends Invocation, Node {
  readonly type: "BlockStatement";
  /** Absent in `{{^if condition}}…{{/if}}`. */
  readonly program?: Program;
  readonly inverse?: Program;
}

/** The inside of braces or parentheses: a path or a literal, or a helper's name with its arguments. */
export interface Invocation {
  readonly path: Expression;
  readonly params: readonly Expression[];
  readonly hash?: { readonly pairs: readonly { readonly key: string; readonly value: Expression }[] };
}

export type Expression = PathExpression | SubExpression | Literal;

export interface SubExpression extends Invocation, Node {
  readonly type: "SubExpression";
}

export interface PathExpression extends Node {
  readonly type: "PathExpression";
  /** Begins with `@`. */
  readonly data: boolean;
  /** The number of leading `../`. */
  readonly depth: number;
  /** Only the first may be a sub-expression. */
  readonly parts: readonly (string | SubExpression)[];
  readonly original: string;
}

export type Literal = Node &
  (
    | { readonly type: "StringLiteral"; readonly value: string }
    | { readonly type: "NumberLiteral"; readonly value: number }
    | { readonly type: "BooleanLiteral"; readonly value: boolean }
    | { readonly type: "NullLiteral" | "UndefinedLiteral" }
  );
