import { literalTemplate } from "../literal.ts";
import { parseTemplate } from "../parse/parse-template.ts";
import { offsetsIn, TemplateSyntaxError } from "../parse/syntax-error.ts";
import type { Expression, Invocation, Node, Program, Statement } from "../parse/syntax-tree.ts";

/** A value that can be written as an argument. */
export type Literal = string | number | boolean | null;

/** New values of nodes: the text that a statement renders to, or the value of an argument. */
export type Replacements = Map<Statement | Expression, Literal>;

/** The literal that means a value as an argument; undefined where there is none. */
export function literalText(value: unknown): string | undefined {
  if (value === null || typeof value === "boolean") return String(value);
  if (typeof value === "number") return /^-?\d+(?:\.\d+)?$/.test(String(value)) ? String(value) : undefined;
  if (typeof value !== "string" || value.endsWith("\\")) return undefined;
  const quote = ['"', "'"].find((candidate) => !value.includes(candidate));
  return quote && quote + value + quote;
}

/**
 * The parts of a template without their places: texts that are printed as they are, next to each other in one, and all
 * others. Templates whose parts are equal mean the same.
 */
export function meaningOf(program: Program, replacements: Replacements = new Map()): readonly unknown[] {
  const parts: unknown[] = [];
  for (const statement of program.body) {
    if (statement.type === "CommentStatement") continue;
    const text = statement.type === "ContentStatement" ? statement.value : replacements.get(statement);
    if (text === undefined) parts.push(meaningOfStatement(statement, replacements));
    else if (typeof parts.at(-1) === "string") parts.push(`${parts.pop()}${text}`);
    else if (text !== "") parts.push(String(text));
  }
  return parts;
}

function meaningOfStatement(statement: Statement, replacements: Replacements): object {
  if (statement.type !== "MustacheStatement" && statement.type !== "BlockStatement")
    return { type: statement.type, statement };
  const call = { type: statement.type, ...meaningOfCall(statement, replacements) };
  if (statement.type === "MustacheStatement") return call;
  const [program, inverse] = [statement.program, statement.inverse].map(
    (inner) => inner && { names: inner.blockParams, body: meaningOf(inner, replacements) },
  );
  return { ...call, program, inverse };
}

function meaningOfCall({ path, params, hash }: Invocation, replacements: Replacements): object {
  return {
    path: meaningOfExpression(path, replacements),
    params: params.map((param) => meaningOfExpression(param, replacements)),
    named: hash?.pairs.map(({ key, value }) => [key, meaningOfExpression(value, replacements)]),
  };
}

function meaningOfExpression(expression: Expression, replacements: Replacements): object {
  const value = replacements.get(expression);
  if (value !== undefined) return { value };
  if (expression.type === "SubExpression") return meaningOfCall(expression, replacements);
  if (expression.type !== "PathExpression")
    return expression.type === "NullLiteral"
      ? { value: null }
      : "value" in expression
        ? { value: expression.value }
        : { type: expression.type };
  const { data, depth, original, parts } = expression;
  const [first, ...names] = parts;
  const head = typeof first === "object" ? meaningOfExpression(first, replacements) : first;
  // With a call at its beginning, a path as written has the arguments in it.
  return { data, depth, head, names, original: typeof first === "object" ? undefined : original };
}

/**
 * The text of a template with replacements, in the simplest form that means `meaning`; undefined if none does. White
 * space is why there may be none: that around `~` and around blocks on lines of their own depends on what is next to
 * it.
 */
export function rewritten(
  text: string,
  replacements: Replacements,
  meaning: readonly unknown[],
): string | undefined {
  const wanted = JSON.stringify(meaning);
  return [bare, guarded]
    .map((write) => edited(text, replacements, write))
    .find((candidate) => {
      try {
        return JSON.stringify(meaningOf(parseTemplate(candidate))) === wanted;
      } catch (error) {
        if (error instanceof TemplateSyntaxError) return false;
        throw error;
      }
    });
}

/** Writes a text in place of braces, given as they were written. */
type Write = (value: string, braces: string) => string;

const bare: Write = (value) => literalTemplate(value);

/** Keeps a text apart from what is next to it by comments, which strip the white space that the braces did. */
const guarded: Write = (value, braces) => {
  const before = braces.startsWith("{{~") ? "{{~!}}{{!}}" : "{{!}}{{!}}";
  const after = braces.endsWith("~}}") ? "{{!}}{{!~}}" : "{{!}}{{!}}";
  // Braces and backslashes would be taken together with those of the comment.
  const apart = /[{\\]$/.test(value) ? " {{~!}}" : "";
  return before + literalTemplate(value) + apart + after;
};

function edited(text: string, replacements: Replacements, write: Write): string {
  const offset = offsetsIn(text);
  const place = ({ loc: { start, end } }: Node) => ({
    start: offset(start.line, start.column + 1),
    end: offset(end.line, end.column + 1),
  });
  const edits = [...replacements].map(([node, value]) => ({ ...place(node), node, value }));
  let [done, result] = [0, ""];
  for (const { start, end, node, value } of edits.sort((one, other) => one.start - other.start)) {
    const isStatement = node.type === "MustacheStatement" || node.type === "BlockStatement";
    const replaced = isStatement ? write(String(value), text.slice(start, end)) : literalText(value);
    result += text.slice(done, start) + replaced;
    done = end;
  }
  return result + text.slice(done);
}
