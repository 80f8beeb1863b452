/** A template that does not parse. `line` and `column` are positions in its text, counted from 1 in UTF-16 units. */
export class TemplateSyntaxError extends Error {
  override readonly name = "TemplateSyntaxError";
  readonly line: number;
  readonly column: number;
  /** Advice to show with the message, if any. */
  readonly advice: string | undefined;

  constructor(message: string, line: number, column: number, advice?: string) {
    super(message);
    this.line = line;
    this.column = column;
    this.advice = advice;
  }
}

/** Advice if braces may be literal, such as those of a formula. */
export const bracesAdvice = 'write \\{{ for braces that are text; in JSON, "\\\\{{"';

/** A parser error: errors of the grammar have `hash`, those of its own checks `lineNumber` and `column` (from 0). */
interface ParserError extends Error {
  hash?: {
    text: string;
    token: string | null;
    loc?: { last_line: number; last_column: number };
    expected?: string[];
  };
  lineNumber?: number;
  column?: number;
}

/** Explains why a template does not parse, and where. */
export function explainParserError(text: string, error: ParserError): TemplateSyntaxError {
  const { hash, lineNumber, column } = error;
  if (lineNumber !== undefined && column !== undefined) {
    const message = `the template cannot be read: ${error.message.replace(/ - \d+:\d+$/, "")}`;
    return new TemplateSyntaxError(message, lineNumber, column + 1, bracesAdvice);
  }
  const lastRead = hash?.loc ? offsetsIn(text)(hash.loc.last_line, hash.loc.last_column + 1) : text.length;
  const offset = skipSpace(text, lastRead);
  const open = text.lastIndexOf("{{", offset);
  if (hash?.token === "EOF" && text.includes("}}", open))
    return syntaxError(text, offset, "ends before its last block is closed");
  if (!text.includes("}}", offset))
    return syntaxError(text, open, "has braces that are opened and not closed");
  // The parser reports only the first character of invalid text.
  const word =
    hash?.token === "INVALID" ? /^[^\s{}]*/.exec(text.slice(offset, offset + 40))?.[0] : hash?.text;
  const found = word || text.slice(offset, offset + 10);
  return syntaxError(text, offset, unexpected(found, text.slice(open + 2, offset)));
}

/** Explains an unexpected token after `before` in the same braces. */
function unexpected(found: string, before: string): string {
  if (found.startsWith("}}") && before.trim() === "") return "has braces with nothing in them";
  if (/^\{\{~?\s*(?:else|\^)/.test(found)) return "has an {{else}} that belongs to no block";
  if (/^\{\{~?\//.test(found)) return "closes a block that is not open";
  if (/^["']/.test(found)) return "has a quotation mark that is opened and not closed";
  return `has an unexpected ${JSON.stringify(found.slice(0, 40))}`;
}

function syntaxError(text: string, offset: number, problem: string): TemplateSyntaxError {
  return new TemplateSyntaxError(`the template ${problem}`, ...positionAt(text, offset), bracesAdvice);
}

function skipSpace(text: string, offset: number): number {
  let at = offset;
  while (at < text.length && /\s/.test(text[at]!)) at++;
  return at;
}

const lineEnd = /\r\n?|\n/g;

/** The offsets, in UTF-16 units, of positions in a text (line and column, from 1). Searches its lines once. */
export function offsetsIn(text: string): (line: number, column: number) => number {
  let starts: number[] | undefined;
  return (line, column) => {
    if (line === 1) return column - 1;
    starts ??= [0, ...[...text.matchAll(lineEnd)].map(({ index, 0: end }) => index + end.length)];
    const start = starts[line - 1];
    return start === undefined ? text.length : start + column - 1;
  };
}

function positionAt(text: string, offset: number): [line: number, column: number] {
  let [line, lineStart] = [1, 0];
  for (const { index, 0: end } of text.matchAll(lineEnd)) {
    if (index + end.length > offset) break;
    [line, lineStart] = [line + 1, index + end.length];
  }
  return [line, offset - lineStart + 1];
}
