import { bracesAdvice, unsupportedParts } from "@lading/schema";
import type {
  BlockStatement,
  Expression,
  Invocation,
  Literal,
  PathExpression,
  Program,
  Statement,
} from "./ast.ts";
import { type Block, compileBlock } from "./blocks.ts";
import { compileCall } from "./calls.ts";
import { blockParameter, compilePath, type Path } from "./paths.ts";
import { type Evaluate, emit, type Print, spend } from "./run.ts";
import { Failure } from "./template-error.ts";
import { idOf, print } from "./values.ts";

/** Compiles a part of a template to a function that prints it. What is wrong with it is a `Failure`. */
export function compileProgram(program: Program | undefined): Print {
  const parts = (program?.body ?? []).flatMap(compileStatement);
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return only;
  return (run, frame) => {
    let text = "";
    for (const part of parts) text += part(run, frame);
    return text;
  };
}

function compileStatement(statement: Statement): Print[] {
  switch (statement.type) {
    case "ContentStatement":
      return [(run) => emit(run, statement.value)];
    case "CommentStatement":
      return [];
    case "MustacheStatement":
      return [compileMustache(statement)];
    case "BlockStatement":
      return [counted(compileBlock(blockOf(statement)))];
    default:
      throw new Failure(
        () =>
          `Partials and decorators are not supported, and this is ${unsupportedParts[statement.type]}; ${bracesAdvice}.`,
      );
  }
}

function counted(block: Print): Print {
  return (run, frame) => {
    spend(run, 1);
    return block(run, frame);
  };
}

function compileMustache(statement: Invocation): Print {
  const evaluate = compileInvocation(statement);
  const isCall = statement.params.length > 0 || statement.hash !== undefined;
  const written = isCall ? callAsWritten(statement) : writtenAs(statement.path);
  const name = propertyOf(statement);
  return (run, frame) => {
    spend(run, 1);
    return emit(run, print(evaluate(run, frame), written, name));
  };
}

function blockOf(statement: BlockStatement): Block {
  const { program, inverse } = statement;
  return {
    name: writtenAs(statement.path),
    arguments: statement.params.map(compileExpression),
    hash: Object.fromEntries(hashOf(statement)),
    names: program?.blockParams ?? [],
    body: compileProgram(program),
    otherwise: compileProgram(inverse),
  };
}

/** What stands in braces: a helper with its arguments, or a path. A name alone is a helper if one is called so. */
function compileInvocation(invocation: Invocation): Evaluate {
  const { path, params, hash } = invocation;
  if (params.length > 0 || hash !== undefined) return compileHelper(invocation);
  if (path.type === "SubExpression") return compileExpression(path);
  const value = compilePath(path.type === "PathExpression" ? pathOf(path) : literalPath(path));
  if (!isPlainName(path)) return value;
  const name = writtenAs(path);
  const call = compileCall({ name, arguments: [], hash: [] });
  return (run, frame) => {
    const isHelper = Object.hasOwn(run.scope.helpers, name) && blockParameter(name, frame) === undefined;
    return (isHelper ? call : value)(run, frame);
  };
}

/** Helpers that read a property of their first argument, which therefore stays what it is. */
const readers: ReadonlySet<string> = new Set(["lookup", "valueOf"]);

function compileHelper(invocation: Invocation): Evaluate {
  const name = writtenAs(invocation.path);
  return compileCall({
    name,
    arguments: invocation.params.map(readers.has(name) ? compileExpression : compileArgument),
    hash: hashOf(invocation),
  });
}

function hashOf({ hash }: { hash?: Invocation["hash"] }): [string, Evaluate][] {
  return (hash?.pairs ?? []).map(({ key, value }) => [key, compileArgument(value)]);
}

/** To a helper of the scope, an id object is its id. */
function compileArgument(expression: Expression): Evaluate {
  const evaluate = compileExpression(expression);
  if (expression.type !== "PathExpression" || expression.parts.at(-1) !== "id") return evaluate;
  return (run, frame) => idOf(evaluate(run, frame));
}

function compileExpression(expression: Expression): Evaluate {
  switch (expression.type) {
    case "PathExpression":
      return compilePath(pathOf(expression));
    case "SubExpression":
      return compileHelper(expression);
    case "NullLiteral":
    case "UndefinedLiteral":
      return () => null;
    default:
      return () => expression.value;
  }
}

function pathOf(path: PathExpression): Path {
  const [first] = path.parts;
  const computed = typeof first === "object";
  return {
    written: writtenAs(path),
    names: path.parts.filter((part) => typeof part === "string"),
    depth: path.depth,
    data: path.data,
    scoped: isScoped(path),
    ...(computed && { head: compileExpression(first) }),
  };
}

function isScoped(path: PathExpression): boolean {
  return path.depth > 0 || path.this === true || path.parts.length === 0 || /^\.\//.test(path.original);
}

/** `{{ "a name" }}` means the property of that name, as in Handlebars. */
function literalPath(literal: Literal): Path {
  const written = writtenAs(literal);
  return { written, names: [written], depth: 0, data: false, scoped: false };
}

function isPlainName(path: Expression): boolean {
  return path.type === "PathExpression" && path.parts.length === 1 && !path.data && !isScoped(path);
}

function writtenAs(expression: Expression): string {
  switch (expression.type) {
    case "PathExpression":
      return expression.original;
    case "SubExpression":
      return callAsWritten(expression);
    case "NullLiteral":
      return "null";
    case "UndefinedLiteral":
      return "undefined";
    default:
      return String(expression.value);
  }
}

/** The longest call that messages repeat with its arguments. */
const longestWritten = 150;

/** `(valueOf (fetchOrderById order.id) 'total')`, as it stands for its value within other braces. */
function callAsWritten({ path, params, hash }: Invocation): string {
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

/** The name of the property that is printed, as far as it is written down. */
function propertyOf({ path, params }: Invocation): string | undefined {
  if (path.type !== "PathExpression") return undefined;
  if (!readers.has(path.original) || params.length !== 2) {
    const last = path.parts.at(-1);
    return params.length === 0 && typeof last === "string" ? last : undefined;
  }
  const name = params[1]!;
  return name.type === "StringLiteral" ? name.value.split(".").at(-1) : undefined;
}
