import { type BlockOpening, blockKind, openingOf } from "../blocks.ts";
import { helperNames, type WrittenCall } from "../helpers.ts";
import { defaultsName } from "../names.ts";
import { hasArguments, isName, pathOf, valueOfLiteral, writtenAs } from "../parse/expressions.ts";
import type {
  BlockStatement,
  Expression,
  Invocation,
  Node,
  PathExpression,
  Program,
  Statement,
  SubExpression,
  Unsupported,
} from "../parse/syntax-tree.ts";
import {
  aliasOf,
  type Context,
  childScope,
  contextOf,
  contextOfLookup,
  contextOfPath,
  root,
  type Scope,
  unknown,
} from "./static-scope.ts";

/** A position within a template, counted from 1 in UTF-16 units. */
export interface TemplatePosition {
  readonly line: number;
  readonly column: number;
}

/** A reading of an operation's result: `{{ name.path… }}`. */
export interface ReferenceUse extends TemplatePosition {
  readonly name: string;
  readonly path: readonly string[];
  /** True in the condition and the branches of `{{#if}}` and `{{#unless}}`, where it may well be absent. */
  readonly conditional: boolean;
}

/** A default variable, a helper or anything else that a template refers to. */
export interface NamedUse<Name extends string = string> extends TemplatePosition {
  readonly name: Name;
}

/** The call of a helper, known or not. */
export interface CallUse extends WrittenCall, TemplatePosition {}

/** The opening of a block, known or not. */
export interface BlockUse extends BlockOpening, TemplatePosition {}

/** Everything that must exist when a template is rendered. */
export interface TemplateUses {
  readonly references: readonly ReferenceUse[];
  /** The variables read from `defaults`. */
  readonly defaults: readonly NamedUse[];
  readonly helpers: readonly CallUse[];
  readonly blocks: readonly BlockUse[];
  /** Partials and decorators, which mean nothing here. */
  readonly unsupported: readonly NamedUse<Unsupported>[];
}

/**
 * Finds everything a template uses, at any position, including references reached only by an alias (`{{#with tshirt as
 * |p|}}{{p.id}}{{/with}}`). Block parameters, `this`, `@index` and properties of `{{#each}}` entries are not
 * references.
 */
export function analyse(program: Program): TemplateUses {
  const uses = { references: [], defaults: [], helpers: [], blocks: [], unsupported: [] };
  visitProgram(program, { scope: { context: root }, conditional: false, uses });
  return uses;
}

const nothing: TemplateUses = { references: [], defaults: [], helpers: [], blocks: [], unsupported: [] };

/** The uses that `analyse` would find in a template that is only a path, see `plainPath`. */
export function usesOfPlainPath(text: string, [name = "", ...path]: readonly string[]): TemplateUses {
  const position = { line: 1, column: text.indexOf(name) + 1 };
  if (name === defaultsName) return { ...nothing, defaults: [{ name: path[0]!, ...position }] };
  return { ...nothing, references: [{ name, path, conditional: false, ...position }] };
}

interface Visit {
  readonly scope: Scope;
  readonly conditional: boolean;
  readonly uses: { [K in keyof TemplateUses]: TemplateUses[K][number][] };
}

function visitProgram(program: Program | undefined, visit: Visit): void {
  for (const statement of program?.body ?? []) visitStatement(statement, visit);
}

function visitStatement(statement: Statement, visit: Visit): void {
  switch (statement.type) {
    case "ContentStatement":
    case "CommentStatement":
      break;
    case "MustacheStatement":
      visitMustache(statement, visit);
      break;
    case "BlockStatement":
      visitBlock(statement, visit);
      break;
    default:
      visit.uses.unsupported.push({ name: statement.type, ...positionOf(statement) });
  }
}

function visitBlock(block: BlockStatement, visit: Visit): void {
  const opening = openingOf(block);
  visit.uses.blocks.push({ ...opening, ...positionOf(block.path) });
  const kind = blockKind(opening.name);
  const conditional = visit.conditional || kind?.isCondition === true;
  visitArguments(block, { ...visit, conditional });
  const inside =
    kind?.context === "outer"
      ? visit.scope
      : childScope(visit.scope, bodyContext(block, visit), opening.names);
  visitProgram(block.program, { ...visit, conditional, scope: inside });
  visitProgram(block.inverse, { ...visit, conditional });
}

/** The context in a block's body, if it differs from the surrounding one. */
function bodyContext({ path, params: [subject] }: BlockStatement, { scope }: Visit): Context {
  const isArgument = blockKind(writtenAs(path))?.context === "argument";
  return isArgument && subject !== undefined ? contextOf(subject, scope) : unknown;
}

function visitMustache(invocation: Invocation, visit: Visit): void {
  const { path } = invocation;
  if (hasArguments(invocation) || isHelper(path, visit.scope)) visitCall(invocation, visit);
  else if (path.type === "PathExpression" || path.type === "SubExpression") visitExpression(path, visit);
  // `{{ "a name" }}` is the property with that name.
  else record(contextOfPath(pathOf(path), visit.scope), path, visit);
}

/** True for a bare name that is a helper and not a block parameter. */
const isHelper = (path: Expression, scope: Scope): boolean =>
  isName(path) && helperNames.includes(path.original) && aliasOf(path.original, scope) === undefined;

function visitCall(call: Invocation, visit: Visit): void {
  const written = { name: writtenAs(call.path), arguments: call.params.map(literalOf), named: namedOf(call) };
  visit.uses.helpers.push({ ...written, ...positionOf(call.path) });
  const [subject] = call.params;
  const context = contextOfLookup(call, visit.scope);
  // A look-up by a literal reads one path; any other reads any part of its subject.
  if (subject !== undefined && context.kind === "reference") record(context, subject, visit);
  else visitArguments(call, visit);
}

/** The value of a literal; undefined for anything else. */
const literalOf = (expression: Expression) =>
  isLiteral(expression) ? valueOfLiteral(expression) : undefined;

const isLiteral = (
  expression: Expression,
): expression is Exclude<Expression, PathExpression | SubExpression> =>
  expression.type !== "PathExpression" && expression.type !== "SubExpression";

const namedOf = ({ hash }: Invocation): Record<string, unknown> =>
  Object.fromEntries((hash?.pairs ?? []).map(({ key, value }) => [key, literalOf(value)]));

function visitArguments({ params, hash }: Invocation, visit: Visit): void {
  for (const param of params) visitExpression(param, visit);
  for (const { value } of hash?.pairs ?? []) visitExpression(value, visit);
}

function visitExpression(expression: Expression, visit: Visit): void {
  if (expression.type === "SubExpression") visitCall(expression, visit);
  if (expression.type !== "PathExpression") return;
  const [first] = expression.parts;
  if (typeof first === "object") visitCall(first, visit);
  else record(contextOf(expression, visit.scope), expression, visit);
}

/** Records that a node of the tree reads a context. */
function record(context: Context, at: Node, { conditional, uses }: Visit): void {
  if (context.kind !== "reference") return;
  const { name, path } = context;
  if (name !== defaultsName) uses.references.push({ name, path, conditional, ...positionOf(at) });
  else if (path[0] !== undefined) uses.defaults.push({ name: path[0], ...positionOf(at) });
}

const positionOf = ({ loc }: Node): TemplatePosition => ({
  line: loc.start.line,
  column: loc.start.column + 1,
});
