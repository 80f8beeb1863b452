/**
 * The extent of one template. The parser takes quadratic time in what stands between braces and in how deep it is
 * nested: 40,000 small blocks within each other took it minutes. These bounds keep every template below a second.
 */
export const templateLimits = {
  /** UTF-16 units of the whole text, as far as it holds any braces. */
  length: 262_144,
  /** UTF-16 units between braces, all together. */
  code: 10_000,
  /** Blocks within blocks. */
  blocks: 64,
  /** Sub-expressions within one pair of braces. */
  subexpressions: 64,
} as const;

/** Says which limit a template exceeds, if any. */
export function objectionToExtent(text: string): string | undefined {
  const { length, code, blocks, subexpressions } = templateLimits;
  if (text.length > length) return `is longer than the ${length} characters that a template may have`;
  let [total, depth] = [0, 0];
  for (let open = text.indexOf("{{"); open !== -1; ) {
    const end = endOfCode(text, open + 2, code - total);
    const inside = text.slice(open + 2, end);
    total += inside.length;
    depth += step(inside);
    if (total > code) return `has more than ${code} characters between braces`;
    if (depth > blocks) return `has blocks nested deeper than ${blocks}`;
    if (inside.split("(").length - 1 > subexpressions) {
      return `has more than ${subexpressions} sub-expressions in one pair of braces`;
    }
    open = text.indexOf("{{", end);
  }
  return undefined;
}

/** Whether braces open a block, close one, or do neither. */
function step(inside: string): number {
  if (/^~?[#^]\s*[^\s~]/.test(inside)) return 1;
  return /^~?\//.test(inside) ? -1 : 0;
}

const closings: Readonly<Record<string, string>> = { '"': '"', "'": "'", "[": "]" };

/** Where the braces close; within quotes and brackets they don't. Gives up when the code is longer than `limit`. */
function endOfCode(text: string, from: number, limit: number): number {
  let at = from;
  while (at < text.length && at - from <= limit) {
    if (text.startsWith("}}", at)) return at;
    const closing = closings[text[at]!];
    const quoteEnd = closing === undefined ? -1 : endOfQuote(text, closing, at + 1);
    at = Math.max(at, quoteEnd) + 1;
  }
  return Math.min(at, text.length);
}

/** The index of the closing quote that no backslash escapes, or -1. */
function endOfQuote(text: string, closing: string, from: number): number {
  let at = text.indexOf(closing, from);
  while (at > 0 && text[at - 1] === "\\") at = text.indexOf(closing, at + 1);
  return at;
}
