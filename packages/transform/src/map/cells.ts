/** A column of the table or a constant of the map, and the keys within its value: `[[…]]`. */
export interface CellPath {
  readonly kind: "column" | "constant";
  readonly name: string;
  readonly keys: readonly string[];
}

/** A part of a text of a map. A section is there where its cell is not empty (`#`), or where it is (`^`). */
export type Token =
  | { readonly type: "text" | "template"; readonly text: string }
  | { readonly type: "cell" | "argument"; readonly path: CellPath }
  | { readonly type: "begin"; readonly sign: "#" | "^"; readonly path: CellPath }
  | { readonly type: "end"; readonly sign: "/"; readonly path: CellPath };

/** Thrown for brackets that are not those of a cell. */
export class CellSyntaxError extends Error {
  override readonly name = "CellSyntaxError";
}

/** True for a text with `[[`, which needs to be filled in. */
export const hasCells = (text: string) => text.includes("[[");

/** Writes a path as `[[…]]`. */
export function writtenCell({ kind, name, keys }: CellPath): string {
  const first = kind === "constant" ? `$${escaped(name)}` : escaped(name).replace(/^[#^/$]/, "\\$&");
  return `[[${[first, ...keys.map(escaped)].join("][")}]]`;
}

const escaped = (key: string) =>
  /^[^[\]\\]+(?:\[[^[\]\\]*\][^[\]\\]*)*$/.test(key) ? key : key.replace(/[[\]\\]/g, "\\$&");

/** A key as written: paired brackets are part of it, others are escaped by a backslash. */
const key = String.raw`(?:\\[\s\S]|\[[^[\]\\]*\]|[^[\]\\])*`;
const keys = String.raw`${key}(?:\]\[${key})*`;
const quotation = String.raw`"(?:[^"\\]|\\"|\\(?!"))*"|'(?:[^'\\]|\\'|\\(?!'))*'`;
const comment = String.raw`\{\{~?!(?:--[\s\S]*?--~?|(?!--)[\s\S]*?)\}\}`;
const expression = String.raw`\{\{(?:${quotation}|\[\[${keys}\]\]|\[(?!\[)[^\]]*\]|\}(?!\})|[^}"'[])*\}\}\}?`;
/** A cell after any other brackets, or a part of a template, each after any backslashes. */
const opening = new RegExp(
  String.raw`(?<!\\)(?:\\(\{\{|\[{2,})|(\\*)(?:(\[*)\[\[(${keys})\]\]|(${comment}|${expression})|\[\[|\{\{))`,
  "g",
);
const argument = new RegExp(String.raw`${comment}|${quotation}|\[\[(${keys})\]\]`, "g");

/** @throws CellSyntaxError when brackets or braces are not closed, or a template has a cell in the wrong position */
export function* tokensOf(text: string): Generator<Token> {
  let at = 0;
  for (const found of text.matchAll(opening)) {
    const [whole, escaped, backslashes = "", brackets = "", cell, template] = found;
    yield* written("text", text.slice(at, found.index) + (escaped ?? backslashes.slice(1) + brackets));
    at = found.index + whole.length;
    if (cell !== undefined) yield cellToken(cell);
    else if (template !== undefined) yield* templateTokens(template);
    else if (escaped === undefined) throw notClosed(whole.slice(-2), text.slice(at, at + 20));
  }
  yield* written("text", text.slice(at));
}

const written = (type: "text" | "template", text: string): Token[] => (text === "" ? [] : [{ type, text }]);

function cellToken(cell: string): Token {
  const [sign, rest] = [cell[0], cell.slice(1)];
  if (sign === "#" || sign === "^") return { type: "begin", sign, path: pathOf(rest) };
  return sign === "/" ? { type: "end", sign, path: pathOf(rest) } : { type: "cell", path: pathOf(cell) };
}

function notClosed(opened: string, rest: string): CellSyntaxError {
  const [what, end] = opened === "[[" ? ["cell", "]]"] : ["template", "}}"];
  const advice = `where ${opened} is text, write \\${opened}`;
  return new CellSyntaxError(`the ${what} ${opened}${rest} is not closed by ${end}; ${advice}`);
}

function* templateTokens(template: string): Generator<Token> {
  if (template.startsWith("{{{{"))
    throw new CellSyntaxError("a text with cells cannot have raw blocks, {{{{ }}}}");
  let at = 0;
  for (const { 0: whole, 1: path, index } of template.matchAll(argument)) {
    if (path === undefined && (whole.startsWith("{{") || !hasCells(whole))) continue;
    if (path === undefined)
      throw new CellSyntaxError(`a cell within {{ }} must not be in quotation marks, as ${whole} is`);
    if (/^[#^/]/.test(path))
      throw new CellSyntaxError(`the section [[${path}]] is within {{ }}, where there are only cells`);
    const end = index + whole.length;
    if (!/[\s(={~]$/.test(template.slice(at, index)) || !/^(?:\s|\)|~?\}\})/.test(template.slice(end)))
      throw new CellSyntaxError(`${whole} is an argument: separate arguments by white space`);
    yield { type: "template", text: template.slice(at, index) };
    yield { type: "argument", path: pathOf(path) };
    at = end;
  }
  yield* written("template", template.slice(at));
}

function pathOf(written: string): CellPath {
  const isConstant = written.startsWith("$");
  const found = `][${written.slice(isConstant ? 1 : 0)}`.matchAll(new RegExp(String.raw`\]\[(${key})`, "g"));
  const [name = "", ...keys] = Array.from(found, ([, one = ""]) => one.replace(/\\([\s\S])/g, "$1"));
  return { kind: isConstant ? "constant" : "column", name, keys };
}
