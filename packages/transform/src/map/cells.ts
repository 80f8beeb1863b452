import { templateLimits } from "@lading/schema";

/** A column of the table or a constant of the map, and the keys within its value: `[[…]]`. */
export interface CellPath {
  readonly kind: "column" | "constant";
  readonly name: string;
  readonly keys: readonly string[];
}

/** A part of a text of a map. A section is there where its cell is not empty (`wanted`), or where it is. */
export type Piece<Cell> =
  | { readonly type: "text" | "template"; readonly text: string }
  | { readonly type: "cell"; readonly cell: Cell; readonly isArgument: boolean }
  | Section<Cell>;

export interface Section<Cell> {
  readonly type: "section";
  readonly cell: Cell;
  readonly wanted: boolean;
  readonly body: readonly Piece<Cell>[];
}

/** Thrown for brackets that are not those of a cell. */
export class CellSyntaxError extends Error {
  override readonly name = "CellSyntaxError";
}

/** True for a text with `[[`, which is not text as it is. */
export const hasCells = (text: string) => text.includes("[[");

/** Writes a path as `[[…]]`. */
export function writtenCell({ kind, name, keys }: CellPath): string {
  const first = kind === "constant" ? `$${escaped(name)}` : escaped(name).replace(/^[#^/$]/, "\\$&");
  return `[[${[first, ...keys.map(escaped)].join("][")}]]`;
}

const escaped = (key: string) =>
  /^[^[\]\\]+(?:\[[^[\]\\]*\][^[\]\\]*)*$/.test(key) ? key : key.replace(/[[\]\\]/g, "\\$&");

/** A key as it is written: brackets in pairs are part of it, others stand behind a backslash. */
const key = String.raw`(?:\\[\s\S]|\[[^[\]\\]*\]|[^[\]\\])*`;
const keys = String.raw`${key}(?:\]\[${key})*`;
const quotation = String.raw`"(?:[^"\\]|\\"|\\(?!"))*"|'(?:[^'\\]|\\'|\\(?!'))*'`;
const comment = String.raw`\{\{~?!(?:--[\s\S]*?--~?|(?!--)[\s\S]*?)\}\}`;
const expression = String.raw`\{\{(?:${quotation}|\[\[${keys}\]\]|\[(?!\[)[^\]]*\]|\}(?!\})|[^}"'[])*\}\}\}?`;
/** Escaped brackets or braces; or a cell behind any other brackets, or a part of a template, behind backslashes. */
const opening = new RegExp(
  String.raw`(?<!\\)(?:\\(\{\{|\[{2,})|(\\*)(?:(\[*)\[\[(${keys})\]\]|(${comment}|${expression})|\[\[|\{\{))`,
  "g",
);
const argument = new RegExp(String.raw`${comment}|${quotation}|\[\[(${keys})\]\]`, "g");

/**
 * Parses a text of a map.
 *
 * @throws CellSyntaxError when brackets are not closed, or sections are not one within the other
 */
export function parseCells<Cell>(text: string, cellOf: (path: CellPath) => Cell): readonly Piece<Cell>[] {
  const pieces = new Pieces(cellOf);
  let at = 0;
  for (const { 0: whole, 1: escaped, 2: backslashes = "", 3: brackets = "", ...found } of text.matchAll(
    opening,
  )) {
    const { 4: path, 5: template, index } = found;
    pieces.add("text", text.slice(at, index) + (escaped ?? backslashes.slice(1) + brackets));
    at = index + whole.length;
    if (path !== undefined) pieces.addCell(path);
    else if (template !== undefined) addTemplate(pieces, template);
    else if (escaped === undefined) throw notClosed(whole.slice(-2), text.slice(at, at + 20));
  }
  pieces.add("text", text.slice(at));
  return pieces.end();
}

function notClosed(opened: string, rest: string): CellSyntaxError {
  const [what, end] = opened === "[[" ? ["cell", "]]"] : ["template", "}}"];
  const advice = `where ${opened} is text, write \\${opened}`;
  return new CellSyntaxError(`the ${what} ${opened}${rest} is not closed by ${end}; ${advice}`);
}

function addTemplate(pieces: Pieces<unknown>, template: string): void {
  if (template.startsWith("{{{{"))
    throw new CellSyntaxError("a text with cells cannot have raw blocks, {{{{ }}}}");
  let at = 0;
  for (const { 0: whole, 1: path, index } of template.matchAll(argument)) {
    if (path === undefined && (whole.startsWith("{{") || !hasCells(whole))) continue;
    if (path === undefined)
      throw new CellSyntaxError(`a cell within {{ }} stands without quotation marks, and ${whole} has them`);
    if (/^[#^/]/.test(path))
      throw new CellSyntaxError(`the section [[${path}]] is within {{ }}, where there are only cells`);
    const end = index + whole.length;
    if (!/[\s(={~]$/.test(template.slice(at, index)) || !/^(?:\s|\)|~?\}\})/.test(template.slice(end)))
      throw new CellSyntaxError(`${whole} is an argument, which white space separates from others`);
    pieces.add("template", template.slice(at, index));
    pieces.addCell(path, true);
    at = end;
  }
  pieces.add("template", template.slice(at));
}

/** Collects pieces, those of a section within it. */
class Pieces<Cell> {
  readonly #cellOf: (path: CellPath) => Cell;
  #pieces: Piece<Cell>[] = [];
  readonly #open: { around: Piece<Cell>[]; written: string; cell: Cell }[] = [];

  constructor(cellOf: (path: CellPath) => Cell) {
    this.#cellOf = cellOf;
  }

  add(type: "text" | "template", text: string): void {
    if (text !== "") this.#pieces.push({ type, text });
  }

  /** Adds a cell, or begins or ends a section. */
  addCell(written: string, isArgument = false): void {
    if (written.startsWith("/")) return this.#endSection(written.slice(1));
    const isSection = /^[#^]/.test(written);
    const cell = this.#cellOf(pathOf(written.slice(isSection ? 1 : 0)));
    if (!isSection) {
      this.#pieces.push({ type: "cell", cell, isArgument });
      return;
    }
    if (this.#open.push({ around: this.#pieces, written, cell }) > templateLimits.blocks)
      throw new CellSyntaxError(
        `more than ${templateLimits.blocks} sections are within each other, the limit`,
      );
    this.#pieces = [];
  }

  #endSection(name: string): void {
    const section = this.#open.pop();
    if (section?.written.slice(1) !== name) {
      const open = section === undefined ? "none is open" : `[[${section.written}]] is open`;
      throw new CellSyntaxError(`[[/${name}]] ends a section, and ${open}`);
    }
    const { around, written, cell } = section;
    around.push({ type: "section", cell, wanted: written.startsWith("#"), body: this.#pieces });
    this.#pieces = around;
  }

  end(): readonly Piece<Cell>[] {
    const section = this.#open.at(-1)?.written;
    if (section === undefined) return this.#pieces;
    const end = `it has no end, [[/${section.slice(1)}]]`;
    throw new CellSyntaxError(
      `[[${section}]] begins a section, and ${end}; for a column of this name write [[\\${section}]]`,
    );
  }
}

function pathOf(written: string): CellPath {
  const isConstant = written.startsWith("$");
  const found = `][${written.slice(isConstant ? 1 : 0)}`.matchAll(new RegExp(String.raw`\]\[(${key})`, "g"));
  const [name = "", ...keys] = Array.from(found, ([, one = ""]) => one.replace(/\\([\s\S])/g, "$1"));
  return { kind: isConstant ? "constant" : "column", name, keys };
}
