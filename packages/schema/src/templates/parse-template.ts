import { type AST, parse } from "@handlebars/parser";
import { objectionToExtent } from "./template-extent.ts";

export type Program = AST.Program;

/** A template that does not parse. `line` and `column` are places within its text, counted from 1 in UTF-16 units. */
export class TemplateSyntaxError extends Error {
  override readonly name = "TemplateSyntaxError";
  readonly line: number;
  readonly column: number;
  /** Advice to be told beside the message; undefined where there is none to give. */
  readonly advice: string | undefined;

  constructor(message: string, line: number, column: number, advice?: string) {
    super(message);
    this.line = line;
    this.column = column;
    this.advice = advice;
  }
}

/** Advice where braces may never have been meant as a template, such as those of a formula. */
export const bracesAdvice = 'write \\{{ for braces that are text; in JSON, "\\\\{{"';

/** Whether a text has template parts at all. Without any, it stands for itself. */
export function hasTemplate(text: string): boolean {
  return text.includes("{{");
}

const cacheSize = 2_000;
const longestCached = 1_000;
const cache = new Map<string, Program>();

/**
 * Parses a Handlebars template. Files repeat their templates, so the trees of the latest short ones are kept and
 * shared: never change one.
 *
 * @throws TemplateSyntaxError when it does not parse, or is longer or nested deeper than templates may be.
 */
export function parseTemplate(text: string): Program {
  const known = cache.get(text);
  if (known !== undefined) return known;
  const program = parseAnew(text);
  if (text.length > longestCached) return program;
  // First in, first out: a template in constant use is parsed again once in a cache full, which costs next to nothing.
  if (cache.size >= cacheSize) cache.delete(cache.keys().next().value!);
  cache.set(text, program);
  return program;
}

function parseAnew(text: string): Program {
  const objection = objectionToExtent(text);
  if (objection !== undefined) throw new TemplateSyntaxError(`the template ${objection}`, 1, 1);
  try {
    return parse(text);
  } catch (error) {
    throw explain(text, error as ParserError);
  }
}

/** What the parser throws: of the grammar with `hash`, of its own checks with `lineNumber` and `column` (from 0). */
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

function explain(text: string, error: ParserError): TemplateSyntaxError {
  const { hash, lineNumber, column } = error;
  if (lineNumber !== undefined && column !== undefined) {
    const message = `the template cannot be read: ${error.message.replace(/ - \d+:\d+$/, "")}`;
    return new TemplateSyntaxError(message, lineNumber, column + 1, bracesAdvice);
  }
  const lastRead = hash?.loc ? offsetsIn(text)(hash.loc.last_line, hash.loc.last_column + 1) : text.length;
  const offset = skipSpace(text, lastRead);
  const open = text.lastIndexOf("{{", offset);
  if (hash?.token === "EOF" && text.includes("}}", open))
    return faultAt(text, offset, "ends before its last block is closed");
  if (!text.includes("}}", offset)) return faultAt(text, open, "has braces that are opened and not closed");
  // Of a word that is none the parser gives its first character.
  const word =
    hash?.token === "INVALID" ? /^[^\s{}]*/.exec(text.slice(offset, offset + 40))?.[0] : hash?.text;
  const found = word || text.slice(offset, offset + 10);
  return faultAt(text, offset, unexpected(found, text.slice(open + 2, offset)));
}

/** Says what is wrong with a token that does not belong where it was found, behind `before` in the same braces. */
function unexpected(found: string, before: string): string {
  if (found.startsWith("}}") && before.trim() === "") return "has braces with nothing in them";
  if (/^\{\{~?\s*(?:else|\^)/.test(found)) return "has an {{else}} that belongs to no block";
  if (/^\{\{~?\//.test(found)) return "closes a block that is not open";
  if (/^["']/.test(found)) return "has a quotation mark that is opened and not closed";
  return `has an unexpected ${JSON.stringify(found.slice(0, 40))}`;
}

function faultAt(text: string, offset: number, what: string): TemplateSyntaxError {
  return new TemplateSyntaxError(`the template ${what}`, ...placeAt(text, offset), bracesAdvice);
}

function skipSpace(text: string, offset: number): number {
  let at = offset;
  while (at < text.length && /\s/.test(text[at]!)) at++;
  return at;
}

/** The lines of a template end as the parser has it. */
const lineEnd = /\r\n?|\n/g;

/** The offsets in UTF-16 units of places within a text, line and column counted from 1. Its lines are looked for once. */
export function offsetsIn(text: string): (line: number, column: number) => number {
  let starts: number[] | undefined;
  return (line, column) => {
    if (line === 1) return column - 1;
    starts ??= [0, ...[...text.matchAll(lineEnd)].map(({ index, 0: end }) => index + end.length)];
    const start = starts[line - 1];
    return start === undefined ? text.length : start + column - 1;
  };
}

function placeAt(text: string, offset: number): [line: number, column: number] {
  let [line, lineStart] = [1, 0];
  for (const { index, 0: end } of text.matchAll(lineEnd)) {
    if (index + end.length > offset) break;
    [line, lineStart] = [line + 1, index + end.length];
  }
  return [line, offset - lineStart + 1];
}
