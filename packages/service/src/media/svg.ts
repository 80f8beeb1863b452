export interface SvgSize {
  /** In CSS pixels; null if the drawing doesn't specify it. */
  width: number | null;
  height: number | null;
}

/**
 * The size of an SVG drawing from its beginning; undefined for any other text. The root element must be `svg`, so an
 * HTML page that contains a drawing isn't one.
 */
export function svgSize(text: string): SvgSize | undefined {
  const root = /<(?:[A-Za-z_][\w.-]*:)?svg(?=[\s/>])/y;
  root.lastIndex = startOfRoot(text);
  if (!root.test(text)) return undefined;
  const { width, height, viewBox } = attributesAt(text, root.lastIndex);
  const [, , boxWidth, boxHeight] = (viewBox ?? "").trim().split(/[\s,]+/);
  const own = { width: pixels(width), height: pixels(height) };
  const box = { width: pixels(boxWidth), height: pixels(boxHeight) };
  if (own.width !== null && own.height !== null) return own;
  return { width: own.width ?? box.width, height: own.height ?? box.height };
}

/** White space and a document type, which may precede the root element. */
const spaceOrType = /\s+|<!DOCTYPE[^[>]*(?:\[[^\]]*\]\s*)?>/y;

/** Declarations and comments, which may, too. */
const enclosed = [
  ["<?", "?>"],
  ["<!--", "-->"],
] as const;

/** Limits of what precedes the root element, and of its attributes: a drawing has tens of each. */
const most = { pieces: 1_000, attributes: 1_000 };

function startOfRoot(text: string): number {
  let at = text.startsWith("\uFEFF") ? 1 : 0;
  for (let pieces = 0; pieces < most.pieces; pieces++) {
    const end = endOfProlog(text, at);
    if (end === undefined) break;
    at = end;
  }
  return at;
}

/** The end of the prolog part at this position; undefined if there is none. */
function endOfProlog(text: string, at: number): number | undefined {
  const [begin, close] = enclosed.find(([begin]) => text.startsWith(begin, at)) ?? [];
  if (begin !== undefined && close !== undefined) {
    const end = text.indexOf(close, at + begin.length);
    return end < 0 ? undefined : end + close.length;
  }
  spaceOrType.lastIndex = at;
  return spaceOrType.test(text) ? spaceOrType.lastIndex : undefined;
}

function attributesAt(text: string, start: number): Record<string, string | undefined> {
  const attribute = /\s+([A-Za-z_][\w:.-]*)\s*=\s*(?:"([^"]*)"|'([^']*)')/y;
  attribute.lastIndex = start;
  const attributes: Record<string, string | undefined> = Object.create(null);
  for (let seen = 0; seen < most.attributes; seen++) {
    const match = attribute.exec(text);
    if (match === null) break;
    const [, name = "", inDoubleQuotes, inSingleQuotes] = match;
    attributes[name] = inDoubleQuotes ?? inSingleQuotes;
  }
  return attributes;
}

/** A length without a unit or in `px`, rounded up; other units depend on where the drawing is shown. */
function pixels(length: string | undefined): number | null {
  const [, digits] = /^\s*(\d{1,7}(?:\.\d{1,20})?)(?:px)?\s*$/.exec(length ?? "") ?? [];
  const number = Math.ceil(Number(digits));
  return number > 0 ? number : null;
}
