import { openingOf, requireKind } from "../blocks.ts";
import { misuseOf, readers } from "../helpers.ts";
import { unsupportedParts } from "../names.ts";
import {
  callAsWritten,
  hasArguments,
  isName,
  pathOf,
  valueOfLiteral,
  writtenAs,
} from "../parse/expressions.ts";
import { bracesAdvice } from "../parse/syntax-error.ts";
import type {
  BlockStatement,
  Expression,
  Invocation,
  PathExpression,
  Program,
  Statement,
} from "../parse/syntax-tree.ts";
import { compileCall } from "./calls.ts";
import { Failure, fail } from "./failure.ts";
import { blockParameter, compilePath } from "./paths.ts";
import { type Evaluator, type Renderer, spend, write } from "./run.ts";
import { idOf, textOf } from "./values.ts";

/** Compiles a part of a template to a function that renders it. Throws a `Failure` for an invalid part. */
export function compileProgram(program: Program | undefined): Renderer {
  const parts = (program?.body ?? []).flatMap(compileStatement);
  const [only] = parts;
  if (only !== undefined && parts.length === 1) return only;
  return (run, frame) => {
    let text = "";
    for (const part of parts) text += part(run, frame);
    return text;
  };
}

function compileStatement(statement: Statement): Renderer | [] {
  switch (statement.type) {
    case "ContentStatement":
      return (run) => write(run, statement.value);
    case "CommentStatement":
      return [];
    case "MustacheStatement":
      return compileMustache(statement);
    case "BlockStatement":
      return oneStep(compileBlock(statement));
    default:
      throw new Failure(() => {
        const part = unsupportedParts[statement.type];
        return `Partials and decorators are not supported, and this is ${part}; ${bracesAdvice}.`;
      });
  }
}

/** Counts a block as a step. */
function oneStep(block: Renderer): Renderer {
  return (run, frame) => {
    spend(run, 1);
    return block(run, frame);
  };
}

function compileMustache(statement: Invocation): Renderer {
  const evaluate = compileInvocation(statement);
  const written = hasArguments(statement) ? callAsWritten(statement) : writtenAs(statement.path);
  return renderValue(evaluate, written, propertyOf(statement));
}

/** Compiles a template that is only a path, see `plainPath`. */
export function compilePlainPath(names: readonly string[]): Renderer {
  const written = names.join(".");
  const evaluate = compilePath({ written, names, depth: 0, data: false, scoped: false });
  return renderValue(evaluate, written, names.at(-1));
}

function renderValue(evaluate: Evaluator, written: string, name: string | undefined): Renderer {
  return (run, frame) => {
    spend(run, 1);
    return write(run, textOf(evaluate(run, frame), written, name));
  };
}

function compileBlock(statement: BlockStatement): Renderer {
  const opening = openingOf(statement);
  // Checked before its parts are compiled: a chain of unknown blocks can exceed the depth of the stack.
  const kind = requireKind(opening);
  return kind.compile({
    arguments: statement.params.map(compileExpression),
    named: namedOf(statement),
    names: opening.names,
    body: compileProgram(statement.program),
    otherwise: compileProgram(statement.inverse),
  });
}

/** Compiles the inside of braces: a helper call, or a path. A bare name is a helper if there is one. */
function compileInvocation(invocation: Invocation): Evaluator {
  const { path } = invocation;
  if (hasArguments(invocation)) return compileHelper(invocation);
  if (path.type === "SubExpression") return compileExpression(path);
  const value = compilePath(pathOf(path), path.type === "PathExpression" ? headOf(path) : undefined);
  return isName(path) ? helperOr(value, path.original) : value;
}

/** Calls the helper with that name, if there is one and no block parameter has the same name. */
function helperOr(value: Evaluator, name: string): Evaluator {
  const call = { name, arguments: [], named: [] };
  const isReader = readers.includes(name);
  const evaluate = isReader
    ? () => fail(() => `"${name}" ${misuseOf({ ...call, named: {} })}.`)
    : compileCall(call);
  return (run, frame) => {
    const isHelper = isReader || Object.hasOwn(run.scope.helpers, name);
    return (isHelper && blockParameter(name, frame) === undefined ? evaluate : value)(run, frame);
  };
}

function compileHelper(invocation: Invocation): Evaluator {
  const name = writtenAs(invocation.path);
  return compileCall({
    name,
    // These keep their first argument as it is, so that its properties can be read.
    arguments: invocation.params.map(readers.includes(name) ? compileExpression : compileArgument),
    named: namedOf(invocation),
  });
}

function namedOf({ hash }: { hash?: Invocation["hash"] }): [string, Evaluator][] {
  return (hash?.pairs ?? []).map(({ key, value }) => [key, compileArgument(value)]);
}

/** Compiles an argument of one of the scope's helpers, for which an id object stands for its id. */
function compileArgument(expression: Expression): Evaluator {
  const evaluate = compileExpression(expression);
  if (expression.type !== "PathExpression" || expression.parts.at(-1) !== "id") return evaluate;
  return (run, frame) => idOf(evaluate(run, frame));
}

/** Compiles an expression to a function that returns its value. */
function compileExpression(expression: Expression): Evaluator {
  if (expression.type === "PathExpression") return compilePath(pathOf(expression), headOf(expression));
  if (expression.type === "SubExpression") return compileHelper(expression);
  const value = valueOfLiteral(expression);
  return () => value;
}

/** Compiles the sub-expression at the start of a path, if there is one. */
function headOf({ parts: [first] }: PathExpression): Evaluator | undefined {
  return typeof first === "object" ? compileExpression(first) : undefined;
}

/** The name of the rendered property, as far as the template states it. */
function propertyOf(invocation: Invocation): string | undefined {
  const { path, params } = invocation;
  if (path.type !== "PathExpression") return undefined;
  if (!readers.includes(path.original) || params.length !== 2) {
    const last = path.parts.at(-1);
    return params.length === 0 && typeof last === "string" ? last : undefined;
  }
  const name = params[1]!;
  return name.type === "StringLiteral" ? name.value.split(".").at(-1) : undefined;
}
