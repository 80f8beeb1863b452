export interface SvgSize {
  /** In CSS pixels; null where the drawing does not say it. */
  width: number | null;
  height: number | null;
}

/**
 * The size of an SVG drawing, of which this is at least the beginning; undefined of any other text. The root element
 * must be `svg`, so that an HTML page with a drawing in it is none.
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

/** Matches all that XML allows before the root element: white space, declarations, comments, a document type. */
const prolog =
  /\s+|<\?[^?]*(?:\?(?!>)[^?]*)*\?>|<!--[^-]*(?:-(?!->)[^-]*)*-->|<!DOCTYPE[^[>]*(?:\[[^\]]*\]\s*)?>/y;

function startOfRoot(text: string): number {
  let at = text.startsWith("\uFEFF") ? 1 : 0;
  for (;;) {
    prolog.lastIndex = at;
    if (!prolog.test(text)) return at;
    at = prolog.lastIndex;
  }
}

function attributesAt(text: string, start: number): Record<string, string | undefined> {
  const attribute = /\s+([A-Za-z_][\w:.-]*)\s*=\s*(?:"([^"]*)"|'([^']*)')/y;
  attribute.lastIndex = start;
  const attributes: Record<string, string | undefined> = Object.create(null);
  for (let match = attribute.exec(text); match !== null; match = attribute.exec(text)) {
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
