import { analyse, type TemplateUses } from "../analyse/analyse.ts";
import { contextOf, root } from "../analyse/static-scope.ts";
import { blockKind } from "../blocks.ts";
import { compileArgument, compileExpression, compileProgram } from "../evaluate/compile.ts";
import { Failure } from "../evaluate/failure.ts";
import { Pending, type Renderer, type Run, runTemplate } from "../evaluate/run.ts";
import type { ReferenceValue } from "../evaluate/template-scope.ts";
import { readers } from "../helpers.ts";
import { renderLimits } from "../limits.ts";
import { literalTemplate } from "../literal.ts";
import { pathOf, writtenAs } from "../parse/expressions.ts";
import { parseTemplate } from "../parse/parse-template.ts";
import { plainPath } from "../parse/plain-path.ts";
import { TemplateSyntaxError } from "../parse/syntax-error.ts";
import type { Expression, Invocation, Program, Statement } from "../parse/syntax-tree.ts";
import { objectionToExtent } from "../parse/template-extent.ts";
import { rendererOf, usesOf } from "../template.ts";
import { type Literal, literalText, meaningOf, type Replacements, rewritten } from "./rewrite.ts";

/** The results that templates are to have put in, and what that may still cost for one operation. */
export interface Resolution {
  /** The result of an operation by its `_ref`; undefined for names that stay references. */
  result(name: string): ReferenceValue | undefined;
  /** Steps that were taken, and UTF-16 units that were rendered so far. */
  steps: number;
  output: number;
}

/**
 * Replaces the expressions of a template that read nothing but such results by what they render to, and such arguments
 * of helpers and blocks by literals. The rest stays: other references, defaults, and helpers, which read the tenant.
 * The new template renders to what the old one does, with braces of the values taken as they are. An expression that
 * cannot be replaced without changing what others render to stays, and so does one that cannot be rendered.
 */
export function resolveTemplate(text: string, resolution: Resolution): string {
  try {
    if (!usesOf(text).references.some(({ name }) => resolution.result(name))) return text;
    const path = plainPath(text);
    if (path !== undefined) return asTemplate(rendered(rendererOf(text), resolution)) ?? text;
    const program = parseTemplate(text);
    const replacements: Replacements = new Map();
    visitProgram(program, { resolution, replacements });
    const meaning = meaningOf(program, replacements);
    if (meaning.every((part) => typeof part === "string")) return asTemplate(meaning.join("")) ?? text;
    return rewritten(text, replacements, meaning) ?? text;
  } catch (error) {
    // It would fail in a run, too, and stays as it was written.
    if (error instanceof TemplateSyntaxError) return text;
    throw error;
  }
}

/** Texts that templates may render to where a number or a boolean is wanted. */
const spelled = /^\s*(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false)\s*$/;

/** A text as a template of its own; undefined for one that would be too long. It stays one where it may be a number. */
function asTemplate(value: string | undefined): string | undefined {
  if (value === undefined) return undefined;
  // Next to the number: alone on its line, a comment takes the line with it.
  if (spelled.test(value)) return value.replace(/\S+/, "$&{{!}}");
  const template = literalTemplate(value);
  return template !== value && objectionToExtent(template) !== undefined ? undefined : template;
}

interface Visit {
  readonly resolution: Resolution;
  readonly replacements: Replacements;
}

/** @param isChained true for the body of `{{else if}}`, which is not a statement of its own */
function visitProgram(program: Program | undefined, visit: Visit, isChained = false): void {
  for (const statement of program?.body ?? []) visitStatement(statement, visit, isChained);
}

function visitStatement(statement: Statement, visit: Visit, isChained: boolean): void {
  if (statement.type !== "MustacheStatement" && statement.type !== "BlockStatement") return;
  const { resolution, replacements } = visit;
  const only = { body: [statement] };
  const uses = analyse(only);
  if (!uses.references.some(({ name }) => resolution.result(name))) return;
  const value = !isChained && isKnown(uses, resolution) ? rendered(compiled(only), resolution) : undefined;
  if (value !== undefined) return void replacements.set(statement, value);
  visitArguments(statement, visit);
  if (statement.type === "MustacheStatement") return;
  if (blockKind(writtenAs(statement.path))?.context === "outer") visitProgram(statement.program, visit);
  visitProgram(statement.inverse, visit, statement.inverse?.chained === true);
}

/** True for a part that reads results alone, all of which are known. */
const isKnown = ({ references, defaults, helpers, unsupported }: TemplateUses, { result }: Resolution) =>
  references.every(({ name }) => result(name) !== undefined) &&
  helpers.every(({ name }) => readers.includes(name)) &&
  defaults.length + unsupported.length === 0;

function visitArguments({ path, params, hash }: Invocation, visit: Visit): void {
  if (path.type !== "PathExpression" || typeof path.parts[0] === "object") visitHead(path, visit);
  // The arguments of blocks and readers stay what they are; to other helpers an id object is its id.
  const name = writtenAs(path);
  const isPlain = readers.includes(name) || blockKind(name) !== undefined;
  for (const param of params) visitArgument(param, visit, isPlain);
  for (const { value } of hash?.pairs ?? []) visitArgument(value, visit, false);
}

/** A call that the braces, or a path in them, begin with. */
function visitHead(path: Expression, visit: Visit): void {
  const call = path.type === "PathExpression" ? path.parts[0] : path;
  if (typeof call === "object" && call.type === "SubExpression") visitArguments(call, visit);
}

function visitArgument(argument: Expression, visit: Visit, isPlain: boolean): void {
  if (argument.type !== "PathExpression" && argument.type !== "SubExpression") return;
  const { resolution, replacements } = visit;
  const value = isKnownArgument(argument, resolution)
    ? argumentValue(argument, resolution, isPlain)
    : undefined;
  if (value !== undefined) replacements.set(argument, value);
  else if (argument.type === "SubExpression") visitArguments(argument, visit);
  else visitHead(argument, visit);
}

function isKnownArgument(argument: Expression, resolution: Resolution): boolean {
  if (argument.type === "SubExpression")
    return isKnown(analyse({ body: [{ ...argument, type: "MustacheStatement" }] }), resolution);
  if (argument.type !== "PathExpression" || pathOf(argument).names.length === 0) return false;
  const context = contextOf(argument, { context: root });
  return context.kind === "reference" && resolution.result(context.name) !== undefined;
}

/** The value of an argument that can be written as a literal; undefined for others. */
function argumentValue(argument: Expression, resolution: Resolution, isPlain: boolean): Literal | undefined {
  let value: unknown;
  const evaluate = () => (isPlain ? compileExpression(argument) : compileArgument(argument));
  rendered((run, frame) => {
    value = evaluate()(run, frame);
    return "";
  }, resolution);
  return literalText(value) === undefined ? undefined : (value as Literal);
}

/** Compiles when it is rendered, so that both fail in the same way. */
const compiled =
  (program: Program): Renderer =>
  (run, frame) =>
    compileProgram(program)(run, frame);

/** Renders with the results alone; undefined where that fails. */
function rendered(renderer: Renderer, resolution: Resolution): string | undefined {
  const left = renderLimits.allSteps - resolution.steps;
  const run: Run = {
    scope: { lookup: resolution.result, names: () => undefined, defaults: {}, helpers: {} },
    rendering: {},
    callsAllowed: false,
    results: [],
    calls: 0,
    steps: 0,
    maxSteps: Math.min(renderLimits.steps, left),
    output: resolution.output,
  };
  try {
    const text = runTemplate(renderer, run);
    if (text instanceof Pending) return undefined;
    resolution.output = run.output;
    return text;
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  } finally {
    resolution.steps += run.steps;
  }
}
