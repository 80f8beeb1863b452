import { templateLimits } from "@lading/schema";

/** A column of the table or a constant of the map, and the keys within its value: `[[…]]`. */
export interface CellPath {
  readonly kind: "column" | "constant";
  readonly name: string;
  readonly keys: readonly string[];
}

/** A part of a text of a map. */
export type Piece =
  | { readonly type: "text"; readonly text: string }
  /** A part of a template of the run, as it is written. */
  | { readonly type: "template"; readonly text: string }
  | { readonly type: "cell"; readonly path: CellPath; readonly isArgument: boolean }
  | Section;

/** A part that is there where its cell is not empty, or where it is. */
export interface Section {
  readonly type: "section";
  readonly path: CellPath;
  readonly wanted: boolean;
  readonly body: readonly Piece[];
}

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
  String.raw`(?<!\\)(\\*)(?:(\[*)\[\[(${keys})\]\]|(${comment}|${expression})|\[\[|\{\{)`,
  "g",
);
const argument = new RegExp(String.raw`${comment}|${quotation}|\[\[(${keys})\]\]`, "g");

/**
 * Parses a text of a map.
 *
 * @throws CellSyntaxError when brackets are not closed, or sections are not one within the other
 */
export function parseCells(text: string): readonly Piece[] {
  const pieces = new Pieces();
  let at = 0;
  for (;;) {
    opening.lastIndex = at;
    const found = opening.exec(text);
    pieces.add("text", text.slice(at, found?.index));
    if (found === null) return pieces.end();
    const [whole, backslashes = "", brackets = "", path, template] = found;
    at = found.index + whole.length;
    if (backslashes.length === 1) {
      const [opened = ""] = /^(?:\{\{|\[+)/.exec(whole.slice(1)) ?? [];
      pieces.add("text", opened);
      at = found.index + 1 + opened.length;
      continue;
    }
    pieces.add("text", backslashes.slice(1) + brackets);
    if (path !== undefined) pieces.addCell(path);
    else if (template !== undefined) addTemplate(pieces, template);
    else throw notClosed(whole.slice(-2), text.slice(at, at + 20));
  }
}

function notClosed(opened: string, rest: string): CellSyntaxError {
  const [what, end] = opened === "[[" ? ["cell", "]]"] : ["template", "}}"];
  const advice = `where ${opened} is text, write \\${opened}`;
  return new CellSyntaxError(`the ${what} ${opened}${rest} is not closed by ${end}; ${advice}`);
}

function addTemplate(pieces: Pieces, template: string): void {
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
    pieces.add("template", template.slice(at, index));
    pieces.addCell(path, true);
    at = end;
  }
  pieces.add("template", template.slice(at));
}

/** Collects pieces; those of a section are nested in it. */
class Pieces {
  #pieces: Piece[] = [];
  readonly #open: { readonly around: Piece[]; readonly written: string }[] = [];

  add(type: "text" | "template", text: string): void {
    const last = this.#pieces.at(-1);
    if (last?.type === type) this.#pieces.splice(-1, 1, { type, text: last.text + text });
    else if (text !== "") this.#pieces.push({ type, text });
  }

  /** Adds a cell, or begins or ends a section. */
  addCell(written: string, isArgument = false): void {
    if (written.startsWith("/")) this.#endSection(written.slice(1));
    else if (/^[#^]/.test(written)) {
      if (this.#open.push({ around: this.#pieces, written }) > templateLimits.blocks)
        throw new CellSyntaxError(`more than ${templateLimits.blocks} sections are nested, the limit`);
      this.#pieces = [];
    } else this.#pieces.push({ type: "cell", path: pathOf(written), isArgument });
  }

  #endSection(name: string): void {
    const section = this.#open.pop();
    if (section?.written.slice(1) !== name) {
      const open = section === undefined ? "none is open" : `[[${section.written}]] is open`;
      throw new CellSyntaxError(`[[/${name}]] ends a section, and ${open}`);
    }
    const wanted = section.written.startsWith("#");
    section.around.push({ type: "section", path: pathOf(name), wanted, body: this.#pieces });
    this.#pieces = section.around;
  }

  end(): readonly Piece[] {
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
