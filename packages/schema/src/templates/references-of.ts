import type { AST } from "@handlebars/parser";
import { helperNames, type WrittenCall } from "./helper-calls.ts";
import { defaultsName } from "./names.ts";
import { type Program, parseTemplate } from "./parse-template.ts";
import { plainPath } from "./plain-path.ts";
import { childScope, contextOf, type Expression, type Scope } from "./scope.ts";

/** Where something stands within a template, counted from 1 in UTF-16 units. */
export interface TemplatePlace {
  readonly line: number;
  readonly column: number;
}

/** A reading of an operation's result: `{{ name.path… }}`. */
export interface ReferenceUse extends TemplatePlace {
  readonly name: string;
  readonly path: readonly string[];
  /** It stands in the condition or in a branch of `{{#if}}` or `{{#unless}}`, so it may well be absent. */
  readonly conditional: boolean;
}

/** A default variable, a helper or something else that a template names. */
export interface NamedUse extends TemplatePlace {
  readonly name: string;
}

/** The call of a helper, known or not. */
export interface CallUse extends WrittenCall, TemplatePlace {}

/** A block that is opened, known or not, and with how many arguments. */
export interface BlockUse extends NamedUse {
  readonly arguments: number;
}

/** Everything in a template that has to exist when it is rendered. */
export interface TemplateUses {
  readonly references: readonly ReferenceUse[];
  /** The variables read from `defaults`. */
  readonly defaults: readonly NamedUse[];
  readonly helpers: readonly CallUse[];
  readonly blocks: readonly BlockUse[];
  /** Partials and decorators: there is nothing that they could mean here. */
  readonly unsupported: readonly NamedUse[];
}

const known = new WeakMap<Program, TemplateUses>();

/**
 * What a template uses; remembered for as long as its tree is.
 *
 * @throws TemplateSyntaxError when it does not parse
 */
export function usesOf(template: string): TemplateUses {
  const [name, ...path] = plainPath(template) ?? [];
  if (name === undefined) return usesIn(parseTemplate(template));
  const place = { line: 1, column: template.indexOf(name) + 1 };
  if (name === defaultsName) return { ...nothing, defaults: [{ name: path[0]!, ...place }] };
  return { ...nothing, references: [{ name, path, conditional: false, ...place }] };
}

const nothing: TemplateUses = { references: [], defaults: [], helpers: [], blocks: [], unsupported: [] };

function usesIn(program: Program): TemplateUses {
  const before = known.get(program);
  if (before !== undefined) return before;
  const uses = { references: [], defaults: [], helpers: [], blocks: [], unsupported: [] };
  visitProgram(program, { scope: { context: { kind: "root" } }, conditional: false, uses });
  known.set(program, uses);
  return uses;
}

/**
 * The references that a template reads, wherever in it, also those that only an alias reaches
 * (`{{#with tshirt as |p|}}{{p.id}}{{/with}}`). Block parameters, `this`, `@index` and what belongs to the element of
 * an `{{#each}}` are none.
 */
export function referencesOf(program: Program): readonly ReferenceUse[] {
  return usesIn(program).references;
}

interface Visit {
  readonly scope: Scope;
  readonly conditional: boolean;
  readonly uses: { [K in keyof TemplateUses]: TemplateUses[K][number][] };
}

/** A mustache, a sub-expression or the head of a block. */
interface Call {
  readonly type: string;
  readonly path: AST.Expression;
  readonly params?: AST.Expression[];
  readonly hash?: AST.Hash;
}

function visitProgram(program: Program | undefined, visit: Visit): void {
  for (const statement of program?.body ?? []) visitStatement(statement, visit);
}

function visitStatement(statement: AST.Statement, visit: Visit): void {
  const { type } = statement;
  if (type === "MustacheStatement") visitCall(statement as AST.MustacheStatement, visit);
  else if (type === "BlockStatement") visitBlock(statement as AST.BlockStatement, visit);
  else if (type !== "ContentStatement" && type !== "CommentStatement") {
    visit.uses.unsupported.push({ name: type, ...placeOf(statement) });
  }
}

function visitBlock(block: AST.BlockStatement, visit: Visit): void {
  const name = block.path.original;
  visit.uses.blocks.push({ name, arguments: block.params.length, ...placeOf(block.path) });
  const isCondition = name === "if" || name === "unless";
  const conditional = visit.conditional || isCondition;
  visitArguments(block, { ...visit, conditional });
  const scope = isCondition ? visit.scope : insideOf(block, name, visit.scope);
  visitProgram(block.program, { ...visit, conditional, scope });
  visitProgram(block.inverse, { ...visit, conditional });
}

/** What names mean within a block: `with` steps into its argument, anything else into something unknown. */
function insideOf(block: AST.BlockStatement, name: string, scope: Scope): Scope {
  const [subject] = block.params;
  const context = name === "with" && subject ? contextOf(subject, scope) : ({ kind: "unknown" } as const);
  return childScope(scope, context, block.program?.blockParams ?? []);
}

function visitCall(call: Call, visit: Visit): void {
  const name = helperOf(call, visit.scope);
  if (name === undefined) {
    // `{{ "a name" }}` is the property of that name, as in Handlebars.
    if (/Literal$/.test(call.path.type)) read(call.path, call.path, visit);
    else visitExpression(call.path, visit);
  } else {
    visit.uses.helpers.push({ name, ...writtenArguments(call), ...placeOf(call.path) });
    const [subject] = call.params ?? [];
    // A look-up by a literal reads one path; by anything else, whatever of its subject.
    if (subject && contextOf(call, visit.scope).kind === "reference") read(call, subject, visit);
    else visitArguments(call, visit);
  }
}

function writtenArguments({ params = [], hash }: Call): Omit<WrittenCall, "name"> {
  return {
    arguments: params.map(literalOf),
    named: (hash?.pairs ?? []).map((pair: AST.HashPair) => pair.key),
  };
}

/** The value of a literal; undefined of anything else. */
function literalOf(expression: AST.Expression): unknown {
  if (expression.type === "NullLiteral" || expression.type === "UndefinedLiteral") return null;
  return (expression as AST.StringLiteral).value;
}

function visitArguments({ params = [], hash }: Call, visit: Visit): void {
  for (const param of params) visitExpression(param, visit);
  for (const { value } of hash?.pairs ?? []) visitExpression(value, visit);
}

function visitExpression(expression: AST.Expression, visit: Visit): void {
  if (expression.type === "SubExpression") visitCall(expression as AST.SubExpression, visit);
  if (expression.type !== "PathExpression") return;
  const { head } = expression as AST.PathExpression;
  if (typeof head === "object") visitCall(head, visit);
  else read(expression, expression, visit);
}

/** Notes what an expression reads. `at` is where that is. */
function read(expression: Expression, at: AST.Node, { scope, conditional, uses }: Visit): void {
  const context = contextOf(expression, scope);
  if (context.kind !== "reference") return;
  const { name, path } = context;
  if (name !== defaultsName) uses.references.push({ name, path, conditional, ...placeOf(at) });
  else if (path[0] !== undefined) uses.defaults.push({ name: path[0], ...placeOf(at) });
}

/** The helper that is called, if it is one: with arguments always, without any if it is known and no block parameter. */
function helperOf({ path, params = [], hash }: Call, scope: Scope): string | undefined {
  if (path.type !== "PathExpression") return undefined;
  const { original, parts, head } = path as AST.PathExpression;
  if (typeof head === "object") return undefined;
  if (params.length > 0 || (hash?.pairs.length ?? 0) > 0) return original;
  const simple = parts.length === 1 && original === parts[0];
  return simple && helperNames.includes(original) && !isAlias(original, scope) ? original : undefined;
}

function isAlias(name: string, scope: Scope | undefined): boolean {
  return scope !== undefined && (scope.aliases?.has(name) === true || isAlias(name, scope.outer));
}

const placeOf = ({ loc }: AST.Node): TemplatePlace => ({
  line: loc.start.line,
  column: loc.start.column + 1,
});
