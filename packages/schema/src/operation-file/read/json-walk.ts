import { toPointer } from "../../problems/json-pointer.ts";

/** Where a text stops being JSON, and why. */
export interface JsonError {
  readonly code: "InvalidJson" | "TruncatedFile" | "NestedTooDeep";
  readonly message: string;
  /** In UTF-16 units from the start of the text; its length if it ends too early. */
  readonly offset: number;
}

/** Callbacks for the parts of a text, in order. Pointers are JSON pointers (RFC 6901) from its root. */
export interface JsonVisitor {
  /** The text from `start` to `end` is a string, quotes included: a value, or the key of the value at the pointer. */
  string?(start: number, end: number, pointer: string): void;
  number?(start: number, end: number, pointer: string): void;
  /** A value begins. */
  value?(start: number, pointer: string): void;
  /** An object repeats a key. */
  repeatedKey?(start: number, pointer: string): void;
}

/**
 * Reads one JSON value strictly (RFC 8259) and reports where its parts are. It is slow compared to
 * `JSON.parse`, so it is used only for texts with a problem.
 *
 * @param depth maximum nesting of the value
 * @returns the first error, at the first character that no JSON text could have there, or at the comma before
 * it
 */
export function walkJson(text: string, depth: number, visitor: JsonVisitor = {}): JsonError | undefined {
  const walk: Walk = { text, at: 0, visitor, deepest: depth };
  try {
    skipSpace(walk);
    readValue(walk, "", depth);
    skipSpace(walk);
    if (walk.at < text.length) refuse(walk, "the end of the value");
    return undefined;
  } catch (thrown) {
    if (thrown instanceof JsonSyntaxError) return thrown.found;
    throw thrown;
  }
}

interface Walk {
  /** Maximum nesting. */
  readonly deepest: number;
  readonly text: string;
  at: number;
  readonly visitor: JsonVisitor;
}

class JsonSyntaxError extends Error {
  override readonly name = "JsonSyntaxError";
  readonly found: JsonError;
  constructor(found: JsonError) {
    super(found.message);
    this.found = found;
  }
}

function refuse({ text, at }: Walk, expected: string): never {
  const truncated = at >= text.length;
  const found = truncated
    ? "the end of the value"
    : describeCharacter(String.fromCodePoint(text.codePointAt(at)!));
  const message = `expected ${expected}, found ${found}`;
  throw new JsonSyntaxError({ code: truncated ? "TruncatedFile" : "InvalidJson", message, offset: at });
}

/** Messages about a comma, by the character found after it or instead of it. */
export const commaProblem = {
  missing: (found: string) => `a comma is missing before ${describeCharacter(found)}`,
  trailing: (found: string) => `there is a comma before ${describeCharacter(found)}: remove it`,
  repeated: "there are two commas in a row: remove one",
};

/** Refuses what follows a value: only the end of its list or object may, or a comma with another value after it. */
function readComma(walk: Walk, close: string, begins: RegExp): void {
  const comma = walk.at;
  const found = walk.text[comma] ?? "";
  const invalid = (message: string, offset = comma): never => {
    throw new JsonSyntaxError({ code: "InvalidJson", message, offset });
  };
  if (begins.test(found)) invalid(commaProblem.missing(found));
  if (!take(walk, ",")) refuse(walk, `"," or "${close}"`);
  skipSpace(walk);
  if (walk.text[walk.at] === close) invalid(commaProblem.trailing(close));
  if (walk.text[walk.at] === ",") invalid(commaProblem.repeated, walk.at);
}

/** A character in a message, quoted if it is printable. */
export function describeCharacter(character: string): string {
  if (/^[\p{L}\p{N}\p{P}\p{S} ]$/u.test(character)) return character === '"' ? "'\"'" : `"${character}"`;
  return `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}`;
}

function skipSpace(walk: Walk): void {
  while (" \n\r\t".includes(walk.text[walk.at] ?? "x")) walk.at++;
}

function readValue(walk: Walk, pointer: string, depth: number): void {
  const start = walk.at;
  const first = walk.text[start] ?? "";
  walk.visitor.value?.(start, pointer);
  if ((first === "{" || first === "[") && depth === 0) {
    const message = `is nested too deep: it may be nested ${walk.deepest} deep`;
    throw new JsonSyntaxError({ code: "NestedTooDeep", message, offset: start });
  }
  if (first === "{") readObject(walk, pointer, depth - 1);
  else if (first === "[") readList(walk, pointer, depth - 1);
  else if (first === '"') readString(walk, pointer);
  else if (first === "-" || isDigit(first)) readNumber(walk, pointer);
  else if (first in words) readWord(walk, words[first]!);
  else refuse(walk, "a value");
}

function readObject(walk: Walk, pointer: string, depth: number): void {
  const keys = new Set<string>();
  walk.at++;
  for (let first = true; ; first = false) {
    skipSpace(walk);
    if (first && take(walk, "}")) return;
    const start = walk.at;
    if (walk.text[start] !== '"')
      refuse(walk, first ? 'a key in double quotes or "}"' : "a key in double quotes");
    const key = readKey(walk, pointer);
    if (keys.has(key)) walk.visitor.repeatedKey?.(start, pointer + toPointer([key]));
    keys.add(key);
    skipSpace(walk);
    if (!take(walk, ":")) refuse(walk, '":"');
    skipSpace(walk);
    readValue(walk, pointer + toPointer([key]), depth);
    skipSpace(walk);
    if (take(walk, "}")) return;
    readComma(walk, "}", /"/);
  }
}

function readKey(walk: Walk, pointer: string): string {
  const start = walk.at;
  skipString(walk);
  const key: string = JSON.parse(walk.text.slice(start, walk.at));
  walk.visitor.string?.(start, walk.at, pointer + toPointer([key]));
  return key;
}

function readList(walk: Walk, pointer: string, depth: number): void {
  walk.at++;
  skipSpace(walk);
  if (take(walk, "]")) return;
  for (let index = 0; ; index++) {
    skipSpace(walk);
    readValue(walk, `${pointer}/${index}`, depth);
    skipSpace(walk);
    if (take(walk, "]")) return;
    readComma(walk, "]", valueBegins);
  }
}

function take(walk: Walk, character: string): boolean {
  if (walk.text[walk.at] !== character) return false;
  walk.at++;
  return true;
}

function readString(walk: Walk, pointer: string): void {
  const start = walk.at;
  skipString(walk);
  walk.visitor.string?.(start, walk.at, pointer);
}

function skipString(walk: Walk): void {
  const { text } = walk;
  for (walk.at++; text[walk.at] !== '"'; walk.at++) {
    if (text.charCodeAt(walk.at) < 0x20) refuse(walk, "an escape in place of a control character");
    if (walk.at >= text.length) refuse(walk, "the end of the string");
    if (text[walk.at] === "\\") skipEscape(walk);
  }
  walk.at++;
}

/** Ends at the last character of the escape. */
function skipEscape(walk: Walk): void {
  const { text } = walk;
  const kind = text[++walk.at] ?? "";
  if (kind === "" || !'"\\/bfnrtu'.includes(kind)) refuse(walk, 'an escape, one of "\\/bfnrtu, after "\\"');
  if (kind !== "u") return;
  for (const end = walk.at + 4; walk.at < end; ) {
    if (!/^[0-9a-fA-F]$/.test(text[++walk.at] ?? "")) refuse(walk, 'four hexadecimal digits after "\\u"');
  }
}

export const valueBegins = /["[{\dtfn-]/;

const words: Readonly<Record<string, string>> = { t: "true", f: "false", n: "null" };

function readWord(walk: Walk, word: string): void {
  for (const character of word) if (!take(walk, character)) refuse(walk, word);
}

const isDigit = (character: string | undefined) =>
  character !== undefined && character >= "0" && character <= "9";

function readNumber(walk: Walk, pointer: string): void {
  const start = walk.at;
  take(walk, "-");
  if (!take(walk, "0")) skipDigits(walk);
  if (take(walk, ".")) skipDigits(walk);
  if (take(walk, "e") || take(walk, "E")) {
    if (!take(walk, "+")) take(walk, "-");
    skipDigits(walk);
  }
  walk.visitor.number?.(start, walk.at, pointer);
}

function skipDigits(walk: Walk): void {
  if (!isDigit(walk.text[walk.at])) refuse(walk, "a digit");
  while (isDigit(walk.text[walk.at])) walk.at++;
}
